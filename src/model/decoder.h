/// \file
/// \brief The decoder: from a step's tokens to the logits of what comes next.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "src/core/observer.h"
#include "src/kv/kv_cache.h"
#include "src/kv/step.h"
#include "src/model/config.h"
#include "src/model/weights.h"
#include "src/ops/ops.h"

namespace quire {

/// \brief A decoder of the Llama kind (Touvron et al., "LLaMA", 2023): RMSNorm, rotary positions,
/// grouped-query attention, gated FFN; with biases, norms of heads and a window where the config
/// has them, which is all that tells Mistral, Qwen2 and Qwen3 apart.
///
/// It remembers nothing from step to step. Keys and values go to the cache that is passed in, and
/// only the cache knows sequences: to the decoder a step is rows.
class Decoder {
 public:
  /// \brief A decoder over weights that are already on its device.
  /// \param config   the architecture
  /// \param weights  what load_weights returned for it
  /// \param ops      the device; must outlive the decoder
  Decoder(const ModelConfig& config, DecoderWeights weights, Ops& ops);

  /// \brief The architecture.
  const ModelConfig& config() const { return config_; }
  /// \brief The work done on its device so far.
  const Counters& counters() const { return ops_.counters(); }

  /// \brief Runs a step: stores the keys and values of its rows, and computes the logits asked for.
  /// \param step      rows whose room in the cache is reserved
  /// \param cache     keys and values of the step's sequences
  /// \param observer  sees intermediate values
  /// \return F32 [logits_rows, vocabulary] in host memory, valid until the next call
  /// \throws Error if the step is malformed, a token is outside the vocabulary, or a position is
  ///         beyond the context that the model was made for
  std::span<const float> forward(const Step& step, KvCache& cache, Observer& observer);

 private:
  // The intermediate values of a step; each a row for each of the step's.
  struct Activations {
    Tensor tokens;    // I32 [rows]
    Tensor rotation;  // [rows, 2, head_dim / 2]
    Tensor x;         // [rows, hidden], the residual stream
    Tensor normed;    // [rows, hidden]
    Tensor q;         // [rows, heads * head_dim]
    Tensor k, v;      // [rows, kv_heads * head_dim]
    Tensor attended;  // [rows, heads * head_dim]
    Tensor gate, up;  // [rows, ffn]
    Tensor delta;     // [rows, hidden], what a block adds to the residual stream
  };

  void begin(const Step& step);
  void upload_rotation(const Step& step);
  void project(ConstTensor x, const Projection& to, Tensor out);
  void norm_heads(const std::optional<Weight>& gain, Tensor heads);
  void attention_block(int layer, KvCache& cache, Observer& observer);
  void ffn_block(int layer, Observer& observer);
  std::span<const float> logits(const Step& step, Observer& observer);

  ModelConfig config_;
  DecoderWeights weights_;
  Ops& ops_;
  std::vector<float> inverse_frequencies_;
  Buffer arena_, head_arena_;
  Activations a_;
  std::vector<float> rotation_, logits_;
};

}  // namespace quire
