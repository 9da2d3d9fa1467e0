/// \file
/// \brief Chapter 06: made-up numbers, and how far two right answers may be apart.
#pragma once

#include <cmath>
#include <numeric>
#include <vector>

#include "src/core/dtype.h"
#include "src/core/random.h"
#include "src/core/tensor.h"
#include "src/ops/ops.h"

namespace quire {

using Floats = std::vector<float>;     ///< numbers in host memory
using Halves = std::vector<BFloat16>;  ///< numbers as a checkpoint keeps them

/// \brief Rounding to the nearest float is wrong by this part of a number at most.
inline constexpr float kUnit = 0x1p-24f;

/// \brief Normally distributed numbers.
/// \param count   how many
/// \param random  where they come from
inline Floats floats(Index count, Random& random) {
  Floats result(static_cast<std::size_t>(count));
  for (float& x : result) x = static_cast<float>(random.normal());
  return result;
}

/// \brief Normally distributed numbers in BF16.
/// \param count   how many
/// \param random  where they come from
inline Halves halves(Index count, Random& random) {
  Halves result;
  for (const float x : floats(count, random)) result.push_back(to_bfloat16(x));
  return result;
}

/// \brief Whole numbers from 0 on, in random order.
/// \tparam T      their type
/// \param count   how many
/// \param random  where the order comes from
template <class T>
std::vector<T> shuffled(Index count, Random& random) {
  std::vector<T> result(static_cast<std::size_t>(count));
  std::iota(result.begin(), result.end(), T{0});
  for (std::size_t i = result.size(); i > 1; --i) std::swap(result[i - 1], result[random.below(i)]);
  return result;
}

/// \brief The sizes of numbers.
/// \param numbers  any
inline Floats sizes_of(Floats numbers) {
  for (float& x : numbers) x = std::fabs(x);
  return numbers;
}
/// \copydoc sizes_of(Floats)
inline Halves sizes_of(Halves numbers) {
  for (BFloat16& x : numbers) x.bits &= 0x7fff;
  return numbers;
}

/// \brief The slack of numbers that were each rounded some times, in either answer.
/// \param sizes      the sizes of what was rounded
/// \param roundings  how often, at the most
inline Floats slack_of(const Floats& sizes, double roundings) {
  Floats result = sizes_of(sizes);
  for (float& x : result) x *= static_cast<float>(2 * roundings) * kUnit;
  return result;
}

/// \brief The slack of numbers that must be equal.
/// \param numbers  as many
inline Floats no_slack(const Floats& numbers) {
  return Floats(numbers.size(), 0.0f);
}

/// \brief Appends numbers.
/// \param to    what grows
/// \param more  what is appended
inline void append(Floats& to, const Floats& more) {
  to.insert(to.end(), more.begin(), more.end());
}

/// \brief Stored numbers, widened.
/// \param stored  any
inline Floats widened(const Halves& stored) {
  Floats result;
  for (const BFloat16 x : stored) result.push_back(to_float(x));
  return result;
}

/// \brief An array as a tensor.
/// \tparam T     float, BFloat16 or an integer
/// \param array  must outlive the tensor
/// \param shape  of as many elements
template <class T>
Tensor tensor(std::vector<T>& array, Shape shape) {
  return {reinterpret_cast<std::byte*>(array.data()), dtype_of<T>, shape};
}
/// \copydoc tensor(std::vector<T>&, Shape)
template <class T>
ConstTensor tensor(const std::vector<T>& array, Shape shape) {
  return {reinterpret_cast<const std::byte*>(array.data()), dtype_of<T>, shape};
}

/// \brief An array as a weight.
/// \param array  must outlive the weight
/// \param shape  of as many elements
inline Weight weight(const Halves& array, Shape shape) {
  return {tensor(array, shape), nullptr};
}

}  // namespace quire
