/// \file
/// \brief Which attention kernel runs, and what it needs besides its arguments.
#pragma once

#include <vector>

#include "kernels/attend/attend.h"
#include "src/ops/ops.h"

namespace quire::kernels {

/// \brief Which of the attention kernels to use. `online` and `split` give the same bits.
enum class AttentionKernel {
  chosen,  ///< `split` for few rows that see many keys, else `online`
  scores,  ///< v0, scores through memory: chapter 06 shows it
  online,  ///< v1, one pass
  split,   ///< v2, the keys of a row shared out
};

/// \brief Ops::attend on the kernels.
///
/// The places of a step's rows are uploaded at its first layer; at the others they are what they
/// were, which is seen by comparing all of them with a copy on the host. Device memory only grows.
class Attention {
 public:
  /// \brief Attention that has computed nothing yet.
  /// \param memory  whose memory and uploads; must outlive this object
  /// \param stream  where uploads of `memory` and kernels are enqueued
  /// \param kernel  which kernel
  Attention(Ops& memory, simt::Stream stream, AttentionKernel kernel)
      : memory_(memory), stream_(stream), kernel_(kernel) {}

  /// \brief Enqueues the attention of all rows: the contract of Ops::attend, checked before.
  /// \param q     F32 [rows, heads, head_dim]
  /// \param view  where keys and values lie, and whose rows these are
  /// \param mask  scale and window
  /// \param out   F32 [rows, heads, head_dim]
  /// \throws Error if a head has more than kMaxHeadDim elements, or if rows * heads passes 2^31
  void run(ConstTensor q, const KvView& view, const AttentionMask& mask, Tensor out);

 private:
  void upload_places(std::span<const Span> spans);
  float* workspace(std::size_t floats);
  template <class T>
  void launch(const AttendArguments<T>& arguments);

  Ops& memory_;
  simt::Stream stream_;
  AttentionKernel kernel_;
  std::vector<AttendRow> places_, uploaded_;
  Buffer device_places_, workspace_;
};

}  // namespace quire::kernels
