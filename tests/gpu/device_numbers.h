/// \file
/// \brief Arrays in device memory for launches that are timed.
#pragma once

#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "kernels/simt/device_array.h"
#include "src/core/dtype.h"
#include "src/core/random.h"

namespace quire::test {

/// \brief Numbers as they occur, since a card is faster with zeros: 4096 of them, again and again.
/// \tparam T   float or BFloat16
/// \param size  how many
template <class T>
simt::DeviceArray<T> noise(std::int64_t size) {
  std::vector<T> numbers(static_cast<std::size_t>(size));
  Random random(1);
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (i >= 4096) {
      numbers[i] = numbers[i - 4096];
    } else if constexpr (std::is_same_v<T, float>) {
      numbers[i] = static_cast<float>(random.normal());
    } else {
      numbers[i] = to_bfloat16(static_cast<float>(random.normal()));
    }
  }
  return simt::DeviceArray<T>(numbers);
}

/// \brief The numbers below some other, each once, in no order.
/// \tparam T    an integer
/// \param count  how many
template <class T>
simt::DeviceArray<T> scattered(std::int64_t count) {
  std::vector<T> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), T{0});
  Random random(2);
  for (std::size_t i = numbers.size(); i > 1; --i) {
    std::swap(numbers[i - 1], numbers[random.bits() % i]);
  }
  return simt::DeviceArray<T>(numbers);
}

}  // namespace quire::test
