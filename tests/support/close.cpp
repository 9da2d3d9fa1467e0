#include "tests/support/close.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "src/core/error.h"
#include "tests/support/comparison_log.h"

namespace quire::test {
namespace {

template <class T>
void widen(ConstTensor tensor, std::vector<double>& numbers) {
  for (const T x : tensor.values<T>()) numbers.push_back(to_float(x));
}

double error_of(double yours, double expected, double largest) {
  if (yours == expected || (std::isnan(yours) && std::isnan(expected))) return 0;
  const double error = std::fabs(yours - expected) / largest;
  return std::isfinite(error) ? error : std::numeric_limits<double>::infinity();
}

double largest_magnitude(std::span<const double> row) {
  double largest = 0;
  for (const double x : row) largest = std::max(largest, std::fabs(x));
  return largest;
}

std::size_t common_row_size(const Values& yours, const Values& expected) {
  const bool one_row = expected.row_size() == expected.numbers().size();
  return one_row ? yours.row_size() : expected.row_size();
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Fact& fact) {
  if (!fact.invariant.empty()) out << "\n  invariant  " << fact.invariant;
  if (!fact.section.empty()) out << "\n  section    " << fact.section;
  return out;
}

Values::Values(ConstTensor tensor) {
  const int rank = tensor.shape().rank();
  row_size_ = rank == 0 ? 1 : static_cast<std::size_t>(tensor.extent(rank - 1));
  switch (tensor.dtype()) {
    case DType::f32:
      widen<float>(tensor, numbers_);
      break;
    case DType::f16:
      widen<Float16>(tensor, numbers_);
      break;
    case DType::bf16:
      widen<BFloat16>(tensor, numbers_);
      break;
    default:
      fail("{} tensors are compared with EXPECT_EQ, not with a bound", name_of(tensor.dtype()));
  }
}

Values::Values(std::span<const float> numbers, std::size_t row_size)
    : numbers_(numbers.begin(), numbers.end()),
      row_size_(row_size == 0 ? numbers.size() : row_size) {}

Values::Values(std::span<const double> numbers, std::size_t row_size)
    : numbers_(numbers.begin(), numbers.end()),
      row_size_(row_size == 0 ? numbers.size() : row_size) {}

Difference worst_difference(const Values& yours, const Values& expected) {
  const std::span<const double> a = yours.numbers(), b = expected.numbers();
  require(a.size() == b.size(), "{} numbers cannot be compared with {}", a.size(), b.size());
  const std::size_t row_size = common_row_size(yours, expected);
  Difference worst{.error = -1};
  for (std::size_t i = 0; i < b.size(); i += row_size) {
    const std::size_t count = std::min(row_size, b.size() - i);
    const double largest = largest_magnitude(b.subspan(i, count));
    for (std::size_t j = 0; j < count; ++j) {
      const double error = error_of(a[i + j], b[i + j], largest);
      if (error > worst.error) worst = {error, i / row_size, j, a[i + j], b[i + j]};
    }
  }
  worst.error = std::max(worst.error, 0.0);
  return worst;
}

double normalised_error(const Values& yours, const Values& expected) {
  return worst_difference(yours, expected).error;
}

testing::AssertionResult within(const Difference& worst, double bound, const Fact& fact) {
  if (worst.error <= bound) return testing::AssertionSuccess();
  return testing::AssertionFailure()
         << fmt::format(
                "  yours      {:.9g}\n  expected   {:.9g}\n  at         row {}, element {}\n"
                "  error      {:.3g} of the row's largest magnitude; the bound is {:.3g}",
                worst.yours, worst.expected, worst.row, worst.element, worst.error, bound)
         << fact;
}

testing::AssertionResult close(const Values& yours, const Values& expected, double bound,
                               const Fact& fact) {
  if (yours.numbers().size() != expected.numbers().size()) {
    note_comparison(std::numeric_limits<double>::infinity(), bound);
    return testing::AssertionFailure()
           << fmt::format("  yours      {} numbers\n  expected   {} numbers",
                          yours.numbers().size(), expected.numbers().size())
           << fact;
  }
  const Difference worst = worst_difference(yours, expected);
  note_comparison(worst.error, bound);
  return within(worst, bound, fact);
}

}  // namespace quire::test
