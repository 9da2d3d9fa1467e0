#include "src/model/config.h"

#include <algorithm>
#include <string_view>

#include "src/core/error.h"
#include "src/core/json.h"
#include "src/model/config_checks.h"
#include "src/model/config_family.h"
#include "src/model/config_rope.h"

namespace quire {
namespace {

// Also true for what cannot be read, such as a link to nothing: whoever reads it says so.
bool is_there(const std::filesystem::path& file) {
  std::error_code ignored;
  return std::filesystem::symlink_status(file, ignored).type() !=
         std::filesystem::file_type::not_found;
}

int read_size(const JsonObject& config, std::string_view key, int highest) {
  return static_cast<int>(config.integer(key, 1, highest));
}

int read_size_or(const JsonObject& config, std::string_view key, int fallback, int highest) {
  return config.find(key) == nullptr ? fallback : read_size(config, key, highest);
}

int read_head_dim(const JsonObject& config, const Family& family, const ModelConfig& model) {
  if (config.find("head_dim") != nullptr) return read_size(config, "head_dim", kMaxHeadDim);
  if (family.head_dim > 0) return family.head_dim;
  require(model.hidden % model.heads == 0,
          "{}: \"hidden_size\" {} is not a multiple of {} attention heads, and there is no "
          "\"head_dim\"",
          config.where(), model.hidden, model.heads);
  return model.hidden / model.heads;
}

void read_heads(const JsonObject& config, const Family& family, ModelConfig& model) {
  model.heads = read_size(config, "num_attention_heads", kMaxHeads);
  const bool as_many = family.kv_heads == 0 || config.is_null("num_key_value_heads");
  model.kv_heads = read_size_or(config, "num_key_value_heads",
                                as_many ? model.heads : family.kv_heads, kMaxHeads);
  require(model.heads % model.kv_heads == 0,
          "{}: {} attention heads cannot share {} key-value heads evenly", config.where(),
          model.heads, model.kv_heads);
  model.head_dim = read_head_dim(config, family, model);
  require(model.head_dim % 2 == 0 && model.head_dim <= kMaxHeadDim,
          "{}: a head of {} elements cannot be rotated; it must be an even number up to {}",
          config.where(), model.head_dim, kMaxHeadDim);
}

void read_sizes(const JsonObject& config, const Family& family, ModelConfig& model) {
  model.layers = read_size(config, "num_hidden_layers", kMaxLayers);
  model.hidden = read_size(config, "hidden_size", kMaxWidth);
  model.ffn = read_size(config, "intermediate_size", kMaxWidth);
  model.vocabulary = read_size(config, "vocab_size", kMaxVocabulary);
  model.max_positions =
      read_size_or(config, "max_position_embeddings", family.max_positions, kMaxPositions);
}

// One id or a list of them; none if the key is absent.
std::vector<TokenId> read_ids(const JsonObject& config, std::string_view key, int vocabulary) {
  std::vector<TokenId> ids;
  const auto take = [&](const Json& value) {
    const std::int64_t id = to_integer(value, config.name_of(key), 0, vocabulary - 1);
    ids.push_back(TokenId{static_cast<std::int32_t>(id)});
  };
  const Json* value = config.find(key);
  if (value == nullptr) return ids;
  if (!value->is_array()) {
    take(*value);
  } else {
    std::for_each(value->begin(), value->end(), take);
  }
  return ids;
}

void read_special_tokens(const JsonObject& config, ModelConfig& model) {
  const std::vector<TokenId> bos = read_ids(config, "bos_token_id", model.vocabulary);
  require(bos.size() <= 1, "{} must be one id, not {}", config.name_of("bos_token_id"), bos.size());
  if (!bos.empty()) model.bos = bos.front();
  model.eos = read_ids(config, "eos_token_id", model.vocabulary);
}

// What generation should stop at is said there last, since fine-tuning often adds an end of turn.
void read_generation_config(const std::filesystem::path& file, ModelConfig& model) {
  if (!is_there(file)) return;
  const Json json = read_json(file);
  const JsonObject config(json, file.string());
  const std::vector<TokenId> eos = read_ids(config, "eos_token_id", model.vocabulary);
  if (!eos.empty()) model.eos = eos;
}

}  // namespace

void expect_model_file(const std::filesystem::path& model_dir, std::string_view name) {
  require(is_there(model_dir / name),
          "no model in {}: {} is missing; a model folder holds config.json, model.safetensors and "
          "tokenizer.json",
          model_dir.string(), name);
}

ModelConfig load_config(const std::filesystem::path& model_dir) {
  expect_model_file(model_dir, "config.json");
  const std::filesystem::path file = model_dir / "config.json";
  const Json json = read_json(file);
  const JsonObject config(json, file.string());
  const Family& family = family_of(config);
  refuse_unsupported(config);
  ModelConfig model;
  read_sizes(config, family, model);
  read_heads(config, family, model);
  read_rope(config, model);
  read_family_traits(config, family, model);
  model.norm_epsilon = static_cast<float>(config.number_or("rms_norm_eps", 1e-6, 1e-30, 1.0));
  model.tied_embeddings = config.boolean_or("tie_word_embeddings", false);
  read_special_tokens(config, model);
  read_generation_config(model_dir / "generation_config.json", model);
  return model;
}

}  // namespace quire
