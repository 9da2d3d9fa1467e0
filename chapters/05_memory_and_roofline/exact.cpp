#include "chapters/05_memory_and_roofline/exact.h"

#include <algorithm>
#include <limits>

#include "src/core/error.h"

namespace quire {
namespace {

constexpr std::uint64_t kMost = std::numeric_limits<std::uint64_t>::max();

}  // namespace

std::uint64_t exact_product(std::initializer_list<std::uint64_t> factors) {
  if (std::find(factors.begin(), factors.end(), 0u) != factors.end()) return 0;
  std::uint64_t product = 1;
  for (const std::uint64_t factor : factors) {
    require(product <= kMost / factor,
            "{} times {} does not fit in 64 bits; ask for a shorter length or fewer sequences",
            product, factor);
    product *= factor;
  }
  return product;
}

std::uint64_t exact_sum(std::initializer_list<std::uint64_t> terms) {
  std::uint64_t sum = 0;
  for (const std::uint64_t term : terms) {
    require(term <= kMost - sum,
            "{} plus {} does not fit in 64 bits; ask for a shorter length or fewer sequences", sum,
            term);
    sum += term;
  }
  return sum;
}

}  // namespace quire
