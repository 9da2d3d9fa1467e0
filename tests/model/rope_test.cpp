#include "src/model/rope.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "src/core/json.h"
#include "tests/support/close.h"

namespace quire {
namespace {

ModelConfig with(int head_dim, double theta, const RopeScaling& scaling) {
  ModelConfig config;
  config.head_dim = head_dim;
  config.rope_theta = theta;
  config.rope_scaling = scaling;
  return config;
}

RopeScaling llama3(double factor) {
  return {.kind = RopeKind::llama3, .factor = factor};
}

TEST(RopeFrequencies, FallFromOneByEqualRatios) {
  const std::vector<float> frequencies = rope_frequencies(with(8, 10000, {}));
  EXPECT_CLOSE(frequencies, (std::vector<double>{1, 0.1, 0.01, 0.001}), 1e-7);
}

TEST(RopeFrequencies, LinearScalingDividesEachOfThem) {
  const RopeScaling scaling{.kind = RopeKind::linear, .factor = 4};
  const std::vector<float> plain = rope_frequencies(with(64, 10000, {}));
  const std::vector<float> scaled = rope_frequencies(with(64, 10000, scaling));
  for (std::size_t i = 0; i < plain.size(); ++i) EXPECT_EQ(scaled[i] * 4, plain[i]) << i;
}

TEST(RopeFrequencies, OfPublishedModelsAreThoseOfTransformers) {
  const auto file = std::filesystem::path(QUIRE_SOURCE_DIR) / "tests/golden/rope.json";
  for (const Json& rope : read_json(file)) {
    const Json& c = rope.at("config");
    const ModelConfig config = with(c.at("head_dim"), c.at("rope_theta"), llama3(c.at("factor")));
    const std::vector<double> expected = rope.at("frequencies");
    const std::vector<float> yours = rope_frequencies(config);
    ASSERT_EQ(yours.size(), expected.size());
    for (std::size_t i = 0; i < yours.size(); ++i) {
      // transformers computes them in F32.
      EXPECT_NEAR(yours[i] / expected[i], 1, 1e-5) << rope.at("name") << ", pair " << i;
    }
  }
}

TEST(RopeFrequencies, OfLlama3AreKeptIfFastAndDividedIfSlow) {
  const std::vector<float> plain = rope_frequencies(with(128, 500000, {}));
  const std::vector<float> scaled = rope_frequencies(with(128, 500000, llama3(8)));
  for (std::size_t i = 0; i < plain.size(); ++i) {
    const double turns = 8192 * static_cast<double>(plain[i]) / (2 * std::numbers::pi);
    if (turns >= 4) {
      EXPECT_EQ(scaled[i], plain[i]) << i;
    } else if (turns <= 1) {
      EXPECT_EQ(scaled[i], plain[i] / 8) << i;
    } else {
      EXPECT_LT(scaled[i], plain[i]) << i;
      EXPECT_GT(scaled[i], plain[i] / 8) << i;
    }
  }
  EXPECT_EQ(scaled.front(), plain.front());
  EXPECT_EQ(scaled.back(), plain.back() / 8);
}

}  // namespace
}  // namespace quire
