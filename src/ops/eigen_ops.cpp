#include "src/ops/eigen_ops.h"

#include <utility>

namespace quire {

Weight EigenOps::prepare(ConstTensor weight, std::shared_ptr<const void> owner) {
  return {weight, std::move(owner)};
}

}  // namespace quire
