/// \file
/// \brief Shapes, views of tensors, and the storage they look into.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>

#include "src/core/dtype.h"

namespace quire {

/// \brief A count of elements, rows or bytes of a tensor; 64 bits, since caches grow large.
using Index = std::int64_t;

/// \brief The extents of a dense, row-major tensor of up to four dimensions.
class Shape {
 public:
  Shape() = default;

  /// \brief A shape from its extents, outermost first.
  /// \param extents  up to four numbers, none negative
  Shape(std::initializer_list<Index> extents);

  /// \brief How many dimensions there are.
  int rank() const { return rank_; }
  /// \brief One extent.
  /// \param axis  0 <= axis < rank(), 0 is the outermost
  Index operator[](int axis) const {
    assert(0 <= axis && axis < rank_);
    return extents_[static_cast<std::size_t>(axis)];
  }
  /// \brief The number of elements: the product of the extents, 1 without any.
  Index size() const;
  /// \brief The number of elements below one index of the outermost dimension, even if that is 0.
  Index row_size() const;
  /// \brief The same shape with another outermost extent.
  /// \param rows  the new extent
  Shape with_rows(Index rows) const;

  /// \brief Equal rank and equal extents.
  bool operator==(const Shape&) const = default;

 private:
  std::array<Index, 4> extents_{};
  int rank_ = 0;
};

/// \brief A shape as it is written in messages: `[3, 64]`.
/// \param shape  any shape
std::string to_string(const Shape& shape);

/// \brief A view of a dense, row-major tensor in the memory of some device. Owns nothing.
/// \tparam Byte  `std::byte` for a tensor that may be written, `const std::byte` otherwise
template <class Byte>
class TensorView {
 public:
  TensorView() = default;

  /// \brief A view of memory that somebody else keeps alive.
  /// \param data   the first element, in device memory
  /// \param dtype  the element type
  /// \param shape  the extents
  TensorView(Byte* data, DType dtype, Shape shape) : data_(data), dtype_(dtype), shape_(shape) {}

  /// \brief A tensor that may be written can be read.
  /// \tparam Other  `std::byte`, where `Byte` is `const std::byte`
  /// \param other   a writable view
  template <class Other>
  requires(std::is_const_v<Byte>&& std::is_same_v<Other, std::byte>)
      TensorView(const TensorView<Other>& other)
      : data_(other.bytes()), dtype_(other.dtype()), shape_(other.shape()) {}

  /// \brief The first byte.
  Byte* bytes() const { return data_; }
  /// \brief The element type.
  DType dtype() const { return dtype_; }
  /// \brief The extents.
  const Shape& shape() const { return shape_; }
  /// \brief One extent.
  /// \param axis  0 is the outermost
  Index extent(int axis) const { return shape_[axis]; }
  /// \brief The number of elements.
  Index size() const { return shape_.size(); }
  /// \brief The number of bytes.
  std::uint64_t byte_count() const { return static_cast<std::uint64_t>(size()) * size_of(dtype_); }

  /// \brief The elements as C++ values. Only for memory that the host can reach.
  /// \tparam T  a type with `dtype_of<T> == dtype()`
  template <class T>
  auto values() const {
    assert(dtype_of<T> == dtype_);
    using Element = std::conditional_t<std::is_const_v<Byte>, const T, T>;
    return std::span<Element>(reinterpret_cast<Element*>(data_), static_cast<std::size_t>(size()));
  }

  /// \brief Some consecutive indices of the outermost dimension.
  /// \param first  the first of them
  /// \param count  how many; first + count <= extent(0)
  TensorView rows(Index first, Index count) const {
    assert(0 <= first && 0 <= count && first + count <= shape_[0]);
    const auto offset = static_cast<std::size_t>(first * shape_.row_size()) * size_of(dtype_);
    return {data_ + offset, dtype_, shape_.with_rows(count)};
  }

  /// \brief The same elements under another shape.
  /// \param shape  a shape of the same size
  TensorView reshaped(Shape shape) const {
    assert(shape.size() == size());
    return {data_, dtype_, shape};
  }

 private:
  Byte* data_ = nullptr;
  DType dtype_ = DType::f32;
  Shape shape_{0};
};

/// \brief A tensor that an operator may write.
using Tensor = TensorView<std::byte>;
/// \brief A tensor that an operator only reads.
using ConstTensor = TensorView<const std::byte>;

/// \brief Owns a piece of some device's memory and gives it back at the end of its life.
class Buffer {
 public:
  /// \brief Gives memory back to the device that it came from.
  using Release = void (*)(void*);

  Buffer() = default;

  /// \brief Takes over a piece of memory.
  /// \param data     its first byte
  /// \param bytes    its size
  /// \param release  called with `data` when the buffer goes
  Buffer(void* data, std::size_t bytes, Release release) : data_(data, release), bytes_(bytes) {}

  /// \brief The size in bytes.
  std::size_t bytes() const { return bytes_; }

  /// \brief A tensor at the beginning of this memory.
  /// \param dtype  the element type
  /// \param shape  a shape that fits into bytes()
  Tensor tensor(DType dtype, Shape shape) const {
    assert(static_cast<std::size_t>(shape.size()) * size_of(dtype) <= bytes_);
    return {static_cast<std::byte*>(data_.get()), dtype, shape};
  }

 private:
  std::unique_ptr<void, Release> data_{nullptr, [](void*) {}};
  std::size_t bytes_ = 0;
};

/// \brief Host memory at a 64-byte boundary. What it holds at first is undefined.
/// \param bytes  the size
/// \throws std::bad_alloc if there is not so much
Buffer allocate_host(std::size_t bytes);

}  // namespace quire
