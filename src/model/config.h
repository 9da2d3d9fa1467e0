/// \file
/// \brief The sizes of a model and the few numbers beside its weights, as config.json says.
#pragma once

#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief How RoPE's frequencies were changed to reach beyond the context of the first training.
enum class RopeKind {
  plain,   ///< "default": as RoPE was published
  linear,  ///< "linear": every frequency divided by the factor
  llama3,  ///< "llama3": slow frequencies divided, fast ones kept, and those between mixed
};

/// \brief The keys of "rope_scaling", or of "rope_parameters" in newer files.
struct RopeScaling {
  RopeKind kind = RopeKind::plain;    ///< rope_type, or type in older files
  double factor = 1;                  ///< factor: by how much slow frequencies are divided
  double low_frequency_factor = 1;    ///< low_freq_factor: fewer turns than this in the
                                      ///< original context make a frequency slow
  double high_frequency_factor = 4;   ///< high_freq_factor: more turns make it fast
  int original_max_positions = 8192;  ///< original_max_position_embeddings

  /// \brief Equal in every number.
  bool operator==(const RopeScaling&) const = default;
};

/// \brief What the decoder must know besides the weights; the comments name keys of config.json.
struct ModelConfig {
  int layers = 0;                 ///< num_hidden_layers
  int hidden = 0;                 ///< hidden_size: the width of the residual stream
  int heads = 0;                  ///< num_attention_heads: heads of Q, a multiple of kv_heads
  int kv_heads = 0;               ///< num_key_value_heads, or heads: heads of K and V
  int head_dim = 0;               ///< head_dim, or hidden / heads; even, since RoPE turns pairs
  int ffn = 0;                    ///< intermediate_size: the width of the gated FFN
  int vocabulary = 0;             ///< vocab_size: rows of the embedding table
  int max_positions = 0;          ///< max_position_embeddings: the longest sequence
  double rope_theta = 10000;      ///< rope_theta: the base of the rotation's frequencies
  RopeScaling rope_scaling = {};  ///< rope_scaling: what was done to the frequencies
  float norm_epsilon = 1e-6f;     ///< rms_norm_eps
  bool tied_embeddings = false;   ///< tie_word_embeddings: the output layer is the embedding table
  int window = 0;                 ///< tokens that attention may see; 0 means all before
  bool qkv_bias = false;          ///< Q, K and V have biases
  bool o_bias = false;            ///< so has the matrix after attention
  bool qk_norm = false;           ///< each head of Q and K is normed before it is rotated
  std::optional<TokenId> bos;     ///< bos_token_id
  std::vector<TokenId> eos;       ///< eos_token_id: any of them ends a text
};

/// \brief Checks that a model folder holds a file, so that a message can say what belongs there.
/// \param model_dir  the folder
/// \param name       of a file that every model has
/// \throws Error if there is no such file
void expect_model_file(const std::filesystem::path& model_dir, std::string_view name);

/// \brief Reads config.json, and generation_config.json where there is one, whose EOS ids count.
///
/// The model must be of one of the families that family_of knows. Whatever a key asks for that would
/// change the result and is not supported, such as other kinds of RoPE, windows in some layers only
/// or quantised weights, is refused by name. Every number is checked, and bounded so that no product
/// of sizes overflows 64 bits.
/// \param model_dir  a folder with config.json, weights and tokenizer.json
/// \throws Error if a file is missing or broken, contradicts itself, or asks for something that is
///         not supported
ModelConfig load_config(const std::filesystem::path& model_dir);

}  // namespace quire
