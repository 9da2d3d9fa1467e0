/// \file
/// \brief Arrays in device memory between guard bands, for results of kernels.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "kernels/simt/device_array.h"

namespace quire::test {

/// \brief Owns an array that a kernel writes, with a guard band on either side.
/// \tparam T  a number
template <class T>
class GuardedArray {
 public:
  /// \brief An array whose elements are as the guard bands, a number that no test expects.
  /// \param size  how many elements
  explicit GuardedArray(std::size_t size) : GuardedArray(std::vector<T>(size, kGuard)) {}
  /// \brief A copy of an array in host memory.
  /// \param host  what to copy
  explicit GuardedArray(const std::vector<T>& host)
      : size_(host.size()), memory_(between_bands(host)) {}

  /// \brief What a kernel takes.
  T* data() const { return memory_.data() + kBand; }

  /// \brief A copy in host memory; a failure of the running test if a guard band was written.
  std::vector<T> to_host() const {
    const std::vector<T> all = memory_.to_host();
    const auto first = all.begin() + kBand, last = first + static_cast<std::ptrdiff_t>(size_);
    const auto is_guard = [](T x) { return x == kGuard; };
    EXPECT_TRUE(std::all_of(all.begin(), first, is_guard)) << "written before an array";
    EXPECT_TRUE(std::all_of(last, all.end(), is_guard)) << "written behind an array";
    return {first, last};
  }

 private:
  static constexpr std::size_t kBand = 64;
  static constexpr T kGuard = T{-12345};

  static std::vector<T> between_bands(const std::vector<T>& host) {
    std::vector<T> all(host.size() + 2 * kBand, kGuard);
    std::copy(host.begin(), host.end(), all.begin() + kBand);
    return all;
  }

  std::size_t size_;
  simt::DeviceArray<T> memory_;
};

}  // namespace quire::test
