#include "kernels/ops/kernel_ops.h"

namespace quire {

Buffer KernelOps::allocate(std::size_t bytes) {
  return {simt::allocate(bytes), bytes, simt::release};
}

void KernelOps::upload(const void* source, Tensor target) {
  staging_.copy(target.bytes(), source, target.byte_count());
}

void KernelOps::download(ConstTensor source, void* target) {
  if (source.byte_count() > 0) {
    simt::copy_to_host(target, source.bytes(), source.byte_count(), stream_);
  } else {
    simt::synchronize(stream_);
  }
  staging_.all_done();
}

Weight KernelOps::prepare(ConstTensor weight, std::shared_ptr<const void>) {
  const auto memory = std::make_shared<const Buffer>(allocate(weight.byte_count()));
  const Tensor copy = memory->tensor(weight.dtype(), weight.shape());
  if (weight.byte_count() > 0) {
    simt::copy_to_device(copy.bytes(), weight.bytes(), weight.byte_count(), stream_);
    simt::synchronize(stream_);  // the caller lets the file's pages go
  }
  return {copy, memory};
}

}  // namespace quire
