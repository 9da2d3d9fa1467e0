#include <cstdint>
#include <limits>

#include "src/core/error.h"

namespace quire::kernels {

unsigned grid_extent(std::int64_t blocks) {
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  require(blocks <= kMost, "a grid of {} blocks is too long, the longest has {}", blocks, kMost);
  return static_cast<unsigned>(blocks);
}

}  // namespace quire::kernels
