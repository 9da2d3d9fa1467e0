#include "src/model/config_rope.h"

#include <string>

#include "src/core/error.h"
#include "src/model/config_checks.h"

namespace quire {
namespace {

constexpr double kMaxFactor = 1e6;

// Older files call the kind "type", newer ones "rope_type", and some have both.
std::string kind_of(const JsonObject& rope) {
  const bool has_old = rope.find("type") != nullptr, has_new = rope.find("rope_type") != nullptr;
  if (!has_old && !has_new) return "default";
  const std::string& old_kind = rope.text(has_old ? "type" : "rope_type");
  const std::string& new_kind = rope.text(has_new ? "rope_type" : "type");
  require(old_kind == new_kind, "{}: \"type\" is {}, but \"rope_type\" is {}", rope.where(),
          in_quotes(old_kind), in_quotes(new_kind));
  return new_kind;
}

RopeScaling read_llama3(const JsonObject& rope) {
  RopeScaling scaling{.kind = RopeKind::llama3};
  scaling.factor = rope.number("factor", 1, kMaxFactor);
  scaling.low_frequency_factor = rope.number("low_freq_factor", 1e-6, kMaxFactor);
  scaling.high_frequency_factor = rope.number("high_freq_factor", 1e-6, kMaxFactor);
  require(scaling.high_frequency_factor > scaling.low_frequency_factor,
          "{} is {}; it must be above \"low_freq_factor\", {}", rope.name_of("high_freq_factor"),
          scaling.high_frequency_factor, scaling.low_frequency_factor);
  scaling.original_max_positions =
      static_cast<int>(rope.integer("original_max_position_embeddings", 1, kMaxPositions));
  return scaling;
}

RopeScaling read_scaling(const JsonObject& rope) {
  refuse_unless(rope, "partial_rotary_factor", 1.0);
  const std::string kind = kind_of(rope);
  if (kind == "default") return {};
  if (kind == "llama3") return read_llama3(rope);
  require(kind == "linear", "{} {} is not supported; \"default\", \"linear\" and \"llama3\" are",
          rope.name_of(rope.find("rope_type") == nullptr ? "type" : "rope_type"), in_quotes(kind));
  RopeScaling scaling{.kind = RopeKind::linear};
  scaling.factor = rope.number("factor", 1, kMaxFactor);
  return scaling;
}

double read_theta(const JsonObject& rope, double fallback) {
  return rope.number_or("rope_theta", fallback, 1.0, 1e15);
}

void read_rope_scaling(const JsonObject& config, ModelConfig& model) {
  const JsonObject scaling = config.object("rope_scaling");
  require(scaling.find("rope_type") || scaling.find("type"), "{} names no \"rope_type\"",
          scaling.where());
  model.rope_scaling = read_scaling(scaling);
}

void read_rope_parameters(const JsonObject& config, ModelConfig& model) {
  const JsonObject parameters = config.object("rope_parameters");
  for (const auto& [key, value] : config.at("rope_parameters").items()) {
    require(!value.is_object(),
            "{} is an object; a rotation of its own for each kind of layer is "
            "not supported",
            parameters.name_of(key));
  }
  const double theta = read_theta(parameters, model.rope_theta);
  require(config.find("rope_theta") == nullptr || theta == model.rope_theta,
          "{}: \"rope_theta\" is {}, but {} in \"rope_parameters\"", config.where(),
          model.rope_theta, theta);
  const RopeScaling scaling = read_scaling(parameters);
  require(config.find("rope_scaling") == nullptr || scaling == model.rope_scaling,
          "{}: \"rope_scaling\" and \"rope_parameters\" say different things", config.where());
  model.rope_theta = theta;
  model.rope_scaling = scaling;
}

}  // namespace

void read_rope(const JsonObject& config, ModelConfig& model) {
  model.rope_theta = read_theta(config, ModelConfig{}.rope_theta);
  if (config.find("rope_scaling") != nullptr) read_rope_scaling(config, model);
  if (config.find("rope_parameters") != nullptr) read_rope_parameters(config, model);
  // A place of its own outside these objects, which other programs prefer to the one inside.
  if (model.rope_scaling.kind == RopeKind::llama3) {
    refuse_unless(config, "original_max_position_embeddings",
                  model.rope_scaling.original_max_positions);
  }
}

}  // namespace quire
