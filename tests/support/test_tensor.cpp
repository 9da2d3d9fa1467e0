#include "tests/support/test_tensor.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "src/core/error.h"

namespace quire::test {
namespace {

// A multiple of the alignment, and wide enough for an overrun of a whole vector or a short row.
constexpr std::size_t kBand = 256;
constexpr std::byte kGuard{0xa5};

template <class T, class Round>
void assign_as(Tensor tensor, std::span<const float> values, Round round) {
  std::transform(values.begin(), values.end(), tensor.values<T>().begin(), round);
}

}  // namespace

TestTensor::TestTensor(Shape shape, DType dtype) {
  const std::size_t bytes = static_cast<std::size_t>(shape.size()) * size_of(dtype);
  memory_ = allocate_host(2 * kBand + bytes);
  tensor_ = {memory_.tensor(DType::i32, {0}).bytes() + kBand, dtype, shape};
  repair();
  poison(tensor_);
}

TestTensor::~TestTensor() {
  const bool moved_from = memory_.tensor(DType::i32, {0}).bytes() == nullptr;
  if (!moved_from && !intact()) {
    ADD_FAILURE() << "something was written outside a " << name_of(tensor_.dtype()) << " tensor of "
                  << to_string(tensor_.shape());
  }
}

std::span<std::byte> TestTensor::band(bool behind) const {
  std::byte* first = tensor_.bytes();
  return {behind ? first + tensor_.byte_count() : first - kBand, kBand};
}

bool TestTensor::intact() const {
  const auto is_guard = [](std::byte b) { return b == kGuard; };
  const auto before = band(false), behind = band(true);
  return std::all_of(before.begin(), before.end(), is_guard) &&
         std::all_of(behind.begin(), behind.end(), is_guard);
}

void TestTensor::repair() {
  for (const bool behind : {false, true}) std::ranges::fill(band(behind), kGuard);
}

void poison(Tensor tensor) {
  // All bits set: NaN in each floating-point format, -1 in an integer.
  std::fill_n(tensor.bytes(), tensor.byte_count(), std::byte{0xff});
}

void assign(Tensor tensor, std::span<const float> values) {
  require(values.size() == static_cast<std::size_t>(tensor.size()), "{} values for a tensor of {}",
          values.size(), to_string(tensor.shape()));
  switch (tensor.dtype()) {
    case DType::f32:
      return assign_as<float>(tensor, values, [](float x) { return x; });
    case DType::f16:
      return assign_as<Float16>(tensor, values, to_float16);
    case DType::bf16:
      return assign_as<BFloat16>(tensor, values, to_bfloat16);
    default:
      fail("a tensor of {} does not hold floats", name_of(tensor.dtype()));
  }
}

TestTensor random_tensor(Random& random, Shape shape, DType dtype, double deviation) {
  std::vector<float> values(static_cast<std::size_t>(shape.size()));
  for (float& x : values) x = static_cast<float>(deviation * random.normal());
  TestTensor tensor(shape, dtype);
  assign(tensor, values);
  return tensor;
}

}  // namespace quire::test
