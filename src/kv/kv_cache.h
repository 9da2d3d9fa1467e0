/// \file
/// \brief The storage of a cache: all that the decoder sees of it.
#pragma once

#include <vector>

#include "src/kv/kv_manager.h"
#include "src/kv/step.h"
#include "src/ops/ops.h"

namespace quire {

/// \brief Keys and values in device memory.
class KvCache {
 public:
  virtual ~KvCache() = default;
  /// \brief Uploads where the step's rows go and what they may read. After it, slots and attend
  /// only enqueue work.
  /// \param step a step whose rows are reserved; must outlive the calls that follow
  virtual void begin(const Step& step) = 0;
  /// \brief Where the rows of the step are stored in one layer.
  /// \param layer  0 <= layer < layers
  virtual KvSlots slots(int layer) = 0;
  /// \brief Attention of the step's rows over what its sequences have stored.
  /// \param layer  0 <= layer < layers
  /// \param q      F32 [rows, heads, head_dim], rotated
  /// \param out    F32 [rows, heads, head_dim]
  virtual void attend(int layer, ConstTensor q, Tensor out) = 0;
  /// \brief Bytes that the keys and values of one stored token take in all layers.
  virtual std::uint64_t bytes_per_token() const = 0;
};

/// \brief What a model asks of its cache.
struct KvShape {
  int layers = 0;            ///< decoder layers
  int kv_heads = 0;          ///< key/value heads a layer
  int head_dim = 0;          ///< elements a head
  DType dtype = DType::f32;  ///< element type of stored rows
  int window = 0;            ///< positions that a row may see; 0 means all

  /// \brief Bytes that one token's keys and values take in all layers: 2 * L * H_kv * D * e.
  std::uint64_t bytes_per_token() const;
};

/// \brief What attention over such a cache looks like: scores scaled by 1 / sqrt(head_dim), and the
/// window.
/// \param shape  what the model asks
AttentionMask mask_of(const KvShape& shape);

/// \brief Dense storage for any placement: [slot, kv_head, head_dim], K and V apart, a pair a
/// layer.
///
/// If nothing is retained between steps, all layers share one pair: a layer's rows are dead once
/// its attention has read them.
class KvStorage : public KvCache {
 public:
  /// \brief Allocates the storage.
  /// \param ops        whose memory; must outlive this object
  /// \param shape      what the model asks
  /// \param placement  where sequences lie; must outlive this object
  /// \param retains    whether rows live on after their step
  KvStorage(Ops& ops, const KvShape& shape, const Placement& placement, bool retains);

  void begin(const Step& step) override;
  KvSlots slots(int layer) override;
  void attend(int layer, ConstTensor q, Tensor out) override;
  std::uint64_t bytes_per_token() const override { return shape_.bytes_per_token(); }

  /// \brief Bytes allocated for keys and values.
  std::uint64_t bytes() const;

 private:
  struct Layer {
    Tensor k, v;
  };

  void copy(const std::vector<BlockCopy>& copies);
  void add_span(const Span& span, std::size_t width);

  Ops& ops_;
  KvShape shape_;
  const Placement& placement_;
  Buffer storage_;
  std::vector<Layer> layers_;  // one, or one for each of the model's
  std::span<const Span> spans_;
  std::vector<Slot> slots_;
  std::vector<BlockId> tables_;
  Buffer device_slots_, device_tables_, device_copies_;
  Tensor slots_of_rows_, block_tables_;
};

}  // namespace quire
