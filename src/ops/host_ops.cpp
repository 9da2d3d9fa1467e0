#include "src/ops/host_ops.h"

#include <cstring>

namespace quire {

void HostOps::upload(const void* source, Tensor target) {
  if (target.byte_count() > 0) std::memcpy(target.bytes(), source, target.byte_count());
}

void HostOps::download(ConstTensor source, void* target) {
  if (source.byte_count() > 0) std::memcpy(target, source.bytes(), source.byte_count());
}

}  // namespace quire
