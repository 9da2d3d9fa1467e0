// The module of the emulator.
#include "kernels/make_ops.h"
#include "kernels/ops/kernel_ops.h"

extern "C" __attribute__((visibility("default"))) void quire_make_kernel_ops(
    std::unique_ptr<quire::Ops>& ops) {
  ops = std::make_unique<quire::KernelOps>("emulated");
}
