#include "src/ops/eigen_ops.h"

#include <cstring>
#include <utility>

namespace quire {

void EigenOps::upload(const void* source, Tensor target) {
  if (target.byte_count() > 0) std::memcpy(target.bytes(), source, target.byte_count());
}

void EigenOps::download(ConstTensor source, void* target) {
  if (source.byte_count() > 0) std::memcpy(target, source.bytes(), source.byte_count());
}

Weight EigenOps::prepare(ConstTensor weight, std::shared_ptr<const void> owner) {
  return {weight, std::move(owner)};
}

}  // namespace quire
