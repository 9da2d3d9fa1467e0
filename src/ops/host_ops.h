/// \file
/// \brief What implementations that compute in host memory have in common.
#pragma once

#include "src/ops/ops.h"

namespace quire {

/// \brief Operators whose device is the host: its memory is allocated and copied as usual.
class HostOps : public Ops {
 public:
  Buffer allocate(std::size_t bytes) override { return allocate_host(bytes); }
  void upload(const void* source, Tensor target) override;
  void download(ConstTensor source, void* target) override;

 private:
  void do_copy_blocks(Tensor storage, ConstTensor pairs, int block_size) override;
};

}  // namespace quire
