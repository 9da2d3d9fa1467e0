/// \file
/// \brief The families of models: what tells them apart, and what none of them may ask for.
#pragma once

#include <string_view>

#include "src/core/json.h"
#include "src/model/config.h"

namespace quire {

/// \brief Which linear layers of attention have a bias.
enum class Biases {
  none,      ///< none of them
  qkv,       ///< those to Q, K and V
  if_asked,  ///< if attention_bias is true, those to Q, K and V and the one after attention
};

/// \brief Whether attention sees a window of the latest tokens only.
enum class Windows {
  never,     ///< it sees all
  always,    ///< as wide as sliding_window says, unless that is null
  if_asked,  ///< if use_sliding_window is true
};

/// \brief What a family means by what its config.json says, and by what it leaves out.
struct Family {
  std::string_view model_type;    ///< its name in "model_type"
  std::string_view architecture;  ///< its name in "architectures"
  int max_positions;              ///< if max_position_embeddings is absent
  int kv_heads;                   ///< if num_key_value_heads is absent; 0 means as many as heads
  int head_dim;                   ///< if head_dim is absent; 0 means hidden / heads
  Biases biases;                  ///< in attention
  Windows windows;                ///< in attention
  bool qk_norm;                   ///< whether each head of Q and K is normed before it is rotated
};

/// \brief The family of a model, by "model_type" and "architectures", which must agree.
/// \param config  the whole of config.json
/// \throws Error if both are absent, one is unknown, or they name different families
const Family& family_of(const JsonObject& config);

/// \brief Reads what differs from family to family: biases, norms of heads, and the window.
/// \param config  the whole of config.json
/// \param family  whose
/// \param model   has its layers; gets the rest
/// \throws Error if a key asks for what this family or Quire does not have
void read_family_traits(const JsonObject& config, const Family& family, ModelConfig& model);

/// \brief Refuses whatever would change the result of any family and is not supported.
/// \param config  the whole of config.json
/// \throws Error that names the key
void refuse_unsupported(const JsonObject& config);

}  // namespace quire
