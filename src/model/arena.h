/// \file
/// \brief Several tensors cut out of one buffer that only grows.
#pragma once

#include <algorithm>

#include "src/ops/ops.h"

namespace quire {

/// \brief Hands out consecutive tensors of one buffer, each at a 64-byte boundary.
class Arena {
 public:
  /// \brief Cuts from a buffer; from none, only the size is counted.
  /// \param buffer  where the tensors lie, or null
  explicit Arena(const Buffer* buffer) : buffer_(buffer) {}

  /// \brief The next tensor.
  /// \param dtype  the element type
  /// \param shape  the extents
  Tensor take(DType dtype, const Shape& shape) {
    const std::size_t offset = bytes_;
    const std::size_t size = static_cast<std::size_t>(shape.size()) * size_of(dtype);
    bytes_ += (size + 63) / 64 * 64;
    if (buffer_ == nullptr) return {nullptr, dtype, shape};
    return {buffer_->tensor(DType::i32, {0}).bytes() + offset, dtype, shape};
  }

  /// \brief The bytes handed out.
  std::size_t bytes() const { return bytes_; }

 private:
  const Buffer* buffer_;
  std::size_t bytes_ = 0;
};

/// \brief Lays tensors out in a buffer, which first grows if they do not fit.
/// \tparam Cut    callable with an Arena&
/// \param ops     whose memory
/// \param buffer  kept by the caller from step to step
/// \param cut     takes the tensors from the arena it is given; called twice, first to measure
template <class Cut>
void lay_out(Ops& ops, Buffer& buffer, Cut cut) {
  Arena measure(nullptr);
  cut(measure);
  if (buffer.bytes() < measure.bytes()) buffer = ops.allocate(measure.bytes());
  Arena arena(&buffer);
  cut(arena);
}

}  // namespace quire
