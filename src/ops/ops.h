/// \file
/// \brief One contract per operator of a decoder, for every device and implementation.
///
/// Tensors are dense and row-major. Activations are F32; weights keep the dtype of their file.
/// `rows` is the number of tokens in the step, whatever sequences they belong to. Each public
/// function checks its preconditions (Error), adds its bill to counters(), and calls the
/// implementation. The bill is what the operator must move and compute, each tensor once:
/// a multiply-add is 2 FLOPs, an exponential, a division or a square root is 1.
#pragma once

#include <memory>
#include <span>

#include "src/core/counters.h"
#include "src/core/tensor.h"
#include "src/ops/kv_view.h"

namespace quire {

/// \brief A weight as an implementation keeps it: what Ops::prepare returned.
struct Weight {
  ConstTensor tensor;  ///< logical shape and dtype; the layout is the implementation's
  std::shared_ptr<const void> owner;  ///< keeps the memory alive

  /// \brief Bytes that reading the whole weight once moves.
  std::uint64_t byte_count() const { return tensor.byte_count(); }
};

/// \brief The operators on one device.
class Ops {
 public:
  virtual ~Ops() = default;

  /// \brief What to call this implementation in tables: "eigen", "cpu", "gpu" ...
  virtual std::string_view name() const = 0;

  /// \name Memory
  /// \{

  /// \brief Memory of the device. What it holds at first is undefined.
  /// \param bytes  the size
  virtual Buffer allocate(std::size_t bytes) = 0;
  /// \brief Copies from the host into a tensor of the device.
  /// \param source  `target.byte_count()` bytes of host memory
  /// \param target  a tensor of the device
  virtual void upload(const void* source, Tensor target) = 0;
  /// \brief Copies from a tensor of the device to the host, after all work enqueued before.
  /// \param source  a tensor of the device
  /// \param target  `source.byte_count()` bytes of host memory
  virtual void download(ConstTensor source, void* target) = 0;
  /// \brief Takes a weight over in the layout that this implementation reads fastest.
  /// \param weight  F32, F16 or BF16, [out, in] or [n], in host memory
  /// \param owner   keeps `weight` alive; let go of if the implementation made a copy
  /// \return what linear, embed, rms_norm and add_bias take
  virtual Weight prepare(ConstTensor weight, std::shared_ptr<const void> owner) = 0;
  /// \}

  /// \name Operators
  /// \{

  /// \brief out[r] = table[tokens[r]], widened to F32.
  ///
  /// Reads rows * 4 bytes of ids and rows rows of the table, writes rows * hidden * 4; no FLOP.
  /// \param table   [vocabulary, hidden]
  /// \param tokens  I32 [rows], each 0 <= id < vocabulary (the caller's promise)
  /// \param out     F32 [rows, hidden]
  void embed(const Weight& table, ConstTensor tokens, Tensor out);

  /// \brief out[r, i] = gain[i] * x[r, i] / sqrt(mean over i of x[r, i]^2 + epsilon).
  ///
  /// 4 FLOPs an element (square and add, two products); reads x and gain, writes out.
  /// Source: Zhang and Sennrich, "Root Mean Square Layer Normalization", 2019.
  /// \param x        F32 [rows, n]
  /// \param gain     [n]
  /// \param epsilon  above 0
  /// \param out      F32 [rows, n]; may be x itself
  void rms_norm(ConstTensor x, const Weight& gain, float epsilon, Tensor out);

  /// \brief out[r, o] = sum over i of x[r, i] * weight[o, i].
  ///
  /// 2 * rows * in * out FLOPs; reads x and the weight once, writes out.
  /// \param x       F32 [rows, in]
  /// \param weight  [out, in]
  /// \param out     F32 [rows, out]; does not overlap x
  void linear(ConstTensor x, const Weight& weight, Tensor out);

  /// \brief out[r, i] += bias[i]: what some linear layers add to their product.
  ///
  /// 1 FLOP an element; reads the bias once and out, writes out.
  /// \param bias  [n]
  /// \param out   F32 [rows, n]
  void add_bias(const Weight& bias, Tensor out);

