#include "src/report/ruler.h"

#include <algorithm>
#include <cmath>

#include "src/core/error.h"

namespace quire {
namespace {

/// Step i of a ladder that climbs by 1-2-5 (three steps a decade).
double one_two_five(int i) {
  const int decade = static_cast<int>(std::floor(i / 3.0));
  constexpr double digits[] = {1, 2, 5};
  // Dividing by a power of ten rounds once; multiplying by a negative power would round twice.
  const double digit = digits[i - 3 * decade];
  return decade < 0 ? digit / std::pow(10.0, -decade) : digit * std::pow(10.0, decade);
}

/// The lowest step of the 1-2-5 ladder that reaches `value` (above 0).
int step_up_to(double value) {
  int i = 3 * static_cast<int>(std::floor(std::log10(value))) - 1;
  while (one_two_five(i) < value * (1 - 1e-9)) ++i;
  return i;
}

std::vector<double> linear_ticks(double low, double high, int wanted) {
  if (low == high) high = 1;
  const double step = one_two_five(step_up_to((high - low) / wanted));
  const auto first = static_cast<long>(std::floor(low / step + 1e-9));
  const auto last = static_cast<long>(std::ceil(high / step - 1e-9));
  std::vector<double> ticks;
  for (long i = first; i <= last; ++i) ticks.push_back(static_cast<double>(i) * step);
  return ticks;
}

/// Every `stride`-th step of a ladder, wide enough to hold first .. last.
template <class Ladder>
std::vector<double> ladder_ticks(int first, int last, int stride, Ladder value_at) {
  std::vector<double> ticks;
  int i = static_cast<int>(std::floor(first / static_cast<double>(stride))) * stride;
  for (; i < last || ticks.empty(); i += stride) ticks.push_back(value_at(i));
  ticks.push_back(value_at(i));
  return ticks;
}

std::vector<double> log10_ticks(double low, double high, int wanted) {
  int first = step_up_to(low);
  if (one_two_five(first) > low * (1 + 1e-9)) --first;
  const int last = std::max(step_up_to(high), first + 1);
  int stride = 1;
  while (last - first > stride * (wanted + 2)) stride = stride == 1 ? 3 : stride + 3;
  return ladder_ticks(first, last, stride, one_two_five);
}

std::vector<double> log2_ticks(double low, double high, int wanted) {
  const int first = static_cast<int>(std::floor(std::log2(low) + 1e-9));
  const int last = std::max(static_cast<int>(std::ceil(std::log2(high) - 1e-9)), first + 1);
  int stride = 1;
  while (last - first > stride * (wanted + 2)) ++stride;
  return ladder_ticks(first, last, stride, [](int i) { return std::ldexp(1.0, i); });
}

std::vector<double> make_ticks(Scale scale, double low, double high, int wanted) {
  if (scale == Scale::linear) return linear_ticks(low, high, wanted);
  return scale == Scale::log10 ? log10_ticks(low, high, wanted) : log2_ticks(low, high, wanted);
}

void check(Scale scale, std::span<const double> values) {
  for (double v : values) {
    require(std::isfinite(v), "chart: {} cannot be drawn, values must be finite", v);
    require(scale == Scale::linear || v > 0,
            "chart: {} on a logarithmic axis, values must be above 0", v);
  }
}

}  // namespace

double Ruler::fraction(double value) const {
  const auto place = [&](double v) { return scale == Scale::linear ? v : std::log(v); };
  return (place(value) - place(low)) / (place(high) - place(low));
}

Ruler make_ruler(Scale scale, std::span<const double> values, int wanted, Ends ends) {
  check(scale, values);
  const bool linear = scale == Scale::linear;
  double low = linear ? 0 : 1, high = low;
  if (!values.empty()) {
    const auto [least, greatest] = std::minmax_element(values.begin(), values.end());
    low = linear ? std::min(*least, 0.0) : *least;
    high = linear ? std::max(*greatest, 0.0) : *greatest;
  }
  Ruler ruler{scale, low, high, make_ticks(scale, low, high, wanted)};
  if (ends == Ends::at_values && low < high) {
    const auto outside = [&](double tick) { return tick < low || tick > high; };
    std::erase_if(ruler.ticks, outside);
    return ruler;
  }
  ruler.low = ruler.ticks.front();
  ruler.high = ruler.ticks.back();
  return ruler;
}

}  // namespace quire
