/// \file
/// \brief Copy-on-write of stored keys or values, on a device.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief Block pairs[i, 1] becomes a copy of block pairs[i, 0], one pair after the other: a later pair
/// sees what an earlier one wrote.
/// \param storage      blocks one after the other
/// \param pairs        [count, 2], blocks inside the storage, the two of a pair not the same
/// \param count        0 or more
/// \param block_bytes  a multiple of 2
/// \param stream       where the work is enqueued
void copy_blocks(void* storage, const std::int32_t* pairs, std::int64_t count,
                 std::int64_t block_bytes, simt::Stream stream);

}  // namespace quire::kernels
