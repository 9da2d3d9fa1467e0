#include <cstdint>

#include "src/core/error.h"

namespace quire::kernels {

unsigned grid_extent(std::int64_t blocks, std::int64_t most) {
  require(blocks <= most, "a grid of {} blocks along one axis is too long, the longest has {}",
          blocks, most);
  return static_cast<unsigned>(blocks);
}

}  // namespace quire::kernels
