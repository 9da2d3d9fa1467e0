/// \file
/// \brief The reference implementation of every operator: one readable Eigen expression each.
#pragma once

#include "src/core/threads.h"
#include "src/ops/host_ops.h"

namespace quire {

/// \brief The operators on the CPU, in F32 arithmetic on exactly the stored weights (`--device
/// eigen`).
///
/// Written to be read and to be trusted, not to be fast. A row's attention, norm, rotation and gate
/// depend on that row alone, bit for bit. A linear layer may sum in another order when the step has
/// another number of rows, since Eigen picks another kernel then.
class EigenOps : public HostOps {
 public:
  /// \brief Operators that share a team of threads.
  /// \param threads  the size of the team; 0 means one for each core
  explicit EigenOps(int threads = 1) : threads_(threads) {}

  std::string_view name() const override { return "eigen"; }
  /// \brief Weights are read where they lie, so nothing is copied.
  /// \param weight  F32, F16 or BF16
  /// \param owner   kept with the result
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

  ThreadPool threads_;
};

}  // namespace quire
