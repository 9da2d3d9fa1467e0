#include "src/app/device.h"

#include "kernels/module.h"
#include "src/core/error.h"
#include "src/core/json.h"
#include "src/ops/eigen_ops.h"
#include "src/simd/simd_ops.h"

namespace quire {

std::span<const std::string_view> device_names() {
  static constexpr std::string_view kNames[] = {"cpu", "eigen", "emulated", "gpu"};
  return kNames;
}

std::unique_ptr<Ops> make_ops(const Device& device) {
  if (device.name == "cpu") return std::make_unique<SimdOps>(device.threads);
  if (device.name == "eigen") return std::make_unique<EigenOps>(device.threads);
  if (device.name == "emulated") return load_kernel_ops(KernelBackend::emulated);
  if (device.name == "gpu") return load_kernel_ops(KernelBackend::gpu);
  fail("there is no device {}", in_quotes(device.name));
}

}  // namespace quire
