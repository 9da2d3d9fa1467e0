/// \file
/// \brief Block tables, written as the numbers that they hold.
#pragma once

#include <initializer_list>
#include <vector>

#include "src/core/ids.h"

namespace quire::test {

/// \brief Numbers as blocks.
/// \param numbers  in position order
inline std::vector<BlockId> block_ids(std::initializer_list<int> numbers) {
  std::vector<BlockId> blocks;
  for (const int number : numbers) blocks.push_back(BlockId{number});
  return blocks;
}

}  // namespace quire::test
