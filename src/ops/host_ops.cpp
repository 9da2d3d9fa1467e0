#include "src/ops/host_ops.h"

#include <cstring>

namespace quire {

void HostOps::upload(const void* source, Tensor target) {
  if (target.byte_count() > 0) std::memcpy(target.bytes(), source, target.byte_count());
}

void HostOps::download(ConstTensor source, void* target) {
  if (source.byte_count() > 0) std::memcpy(target, source.bytes(), source.byte_count());
}

void HostOps::do_copy_blocks(Tensor storage, ConstTensor pairs, int block_size) {
  const auto block = [&](std::int32_t id) {
    return storage.rows(Index{id} * block_size, block_size);
  };
  const auto ids = pairs.values<std::int32_t>();
  for (std::size_t i = 0; i < ids.size(); i += 2) {
    std::memcpy(block(ids[i + 1]).bytes(), block(ids[i]).bytes(), block(ids[i]).byte_count());
  }
}

}  // namespace quire
