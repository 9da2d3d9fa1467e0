/// \file
/// \brief Which implementation of the operators a program computes with.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "src/ops/ops.h"

namespace quire {

/// \brief A device as options name it.
struct Device {
  std::string name = "cpu";  ///< one of device_names()
  int threads = 0;           ///< of the operators of cpu and eigen; 0 means one for each core
};

/// \brief The devices, the default first: "cpu", the fast operators; "eigen", the readable reference;
/// "emulated", the CUDA kernels run on the processor, thread by thread; "gpu", the same on a GPU.
std::span<const std::string_view> device_names();

/// \brief Makes the operators of a device.
/// \param device  which, and with how many threads
/// \throws Error if there is no device of that name, or no GPU
std::unique_ptr<Ops> make_ops(const Device& device);

}  // namespace quire
