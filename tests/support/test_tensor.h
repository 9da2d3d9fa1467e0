/// \file
/// \brief Tensors for tests: poisoned with NaN, between guard bands.
#pragma once

#include "src/core/random.h"
#include "src/core/tensor.h"

namespace quire::test {

/// \brief Owns a tensor in host memory at a 64-byte boundary, with a guard band on either side.
///
/// It begins poisoned, so that an element which nobody wrote shows. At the end of its life it adds
/// a failure to the running test if something was written into a guard band.
class TestTensor {
 public:
  /// \brief A poisoned tensor.
  /// \param shape  the extents
  /// \param dtype  any
  explicit TestTensor(Shape shape, DType dtype = DType::f32);
  ~TestTensor();
  TestTensor(TestTensor&&) = default;  ///< The guard bands move along.

  /// \brief The tensor. A const TestTensor gives it too, as a Buffer does.
  Tensor tensor() const { return tensor_; }
  /// \brief Where an operator writes.
  operator Tensor() const { return tensor_; }
  /// \brief What an operator reads.
  operator ConstTensor() const { return tensor_; }
  /// \brief The elements.
  /// \tparam T  a type with `dtype_of<T>` equal to the tensor's
  template <class T>
  std::span<T> values() const {
    return tensor_.values<T>();
  }
  /// \brief Whether both guard bands are as they were made.
  bool intact() const;
  /// \brief Makes the guard bands as they were; for tests that damage them on purpose.
  void repair();

 private:
  std::span<std::byte> band(bool behind) const;

  Buffer memory_;
  Tensor tensor_;
};

/// \brief Sets every element to NaN, or to -1 in a tensor of integers.
/// \param tensor  in host memory
void poison(Tensor tensor);

/// \brief Sets every element to a float rounded to the tensor's dtype.
/// \param tensor  F32, F16 or BF16, in host memory
/// \param values  as many floats
void assign(Tensor tensor, std::span<const float> values);

/// \brief A tensor of normally distributed numbers.
/// \param random     where they come from
/// \param shape      the extents
/// \param dtype      F32, F16 or BF16
/// \param deviation  their standard deviation
TestTensor random_tensor(Random& random, Shape shape, DType dtype = DType::f32,
                         double deviation = 1);

}  // namespace quire::test
