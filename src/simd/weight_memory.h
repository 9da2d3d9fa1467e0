/// \file
/// \brief Memory for weights that are read from end to end, again and again.
#pragma once

#include <cstddef>
#include <memory>

#include "src/core/tensor.h"

namespace quire::simd {

/// \brief Hands out memory in large pieces, and asks the system to back them with large pages.
///
/// A step reads all weights once, so with pages of 4 KiB it would ask for a new translation of
/// addresses every few hundred nanoseconds. What is never written takes no memory. A piece lives as
/// long as anything in it does.
class WeightMemory {
 public:
  /// \brief Memory at a 64-byte boundary. What it holds at first is undefined.
  /// \param bytes  the size
  /// \throws std::bad_alloc if there is not so much
  std::shared_ptr<std::byte> take(std::size_t bytes);

 private:
  std::shared_ptr<Buffer> piece_;
  std::size_t used_ = 0;
};

}  // namespace quire::simd
