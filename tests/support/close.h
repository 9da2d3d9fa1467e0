/// \file
/// \brief Comparing numbers with an oracle, and failures that a reader can act on.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "src/core/tensor.h"

namespace quire::test {

/// \brief What a check stands for, printed when it fails. Any assertion takes it:
/// `EXPECT_EQ(rows, 5) << Fact{.invariant = "...", .section = "04#slots"};`
struct Fact {
  std::string invariant = {};  ///< one sentence that must hold
  std::string section = {};    ///< where a page explains it: "02#rope" is a heading of chapter 02
};

/// \brief Prints the invariant and the section, a line each; nothing for an empty fact.
/// \param out   where to
/// \param fact  what to print
std::ostream& operator<<(std::ostream& out, const Fact& fact);

/// \brief Numbers to compare, in double precision, with the length of a row.
class Values {
 public:
  /// \brief The elements of a tensor in host memory; rows are those of its innermost dimension.
  /// \param tensor  F32, F16 or BF16
  Values(ConstTensor tensor);
  /// \copydoc Values(ConstTensor)
  Values(Tensor tensor) : Values(ConstTensor(tensor)) {}
  /// \brief Some numbers.
  /// \param numbers   rows one after the other
  /// \param row_size  elements a row; 0 means that all are one row
  Values(std::span<const float> numbers, std::size_t row_size = 0);
  /// \copydoc Values(std::span<const float>, std::size_t)
  Values(std::span<const double> numbers, std::size_t row_size = 0);
  /// \copydoc Values(std::span<const float>, std::size_t)
  Values(const std::vector<float>& numbers, std::size_t row_size = 0)
      : Values(std::span<const float>(numbers), row_size) {}
  /// \copydoc Values(std::span<const float>, std::size_t)
  Values(const std::vector<double>& numbers, std::size_t row_size = 0)
      : Values(std::span<const double>(numbers), row_size) {}

  /// \brief All numbers, row after row.
  const std::vector<double>& numbers() const& { return numbers_; }
  /// \copydoc numbers()
  std::vector<double> numbers() && { return std::move(numbers_); }
  /// \brief Elements a row.
  std::size_t row_size() const { return row_size_; }

 private:
  std::vector<double> numbers_;
  std::size_t row_size_ = 0;
};

/// \brief The element at which two tensors differ most, measured by its row.
struct Difference {
  double error = 0;         ///< |yours - expected| / largest |expected| of the row
  std::size_t row = 0;      ///< which row
  std::size_t element = 0;  ///< which element of the row
  double yours = 0;         ///< the number found
  double expected = 0;      ///< the number that would be right
};

/// \brief The largest of max|a-b| / max|b| over the rows, and where it is.
///
/// Infinite where only one of two numbers is NaN or infinite, or where a row of zeros is expected
/// and another number found.
/// \param yours the numbers in question
/// \param expected the oracle's, as many; its row size counts, unless it is one row and yours is
/// not
Difference worst_difference(const Values& yours, const Values& expected);

/// \brief The normalised error: worst_difference(yours, expected).error.
/// \param yours     the numbers in question
/// \param expected  the oracle's, as many
double normalised_error(const Values& yours, const Values& expected);

/// \brief Whether a difference is within a bound; if not, the failure shows it.
/// \param worst  what worst_difference found
/// \param bound  the largest error that is right
/// \param fact   what the check stands for
testing::AssertionResult within(const Difference& worst, double bound, const Fact& fact = {});

/// \brief Whether the normalised error is within a bound; what EXPECT_CLOSE calls. The comparison is
/// noted for the report of `./learn compare` (comparison_log.h).
/// \param yours     the numbers in question
/// \param expected  the oracle's
/// \param bound     the largest error that is right; 0 asks for equal numbers
/// \param fact      what the check stands for
testing::AssertionResult close(const Values& yours, const Values& expected, double bound,
                               const Fact& fact = {});

}  // namespace quire::test

/// \brief Expects `normalised_error(yours, expected) <= bound`; the failure shows the worst
/// element. A Fact may follow: `EXPECT_CLOSE(out, oracle, 1e-6, {.invariant = "...", .section =
/// "02#rope"});`
#define EXPECT_CLOSE(yours, expected, bound, ...)                                         \
  switch (0)                                                                              \
  case 0:                                                                                 \
  default:                                                                                \
    if (const testing::AssertionResult quire_close =                                      \
            ::quire::test::close((yours), (expected), (bound)__VA_OPT__(, ) __VA_ARGS__)) \
      ;                                                                                   \
    else                                                                                  \
      ADD_FAILURE() << #yours " is not close to " #expected "\n" << quire_close.message()
