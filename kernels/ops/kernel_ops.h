/// \file
/// \brief The operators as CUDA kernels, on a GPU or in the emulator.
#pragma once

#include <memory>
#include <string>

#include "kernels/linear/library_product.h"
#include "kernels/ops/attention.h"
#include "kernels/ops/staging.h"
#include "kernels/simt/runtime.h"
#include "src/ops/ops.h"

namespace quire {

/// \brief The operators in device memory: F32 arithmetic on exactly the stored weights, as in EigenOps
/// (`--device gpu` and `--device emulated`).
///
/// Which of the two it is depends on what this is linked with; nothing here knows. All work goes to one
/// stream, in order. An operator and an upload only enqueue; download alone waits, for all that was
/// enqueued before. A step that is as large as an earlier one allocates nothing.
///
/// A row's result depends on that row alone, bit for bit, except in a linear layer: there on whether the
/// step has few rows or many (kernels/linear/linear.h), and where the vendor's library multiplies many,
/// on how many, since it may choose another algorithm.
class KernelOps : public Ops {
 public:
  /// \brief Operators of the device that is there.
  /// \param name       what to call them: "gpu" or "emulated"
  /// \param attention  which attention kernel they use
  explicit KernelOps(std::string_view name,
                     kernels::AttentionKernel attention = kernels::AttentionKernel::chosen);

  std::string_view name() const override { return name_; }
  Buffer allocate(std::size_t bytes) override;
  void upload(const void* source, Tensor target) override;
  void download(ConstTensor source, void* target) override;
  /// \brief Copies a weight into device memory, as it is stored.
  /// \param weight  F32, F16 or BF16
  /// \param owner   let go of
  Weight prepare(ConstTensor weight, std::shared_ptr<const void> owner) override;

 private:
  void do_embed(const Weight& table, ConstTensor tokens, Tensor out) override;
  void do_rms_norm(ConstTensor x, const Weight& gain, float epsilon, Tensor out) override;
  void do_linear(ConstTensor x, const Weight& weight, Tensor out) override;
  void do_add_bias(const Weight& bias, Tensor out) override;
  void do_rope_and_store(Tensor q, ConstTensor k, ConstTensor v, ConstTensor rotation,
                         const KvSlots& slots) override;
  void do_attend(ConstTensor q, const KvView& view, const AttentionMask& mask, Tensor out) override;
  void do_silu_mul(ConstTensor gate, ConstTensor up, Tensor out) override;
  void do_add(ConstTensor x, Tensor out) override;
  void do_gather_rows(ConstTensor x, ConstTensor rows, Tensor out) override;
  void do_copy_blocks(Tensor storage, ConstTensor pairs, int block_size) override;

  using OwnedStream = std::unique_ptr<CUstream_st, void (*)(simt::Stream) noexcept>;

  std::string name_;
  OwnedStream owned_stream_{simt::create_stream(), simt::release_stream};
  simt::Stream stream_ = owned_stream_.get();
  kernels::Staging staging_{stream_};
  std::unique_ptr<kernels::LibraryProduct> library_;  // null where there is none
  kernels::Attention attention_;
};

}  // namespace quire
