/// \file
/// \brief The operators again, as plain loops in double precision over dense arrays, each with how
/// far an implementation may be off.
///
/// The slack of an element is an a-priori bound of the rounding errors that the operator's
/// arithmetic can make, in any order of summation (Higham, "Accuracy and Stability of Numerical
/// Algorithms", chapter 3): n operations in a row are off by gamma(n) = n u / (1 - n u), where u is
/// the unit roundoff. Nothing is tuned.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <vector>

#include "src/core/dtype.h"
#include "tests/support/close.h"

namespace quire::test {

/// \brief What an operator should give.
struct Oracle {
  std::vector<double> values;  ///< the right numbers
  std::vector<double> slack;   ///< how far each may be off
  std::size_t row_size = 1;    ///< elements a row
};

/// \brief Whether each row's normalised error is within the largest slack of the row.
/// \param yours   the numbers in question
/// \param oracle  what they should be
/// \param fact    what the check stands for
testing::AssertionResult within_slack(std::span<const float> yours, const Oracle& oracle,
                                      const Fact& fact = {});

/// \brief The relative error that some roundings in a row can make.
/// \param roundings  how many
/// \param unit       the unit roundoff
double gamma(double roundings, double unit);

/// \brief The number that a storage format holds for another one: the nearest, ties to even.
/// \param dtype  F32, F16 or BF16
/// \param x      a finite number
double stored_as(DType dtype, double x);

/// \brief Half the distance from 1 to the next number of a storage format.
/// \param dtype  F32, F16 or BF16
double unit_of(DType dtype);

/// \brief gain * x / sqrt(mean(x^2) + epsilon), row by row.
/// \param x        [rows, n]
/// \param gain     [n]
/// \param epsilon  added to the mean square
/// \param unit     the unit roundoff
Oracle rms_norm_oracle(std::span<const double> x, std::span<const double> gain, double epsilon,
                       double unit);

/// \brief x times a transposed weight.
/// \param x       [rows, in]
/// \param weight  [out, in]
/// \param in      inputs
/// \param unit    the unit roundoff
Oracle linear_oracle(std::span<const double> x, std::span<const double> weight, std::size_t in,
                     double unit);

/// \brief silu(gate) * up.
/// \param gate  any numbers
/// \param up    as many
/// \param unit  the unit roundoff
Oracle silu_mul_oracle(std::span<const double> gate, std::span<const double> up, double unit);

/// \brief Which elements of a head RoPE turns together.
enum class Pairing {
  half_split,   ///< i and i + head_dim / 2: Hugging Face checkpoints
  interleaved,  ///< 2 i and 2 i + 1: the paper, and the original LLaMA checkpoints
};

/// \brief The angles of rotary positions: position * theta^(-2 i / head_dim).
/// \param positions  one a row
/// \param head_dim   elements a head
/// \param theta      the base
/// \return [rows, head_dim / 2]
std::vector<double> rope_angles(std::span<const int> positions, int head_dim, double theta = 10000);

/// \brief How the elements of a row are split into heads.
struct RopeShape {
  std::size_t heads = 1;     ///< heads a row
  std::size_t head_dim = 2;  ///< elements a head, even
};

/// \brief Every pair (a, b) of every head turned by its angle: (a cos - b sin, b cos + a sin).
/// \param x        [rows, heads, head_dim]
/// \param shape    heads and head_dim
/// \param angles   [rows, head_dim / 2]
/// \param unit     the unit roundoff
/// \param pairing  which elements form a pair
Oracle rope_oracle(std::span<const double> x, const RopeShape& shape,
                   std::span<const double> angles, double unit,
                   Pairing pairing = Pairing::half_split);

/// \brief One query head over the keys that it may see.
struct AttendedHead {
  std::span<const double> query;                ///< [head_dim]
  std::vector<std::span<const double>> keys;    ///< visible ones, [head_dim] each
  std::vector<std::span<const double>> values;  ///< visible ones, [head_dim] each
  double scale = 1;                             ///< of the scores
};

/// \brief Softmax attention of one head, appended to an oracle.
/// \param head    what it sees
/// \param unit    the unit roundoff
/// \param oracle  gets head_dim more values
void attend_oracle(const AttendedHead& head, double unit, Oracle& oracle);

}  // namespace quire::test
