/// \file
/// \brief Arrays in the memory of a device, for whoever launches kernels without Ops.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

#include "kernels/simt/runtime.h"

namespace quire::simt {

/// \brief Owns an array in the memory of the device that runs kernels.
/// \tparam T  the type of its elements
template <class T>
class DeviceArray {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  /// \brief As it comes from the device: NaN in the emulator.
  /// \param size  how many elements
  explicit DeviceArray(std::size_t size)
      : size_(size), memory_(simt::allocate(size * sizeof(T)), &simt::release) {}
  /// \brief A copy of an array in host memory.
  /// \param host  what to copy
  explicit DeviceArray(const std::vector<T>& host) : DeviceArray(host.size()) {
    simt::copy_to_device(data(), host.data(), size_ * sizeof(T));
  }

  /// \brief What a kernel takes.
  T* data() const { return static_cast<T*>(memory_.get()); }

  /// \brief A copy in host memory, once the kernels before have ended.
  std::vector<T> to_host() const {
    std::vector<T> host(size_);
    simt::copy_to_host(host.data(), data(), size_ * sizeof(T));
    return host;
  }

 private:
  std::size_t size_;
  std::unique_ptr<void, void (*)(void*) noexcept> memory_;
};

}  // namespace quire::simt
