/// \file
/// \brief Chapter 05: whole numbers that refuse to overflow, since a wrong number of bytes is worse
/// than none.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace quire {

/// \brief The product of some counts.
/// \param factors  any numbers; without one the product is 1
/// \throws Error if it does not fit in 64 bits
std::uint64_t exact_product(std::initializer_list<std::uint64_t> factors);

/// \brief The sum of some counts.
/// \param terms  any numbers; without one the sum is 0
/// \throws Error if it does not fit in 64 bits
std::uint64_t exact_sum(std::initializer_list<std::uint64_t> terms);

/// \brief A count divided by another, rounded up: how many groups hold so many things.
/// \param count    any number
/// \param divisor  at least 1
constexpr std::uint64_t divided_up(std::uint64_t count, std::uint64_t divisor) {
  return count / divisor + (count % divisor == 0 ? 0 : 1);
}

}  // namespace quire
