/// \file
/// \brief The fast implementation of every operator on a CPU.
#pragma once

#include <vector>

#include "src/core/threads.h"
#include "src/ops/host_ops.h"
#include "src/simd/attend_job.h"
#include "src/simd/multiply.h"
#include "src/simd/weight_memory.h"

namespace quire {

/// \brief The operators on the CPU: weights in panels, vectors over outputs, a team of threads
/// (`--device cpu`).
///
/// F32 arithmetic on exactly the stored weights, as in EigenOps, but every sum has one order: row i
/// of a result depends on row i alone, bit for bit, whatever rows are beside it and however many
/// threads there are. Attention too: a row depends on its query and the keys and values it sees.
class SimdOps : public HostOps {
 public:
  /// \brief Operators that share a team of threads.
  /// \param threads  the size of the team; 0 means one for each core
  explicit SimdOps(int threads = 1);

  std::string_view name() const override { return "cpu"; }
  /// \brief Copies a weight: a matrix into panels (src/simd/panels.h), a vector as it is.
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

  simd::RowTiles lay_out(simd::Rows<const float> rows, Index count, Index inputs);

  ThreadPool threads_;
  simd::WeightMemory weights_;
  std::vector<simd::AttendJob> jobs_;  // of an attention; kept, as the scratch is, for the next one
  std::vector<Buffer> scratch_;        // one a thread
  Buffer tiles_;                       // of a linear layer's rows
};

}  // namespace quire
