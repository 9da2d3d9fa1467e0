#include "src/model/sampling_options.h"

#include <cmath>

#include "src/core/error.h"

namespace quire {
namespace {

constexpr double kGreedyBelow = 1e-5;

// NaN fails both comparisons.
void expect_range(const char* name, double value, double lowest, double highest) {
  require(lowest <= value && value <= highest, "{} is {}, expected {} to {}", name, value, lowest,
          highest);
}

void check(const LogitBias& bias, int vocabulary) {
  require(0 <= to_int(bias.token) && to_int(bias.token) < vocabulary,
          "logit_bias names token {}, the vocabulary has 0 to {}", to_int(bias.token),
          vocabulary - 1);
  expect_range("a logit_bias", bias.bias, -100, 100);
}

}  // namespace

bool is_greedy(const SamplingOptions& options) {
  return options.temperature < kGreedyBelow;
}

bool has_penalties(const SamplingOptions& options) {
  return options.repetition_penalty != 1 || options.presence_penalty != 0 ||
         options.frequency_penalty != 0;
}

void check(const SamplingOptions& options, int vocabulary) {
  require(std::isfinite(options.temperature) && options.temperature >= 0,
          "the temperature is {}, expected a finite number from 0 (greedy) up",
          options.temperature);
  require(options.top_k >= -1, "top_k is {}, expected a number of candidates, or 0 or -1 for all",
          options.top_k);
  expect_range("top_p", options.top_p, 0, 1);
  expect_range("min_p", options.min_p, 0, 1);
  expect_range("repetition_penalty", options.repetition_penalty, 0.01, 100);
  expect_range("presence_penalty", options.presence_penalty, -2, 2);
  expect_range("frequency_penalty", options.frequency_penalty, -2, 2);
  require(options.sample >= 0, "the sample's number is {}, expected 0 or more", options.sample);
  for (const LogitBias& bias : options.logit_bias) check(bias, vocabulary);
}

}  // namespace quire
