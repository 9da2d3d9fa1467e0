/// \file
/// \brief The weights of a decoder, by the names that Hugging Face checkpoints give them.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "src/model/checkpoint.h"
#include "src/model/config.h"
#include "src/ops/ops.h"

namespace quire {

/// \brief A linear layer of attention: a matrix, and a bias where the model has one.
struct Projection {
  Weight matrix;               ///< [out, in]
  std::optional<Weight> bias;  ///< [out]
};

/// \brief The weights of one layer. Matrices are [out, in].
struct LayerWeights {
  Weight attention_norm;         ///< [hidden]
  Projection q;                  ///< [heads * head_dim, hidden]
  Projection k;                  ///< [kv_heads * head_dim, hidden]
  Projection v;                  ///< [kv_heads * head_dim, hidden]
  std::optional<Weight> q_norm;  ///< [head_dim], the same for all heads, where the model has it
  std::optional<Weight> k_norm;  ///< [head_dim]
  Projection o;                  ///< [hidden, heads * head_dim]
  Weight ffn_norm;               ///< [hidden]
  Weight gate;                   ///< [ffn, hidden]
  Weight up;                     ///< [ffn, hidden]
  Weight down;                   ///< [hidden, ffn]
};

/// \brief All weights of a decoder.
struct DecoderWeights {
  Weight embedding;                  ///< [vocabulary, hidden]
  std::vector<LayerWeights> layers;  ///< in order
  Weight final_norm;                 ///< [hidden]
  Weight lm_head;                    ///< [vocabulary, hidden]; with tied embeddings the embedding
};

/// \brief Takes the weights of a decoder out of a checkpoint.
///
/// With tied embeddings the checkpoint may store the table as the embedding, as `lm_head.weight`,
/// or as both; of both, the embedding counts.
/// \param config what the model should be
/// \param checkpoint where the weights are; kept alive by them as long as the operators read them
/// \param ops prepares each weight
/// \throws Error that names the tensor if one is missing, has another shape, or is used by nobody
DecoderWeights load_weights(const ModelConfig& config,
                            const std::shared_ptr<const Checkpoint>& checkpoint, Ops& ops);

}  // namespace quire
