// The module of GPUs.
#include "kernels/make_ops.h"
#include "kernels/ops/kernel_ops.h"
#include "src/core/error.h"

extern "C" __attribute__((visibility("default"))) void quire_make_kernel_ops(
    std::unique_ptr<quire::Ops>& ops) {
  if (quire::simt::device_name() == nullptr) {
    quire::fail(
        "there is no GPU that runs CUDA here; --device emulated runs the same kernels on the "
        "processor");
  }
  ops = std::make_unique<quire::KernelOps>("gpu");
}
