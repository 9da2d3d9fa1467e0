#include "src/model/config_family.h"

#include <algorithm>
#include <array>
#include <string>

#include "src/core/error.h"
#include "src/model/config_checks.h"

namespace quire {
namespace {

// What the files of Mistral, Qwen2 and Qwen3 mean if they do not say.
constexpr int kUsualWindow = 4096, kUsualMaxWindowLayers = 28;

// [families]
constexpr std::array kFamilies = {
    Family{.model_type = "llama",
           .architecture = "LlamaForCausalLM",
           .max_positions = 2048,
           .kv_heads = 0,
           .head_dim = 0,
           .biases = Biases::if_asked,
           .windows = Windows::never,
           .qk_norm = false},
    Family{.model_type = "mistral",
           .architecture = "MistralForCausalLM",
           .max_positions = 131072,
           .kv_heads = 8,
           .head_dim = 0,
           .biases = Biases::none,
           .windows = Windows::always,
           .qk_norm = false},
    Family{.model_type = "qwen2",
           .architecture = "Qwen2ForCausalLM",
           .max_positions = 32768,
           .kv_heads = 32,
           .head_dim = 0,
           .biases = Biases::qkv,
           .windows = Windows::if_asked,
           .qk_norm = false},
    Family{.model_type = "qwen3",
           .architecture = "Qwen3ForCausalLM",
           .max_positions = 32768,
           .kv_heads = 32,
           .head_dim = 128,
           .biases = Biases::if_asked,
           .windows = Windows::if_asked,
           .qk_norm = true},
};
// [families]

std::string known_families() {
  std::string names;
  for (const Family& family : kFamilies) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", in_quotes(family.model_type),
                         family.architecture);
  }
  return "Quire reads " + names;
}

template <class Matches>
const Family* find_family(Matches matches) {
  const auto found = std::find_if(kFamilies.begin(), kFamilies.end(), matches);
  return found == kFamilies.end() ? nullptr : &*found;
}

const Family* family_of_type(const JsonObject& config) {
  if (config.find("model_type") == nullptr) return nullptr;
  const std::string& type = config.text("model_type");
  const Family* family = find_family([&](const Family& f) { return f.model_type == type; });
  require(family != nullptr, "{} {} is not supported; {}", config.name_of("model_type"),
          in_quotes(type), known_families());
  return family;
}

const Family* family_of_architecture(const JsonObject& config) {
  if (config.find("architectures") == nullptr) return nullptr;
  const Json& names = config.array("architectures");
  require(names.size() == 1, "{} must name one architecture, not {}",
          config.name_of("architectures"), names.size());
  const Family* family =
      find_family([&](const Family& f) { return names.front() == f.architecture; });
  require(family != nullptr, "{} {} is not supported; {}", config.name_of("architectures"),
          shown(names.front()), known_families());
  return family;
}

void read_biases(const JsonObject& config, const Family& family, ModelConfig& model) {
  if (family.biases == Biases::if_asked) {
    model.qkv_bias = model.o_bias = config.boolean_or("attention_bias", false);
  } else {
    model.qkv_bias = family.biases == Biases::qkv;
    refuse_unless(config, "attention_bias", model.qkv_bias);
  }
}

// The first layer with a window: those before see everything, which all or none must do here.
bool has_windowed_layers(const JsonObject& config, int layers) {
  const int first = config.find("max_window_layers") == nullptr
                        ? kUsualMaxWindowLayers
                        : static_cast<int>(config.integer("max_window_layers", 0, kMaxLayers));
  require(first == 0 || first >= layers,
          "{} is {}: a window in layers {} to {} only is not supported; it must be 0, or {} for no "
          "window at all",
          config.name_of("max_window_layers"), first, first, layers - 1, layers);
  return first == 0;
}

int read_window(const JsonObject& config, const Family& family, int layers) {
  if (family.windows == Windows::never) {
    refuse_unless(config, "sliding_window", nullptr);
    refuse_unless(config, "use_sliding_window", false);
    return 0;
  }
  if (family.windows == Windows::always) {
    refuse_unless(config, "use_sliding_window", true);
  } else if (!config.boolean_or("use_sliding_window", false)) {
    return 0;
  }
  // Here null is not the same as nothing: it says that there is no window.
  if (config.is_null("sliding_window")) return 0;
  const int window = config.find("sliding_window") == nullptr
                         ? kUsualWindow
                         : static_cast<int>(config.integer("sliding_window", 1, kMaxPositions));
  const bool sees_all = family.windows == Windows::if_asked && !has_windowed_layers(config, layers);
  return sees_all ? 0 : window;
}

// Newer files say of each layer what the other keys say of all.
void check_layer_types(const JsonObject& config, const ModelConfig& model) {
  if (config.find("layer_types") == nullptr) return;
  const Json& types = config.array("layer_types");
  const std::string_view expected = model.window > 0 ? "sliding_attention" : "full_attention";
  require(types.size() == static_cast<std::size_t>(model.layers), "{} has {} entries for {} layers",
          config.name_of("layer_types"), types.size(), model.layers);
  for (const Json& type : types) {
    require(type == expected,
            "{} has {}, where the other keys say {}; all layers must be of the same kind",
            config.name_of("layer_types"), shown(type), in_quotes(expected));
  }
}

}  // namespace

const Family& family_of(const JsonObject& config) {
  const Family* by_type = family_of_type(config);
  const Family* by_architecture = family_of_architecture(config);
  require(by_type != nullptr || by_architecture != nullptr, "{}: \"model_type\" is missing; {}",
          config.where(), known_families());
  require(by_type == nullptr || by_architecture == nullptr || by_type == by_architecture,
          "{}: \"model_type\" {} and \"architectures\" {} do not belong together; {}",
          config.where(), in_quotes(by_type != nullptr ? by_type->model_type : ""),
          in_quotes(by_architecture != nullptr ? by_architecture->architecture : ""),
          known_families());
  return by_type != nullptr ? *by_type : *by_architecture;
}

void read_family_traits(const JsonObject& config, const Family& family, ModelConfig& model) {
  read_biases(config, family, model);
  model.qk_norm = family.qk_norm;
  model.window = read_window(config, family, model.layers);
  check_layer_types(config, model);
}

void refuse_unsupported(const JsonObject& config) {
  refuse_unless(config, "hidden_act", "silu");
  refuse_unless(config, "mlp_bias", false);
  refuse_unless(config, "pretraining_tp", 1);
  refuse_unless(config, "partial_rotary_factor", 1.0);
  refuse_unless(config, "rope_interleaved", false);
  refuse_unless(config, "use_mrope", false);
  refuse_unless(config, "quantization_config", nullptr);
  refuse_unless(config, "compression_config", nullptr);
  refuse_unless(config, "is_encoder_decoder", false);
  refuse_unless(config, "add_cross_attention", false);
  refuse_unless(config, "num_experts", nullptr);
  refuse_unless(config, "num_local_experts", nullptr);
  for (const char* cap : {"attn_logit_softcapping", "final_logit_softcapping"}) {
    refuse_unless(config, cap, nullptr);
  }
  for (const char* scale :
       {"embedding_multiplier", "residual_multiplier", "logits_scaling", "logit_scale"}) {
    refuse_unless(config, scale, 1.0);
  }
  refuse_unless(config, "attention_multiplier", nullptr);
}

}  // namespace quire
