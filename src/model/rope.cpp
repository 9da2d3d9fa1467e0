#include "src/model/rope.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace quire {
namespace {

// [llama3]
// How far a frequency is from slow (0) to fast (1): by the turns that it made in the context of the
// first training. One that never made a whole turn there must not turn further in a longer context;
// one that made many tells neighbours apart and is better left as it was.
double speed_of(double frequency, const RopeScaling& scaling) {
  const double turns = scaling.original_max_positions * frequency / (2 * std::numbers::pi);
  const double low = scaling.low_frequency_factor, high = scaling.high_frequency_factor;
  return std::clamp((turns - low) / (high - low), 0.0, 1.0);
}

double scaled(double frequency, const RopeScaling& scaling) {
  const double stretched = frequency / scaling.factor;
  if (scaling.kind == RopeKind::plain) return frequency;
  if (scaling.kind == RopeKind::linear) return stretched;
  const double speed = speed_of(frequency, scaling);
  return speed * frequency + (1 - speed) * stretched;
}
// [llama3]

}  // namespace

std::vector<float> rope_frequencies(const ModelConfig& config) {
  std::vector<float> frequencies(static_cast<std::size_t>(config.head_dim / 2));
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const double exponent = 2.0 * static_cast<double>(i) / config.head_dim;
    const double published = std::pow(config.rope_theta, -exponent);
    frequencies[i] = static_cast<float>(scaled(published, config.rope_scaling));
  }
  return frequencies;
}

}  // namespace quire
