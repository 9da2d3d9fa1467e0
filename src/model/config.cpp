#include "src/model/config.h"

#include <algorithm>
#include <string_view>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

// Far beyond every published model, and small enough to be multiplied three at a time.
constexpr int kMaxLayers = 1 << 12;
constexpr int kMaxHeads = 1 << 12;
constexpr int kMaxHeadDim = 1 << 12;
constexpr int kMaxWidth = 1 << 20;
constexpr int kMaxVocabulary = 1 << 24;
constexpr int kMaxPositions = 1 << 28;

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

void check_family(const JsonObject& config) {
  constexpr std::string_view kOnly =
      "Quire reads the Llama family: \"llama\", \"LlamaForCausalLM\"";
  require(config.find("model_type") || config.find("architectures"),
          "{}: \"model_type\" is missing; {}", config.where(), kOnly);
  if (config.find("model_type") != nullptr) {
    require(config.text("model_type") == "llama", "{} {} is not supported; {}",
            config.name_of("model_type"), in_quotes(config.text("model_type")), kOnly);
  }
  if (config.find("architectures") != nullptr) {
    const Json& names = config.array("architectures");
    require(std::find(names.begin(), names.end(), "LlamaForCausalLM") != names.end(),
            "{} {} is not supported; {}", config.name_of("architectures"),
            names.empty() ? "[]" : shown(names.front()), kOnly);
  }
}

// A key that would change the result unless it is absent, null or has the harmless value.
void refuse_unless(const JsonObject& config, std::string_view key, const Json& harmless) {
  const Json* value = config.find(key);
  if (value == nullptr || *value == harmless) return;
  fail("{} is {}, which Quire does not support; it must be {} or absent", config.name_of(key),
       shown(*value), shown(harmless));
}

void refuse_unsupported(const JsonObject& config) {
  refuse_unless(config, "hidden_act", "silu");
  refuse_unless(config, "attention_bias", false);
  refuse_unless(config, "mlp_bias", false);
  refuse_unless(config, "pretraining_tp", 1);
  refuse_unless(config, "partial_rotary_factor", 1.0);
  refuse_unless(config, "quantization_config", nullptr);
  refuse_unless(config, "sliding_window", nullptr);
  refuse_unless(config, "is_encoder_decoder", false);
  refuse_unless(config, "add_cross_attention", false);
}

// Older files call the kind "type"; "default" is RoPE as it was published.
void check_rope_kind(const JsonObject& rope) {
  for (const std::string_view key : {"rope_type", "type"}) {
    if (rope.find(key) == nullptr) continue;
    require(rope.text(key) == "default", "{} {} is not supported; only \"default\" is",
            rope.name_of(key), in_quotes(rope.text(key)));
  }
  refuse_unless(rope, "partial_rotary_factor", 1.0);
}

// The base is a key of its own, or in newer files one of "rope_parameters".
double read_rope_theta(const JsonObject& config) {
  const auto theta = [](const JsonObject& object, double fallback) {
    return object.number_or("rope_theta", fallback, 1.0, 1e15);
  };
  if (config.find("rope_scaling") != nullptr) {
    const JsonObject scaling = config.object("rope_scaling");
    require(scaling.find("rope_type") || scaling.find("type"), "{} names no \"rope_type\"",
            scaling.where());
    check_rope_kind(scaling);
  }
  const double outer = theta(config, ModelConfig{}.rope_theta);
  if (config.find("rope_parameters") == nullptr) return outer;
  const JsonObject parameters = config.object("rope_parameters");
  check_rope_kind(parameters);
  const double inner = theta(parameters, outer);
  require(config.find("rope_theta") == nullptr || inner == outer,
          "{}: \"rope_theta\" is {}, but {} in \"rope_parameters\"", config.where(), outer, inner);
  return inner;
}

void read_heads(const JsonObject& config, ModelConfig& model) {
  model.heads = read_size(config, "num_attention_heads", kMaxHeads);
  model.kv_heads = read_size_or(config, "num_key_value_heads", model.heads, kMaxHeads);
  require(model.heads % model.kv_heads == 0,
          "{}: {} attention heads cannot share {} key-value heads evenly", config.where(),
          model.heads, model.kv_heads);
  require(config.find("head_dim") != nullptr || model.hidden % model.heads == 0,
          "{}: \"hidden_size\" {} is not a multiple of {} attention heads, and there is no "
          "\"head_dim\"",
          config.where(), model.hidden, model.heads);
  model.head_dim = config.find("head_dim") == nullptr ? model.hidden / model.heads
                                                      : read_size(config, "head_dim", kMaxHeadDim);
  require(model.head_dim % 2 == 0 && model.head_dim <= kMaxHeadDim,
          "{}: a head of {} elements cannot be rotated; it must be an even number up to {}",
          config.where(), model.head_dim, kMaxHeadDim);
}

void read_sizes(const JsonObject& config, ModelConfig& model) {
  model.layers = read_size(config, "num_hidden_layers", kMaxLayers);
  model.hidden = read_size(config, "hidden_size", kMaxWidth);
  model.ffn = read_size(config, "intermediate_size", kMaxWidth);
  model.vocabulary = read_size(config, "vocab_size", kMaxVocabulary);
  model.max_positions = read_size_or(config, "max_position_embeddings", 2048, kMaxPositions);
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
  check_family(config);
  refuse_unsupported(config);
  ModelConfig model;
  read_sizes(config, model);
  read_heads(config, model);
  model.rope_theta = read_rope_theta(config);
  model.norm_epsilon = static_cast<float>(config.number_or("rms_norm_eps", 1e-6, 1e-30, 1.0));
  model.tied_embeddings = config.boolean_or("tie_word_embeddings", false);
  read_special_tokens(config, model);
  read_generation_config(model_dir / "generation_config.json", model);
  return model;
}

}  // namespace quire
