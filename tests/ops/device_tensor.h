/// \file
/// \brief Tensors in the memory of the operators under test, poisoned and between guard bands.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "src/ops/ops.h"
#include "tests/support/test_tensor.h"

namespace quire::test {

/// \brief Owns a tensor in device memory, with a guard band on either side.
///
/// At the end of its life it adds a failure to the running test if something was written into a
/// guard band.
class DeviceTensor {
 public:
  /// \brief A poisoned tensor: NaN, or -1 in integers.
  /// \param ops    whose memory; must outlive this object
  /// \param shape  the extents
  /// \param dtype  any
  DeviceTensor(Ops& ops, Shape shape, DType dtype = DType::f32);
  /// \brief A copy of a tensor in host memory.
  /// \param ops   whose memory; must outlive this object
  /// \param host  what to copy
  DeviceTensor(Ops& ops, ConstTensor host);
  /// \brief Floats, rounded to a dtype.
  /// \param ops     whose memory; must outlive this object
  /// \param shape   the extents
  /// \param dtype   F32, F16 or BF16
  /// \param values  as many floats
  DeviceTensor(Ops& ops, Shape shape, DType dtype, std::span<const float> values);
  ~DeviceTensor();
  DeviceTensor(const DeviceTensor&) = delete;             ///< Its memory has one owner.
  DeviceTensor& operator=(const DeviceTensor&) = delete;  ///< Its memory has one owner.

  /// \brief The tensor, in device memory.
  Tensor tensor() const { return tensor_; }
  /// \brief Where an operator writes.
  operator Tensor() const { return tensor_; }
  /// \brief What an operator reads.
  operator ConstTensor() const { return tensor_; }

  /// \brief A copy in host memory.
  TestTensor download() const;
  /// \brief The elements as floats.
  std::vector<float> floats() const;
  /// \brief The elements as bytes, to compare bit for bit.
  std::vector<std::byte> bytes() const;

 private:
  Ops& ops_;
  Buffer memory_;
  Tensor tensor_;
};

/// \brief A tensor of 32-bit integers in device memory: ids of any kind.
/// \param ops     whose memory
/// \param values  its elements
std::unique_ptr<DeviceTensor> device_ids(Ops& ops, const std::vector<std::int32_t>& values);

/// \brief A weight as the operators under test keep it.
/// \param ops   prepares it
/// \param host  its numbers; they may be gone afterwards
Weight prepared(Ops& ops, ConstTensor host);

/// \brief Every element in double precision.
/// \param host  F32, F16 or BF16, in host memory
std::vector<double> numbers_of(ConstTensor host);

/// \brief Every element as a float.
/// \param host  F32, F16 or BF16, in host memory
std::vector<float> floats_of(ConstTensor host);

}  // namespace quire::test
