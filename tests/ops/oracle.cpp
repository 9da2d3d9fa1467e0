#include "tests/ops/oracle.h"

#include <algorithm>
#include <cmath>

#include "src/core/error.h"
#include "tests/support/comparison_log.h"

namespace quire::test {
namespace {

// Correctly rounded exp is not promised by any vector library; two units in the last place are.
constexpr double kExpRoundings = 4;

double largest(std::span<const double> x) {
  double result = 0;
  for (const double value : x) result = std::max(result, std::fabs(value));
  return result;
}

double dot(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

double dot_of_magnitudes(std::span<const double> a, std::span<const double> b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::fabs(a[i] * b[i]);
  return sum;
}

}  // namespace

testing::AssertionResult within_slack(std::span<const float> yours, const Oracle& oracle,
                                      const Fact& fact) {
  require(yours.size() == oracle.values.size() && oracle.slack.size() == oracle.values.size(),
          "{} numbers cannot be compared with {}", yours.size(), oracle.values.size());
  Difference worst;
  double bound = 0;
  for (std::size_t first = 0; first < yours.size(); first += oracle.row_size) {
    const auto values = std::span<const double>(oracle.values).subspan(first, oracle.row_size);
    const double slack =
        largest(std::span<const double>(oracle.slack).subspan(first, oracle.row_size));
    const double bound_of_row = slack == 0 ? 0 : slack / largest(values);
    Difference difference = worst_difference(yours.subspan(first, oracle.row_size), values);
    difference.row = first / oracle.row_size;
    const bool is_worse = first == 0 || share_of_bound(difference.error, bound_of_row) >
                                            share_of_bound(worst.error, bound);
    if (is_worse) worst = difference;
    if (is_worse) bound = bound_of_row;
  }
  note_comparison(worst.error, bound);
  return within(worst, bound, fact);
}

double gamma(double roundings, double unit) {
  return roundings * unit / (1 - roundings * unit);
}

double unit_of(DType dtype) {
  if (dtype == DType::f32) return 0x1p-24;
  return dtype == DType::f16 ? 0x1p-11 : 0x1p-8;
}

double stored_as(DType dtype, double x) {
  if (dtype == DType::f32) return static_cast<float>(x);
  if (x == 0) return x;
  const int lowest_exponent = dtype == DType::f16 ? -14 : -126;
  const int fraction_bits = dtype == DType::f16 ? 10 : 7;
  const int exponent = std::max(std::ilogb(x), lowest_exponent) - fraction_bits;
  return std::ldexp(std::nearbyint(std::ldexp(x, -exponent)), exponent);
}

Oracle rms_norm_oracle(std::span<const double> x, std::span<const double> gain, double epsilon,
                       double unit) {
  const std::size_t n = gain.size();
  Oracle oracle{.values = {}, .slack = {}, .row_size = n};
  // n squares and their sum, the mean and epsilon, all under a root; then four more operations.
  const double error = gamma(static_cast<double>(n + 2) / 2 + 4, unit);
  for (std::size_t first = 0; first < x.size(); first += n) {
    const auto row = x.subspan(first, n);
    const double root = std::sqrt(dot(row, row) / static_cast<double>(n) + epsilon);
    for (std::size_t i = 0; i < n; ++i) {
      oracle.values.push_back(gain[i] * row[i] / root);
      oracle.slack.push_back(error * std::fabs(oracle.values.back()));
    }
  }
  return oracle;
}

Oracle linear_oracle(std::span<const double> x, std::span<const double> weight, std::size_t in,
                     double unit) {
  Oracle oracle{.values = {}, .slack = {}, .row_size = weight.size() / in};
  for (std::size_t row = 0; row < x.size(); row += in) {
    for (std::size_t out = 0; out < weight.size(); out += in) {
      const auto a = x.subspan(row, in), b = weight.subspan(out, in);
      oracle.values.push_back(dot(a, b));
      oracle.slack.push_back(gamma(static_cast<double>(in), unit) * dot_of_magnitudes(a, b));
    }
  }
  return oracle;
}

Oracle silu_mul_oracle(std::span<const double> gate, std::span<const double> up, double unit) {
  Oracle oracle{.values = {}, .slack = {}, .row_size = 1};
  for (std::size_t i = 0; i < gate.size(); ++i) {
    const double product = gate[i] * up[i];
    const double value = product / (1 + std::exp(-gate[i]));
    oracle.values.push_back(value);
    // The second term: e^88 is the end of F32, beyond it the result is as good as zero.
    oracle.slack.push_back(gamma(kExpRoundings + 3, unit) * std::fabs(value) +
                           0x1p-127 * std::fabs(product));
  }
  return oracle;
}

std::vector<double> rope_angles(std::span<const int> positions, int head_dim, double theta) {
  std::vector<double> angles;
  for (const int position : positions) {
    for (int i = 0; i < head_dim / 2; ++i) {
      angles.push_back(position * std::pow(theta, -2.0 * i / head_dim));
    }
  }
  return angles;
}

Oracle rope_oracle(std::span<const double> x, const RopeShape& shape,
                   std::span<const double> angles, double unit, Pairing pairing) {
  const std::size_t half = shape.head_dim / 2;
  Oracle oracle{.values = std::vector<double>(x.size()),
                .slack = std::vector<double>(x.size()),
                .row_size = shape.head_dim};
  // The cosine and the sine are rounded, the products, and the sum.
  const double error = gamma(3, unit);
  const auto turn = [&](std::size_t a, std::size_t b, double angle) {
    const double cosine = std::cos(angle), sine = std::sin(angle);
    oracle.values[a] = x[a] * cosine - x[b] * sine;
    oracle.values[b] = x[b] * cosine + x[a] * sine;
    oracle.slack[a] = error * (std::fabs(x[a] * cosine) + std::fabs(x[b] * sine));
    oracle.slack[b] = error * (std::fabs(x[b] * cosine) + std::fabs(x[a] * sine));
  };
  for (std::size_t head = 0; head < x.size() / shape.head_dim; ++head) {
    const std::size_t first = head * shape.head_dim, row = head / shape.heads;
    for (std::size_t i = 0; i < half; ++i) {
      const bool split = pairing == Pairing::half_split;
      const std::size_t a = first + (split ? i : 2 * i), b = split ? a + half : a + 1;
      turn(a, b, angles[row * half + i]);
    }
  }
  return oracle;
}

void attend_oracle(const AttendedHead& head, double unit, Oracle& oracle) {
  const std::size_t n = head.keys.size(), head_dim = head.query.size();
  std::vector<double> scores, errors;
  for (const auto key : head.keys) {
    scores.push_back(head.scale * dot(head.query, key));
    errors.push_back(gamma(static_cast<double>(head_dim + 1), unit) * head.scale *
                     dot_of_magnitudes(head.query, key));
  }
  const double top = *std::max_element(scores.begin(), scores.end());
  double total = 0, total_error = 0;
  for (std::size_t p = 0; p < n; ++p) {
    const double weight = std::exp(scores[p] - top);
    // An error of the score, the rounding of its distance to the top, and the exponential's.
    errors[p] += (top - scores[p] + kExpRoundings) * unit;
    total += weight;
    total_error += weight * errors[p];
    scores[p] = weight;
  }
  // Each weight is summed, divided by the sum, multiplied, and summed again.
  const double common = total_error / total + gamma(2 * static_cast<double>(n) + 2, unit);
  for (std::size_t i = 0; i < head_dim; ++i) {
    double value = 0, slack = 0;
    for (std::size_t p = 0; p < n; ++p) {
      const double term = scores[p] / total * head.values[p][i];
      value += term;
      slack += std::fabs(term) * std::expm1(errors[p] + common);
    }
    oracle.values.push_back(value);
    oracle.slack.push_back(slack);
  }
}

}  // namespace quire::test