  /// \brief Rotates every head of q and k by its row's angles (RoPE), q in place, and stores the
  /// rotated k and v as the rows' keys and values.
  ///
  /// Pairs are half-split as in Hugging Face checkpoints: element i goes with i + head_dim / 2,
  /// out[i] = x[i] cos - x[i + half] sin, out[i + half] = x[i + half] cos + x[i] sin.
  /// 3 FLOPs for each element of q and k; reads q, k, v, the angles and the slots, writes q and the
  /// stored rows. Source: Su et al., "RoFormer", 2021, section 3.2.
  /// \param q         F32 [rows, heads, head_dim], rotated in place; head_dim even
  /// \param k         F32 [rows, kv_heads, head_dim], left as it is
  /// \param v         F32 [rows, kv_heads, head_dim]
  /// \param rotation  F32 [rows, 2, head_dim / 2]: each row's cosines, then its sines
  /// \param slots     where each row's key and value go, each slot inside the storage (the caller's
  ///                  promise)
  void rope_and_store(Tensor q, ConstTensor k, ConstTensor v, ConstTensor rotation,
                      const KvSlots& slots);

  /// \brief Softmax attention of every row over the keys it may see; query head h reads KV head
  /// h / (heads / kv_heads).
  ///
  /// The row at position p of a span sees positions max(0, p - window + 1) .. p of its sequence,
  /// all of them already stored. Keys are visited in position order wherever they lie, so placement
  /// does not change a bit. 4 * head_dim FLOPs for each visible key and query head (the softmax,
  /// about 1 / head_dim of that, is not counted); reads q, and keys, values and table entries
  /// visible to a span once; writes out. Stored rows outside the visible ones are never read.
  /// \param q     F32 [rows, heads, head_dim]
  /// \param view  where keys and values lie and whose rows these are; spans cover all rows, and the
  ///              blocks that they need are inside the storage (the caller's promise)
  /// \param mask  scale and window
  /// \param out   F32 [rows, heads, head_dim]; does not overlap q
  void attend(ConstTensor q, const KvView& view, const AttentionMask& mask, Tensor out);

  /// \brief out[i] = silu(gate[i]) * up[i], where silu(x) = x / (1 + e^-x).
  ///
  /// 4 FLOPs an element; reads gate and up, writes out.
  /// Source: Shazeer, "GLU Variants Improve Transformer", 2020.
  /// \param gate  F32 [rows, n]
  /// \param up    F32 [rows, n]
  /// \param out   F32 [rows, n]; may be gate or up itself
  void silu_mul(ConstTensor gate, ConstTensor up, Tensor out);

  /// \brief out[i] += x[i]: a residual connection.
  ///
  /// 1 FLOP an element; reads both, writes out.
  /// \param x    F32 [rows, n]
  /// \param out  F32 [rows, n]; does not overlap x
  void add(ConstTensor x, Tensor out);

  /// \brief out[i] = x[rows[i]].
  ///
  /// No FLOP; reads the ids and the rows picked, writes out.
  /// \param x     F32 [n, width]
  /// \param rows  I32 [m], each 0 <= row < n (the caller's promise)
  /// \param out   F32 [m, width]; does not overlap x
  void gather_rows(ConstTensor x, ConstTensor rows, Tensor out);

  /// \brief The rows of block pairs[i, 1] become those of block pairs[i, 0], one pair after the
  /// other: copy-on-write of stored keys or values.
  ///
  /// No FLOP; reads the ids and one block for each pair, writes as many.
  /// \param storage     [slots, kv_heads, head_dim], keys or values of one layer
  /// \param pairs       I32 [n, 2], BlockIds inside the storage, the two of a pair not the same (the
  ///                    caller's promise)
  /// \param block_size  rows a block, at least 1
  void copy_blocks(Tensor storage, ConstTensor pairs, int block_size);
  /// \}

  /// \brief The work done since this object was made.
  const Counters& counters() const { return counters_; }

 private:
  virtual void do_embed(const Weight& table, ConstTensor tokens, Tensor out) = 0;
  virtual void do_rms_norm(ConstTensor x, const Weight& gain, float epsilon, Tensor out) = 0;
  virtual void do_linear(ConstTensor x, const Weight& weight, Tensor out) = 0;
  virtual void do_add_bias(const Weight& bias, Tensor out) = 0;
  virtual void do_rope_and_store(Tensor q, ConstTensor k, ConstTensor v, ConstTensor rotation,
                                 const KvSlots& slots) = 0;
  virtual void do_attend(ConstTensor q, const KvView& view, const AttentionMask& mask,
                         Tensor out) = 0;
  virtual void do_silu_mul(ConstTensor gate, ConstTensor up, Tensor out) = 0;
  virtual void do_add(ConstTensor x, Tensor out) = 0;
  virtual void do_gather_rows(ConstTensor x, ConstTensor rows, Tensor out) = 0;
  virtual void do_copy_blocks(Tensor storage, ConstTensor pairs, int block_size) = 0;

  Counters counters_;
};

}  // namespace quire
