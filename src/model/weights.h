/// \file
/// \brief The weights of a decoder, by the names that Hugging Face checkpoints give them.
#pragma once

#include <memory>
#include <vector>

#include "src/model/config.h"
#include "src/model/safetensors.h"
#include "src/ops/ops.h"

namespace quire {

/// \brief The weights of one layer. Matrices are [out, in].
struct LayerWeights {
  Weight attention_norm;  ///< [hidden]
  Weight q;               ///< [heads * head_dim, hidden]
  Weight k;               ///< [kv_heads * head_dim, hidden]
  Weight v;               ///< [kv_heads * head_dim, hidden]
  Weight o;               ///< [hidden, heads * head_dim]
  Weight ffn_norm;        ///< [hidden]
  Weight gate;            ///< [ffn, hidden]
  Weight up;              ///< [ffn, hidden]
  Weight down;            ///< [hidden, ffn]
};

/// \brief All weights of a decoder.
struct DecoderWeights {
  Weight embedding;                  ///< [vocabulary, hidden]
  std::vector<LayerWeights> layers;  ///< in order
  Weight final_norm;                 ///< [hidden]
  Weight lm_head;                    ///< [vocabulary, hidden]; with tied embeddings the embedding
};

/// \brief Takes the weights of a Llama decoder out of a checkpoint.
///
/// With tied embeddings the checkpoint may store the table as the embedding, as `lm_head.weight`,
/// or as both; of both, the embedding counts.
/// \param config what the model should be
/// \param checkpoint where the weights are; kept alive by them as long as the operators read them
/// \param ops prepares each weight
/// \throws Error that names the tensor if one is missing, has another shape, or is used by nobody
DecoderWeights load_weights(const ModelConfig& config,
                            const std::shared_ptr<const SafeTensors>& checkpoint, Ops& ops);

}  // namespace quire
