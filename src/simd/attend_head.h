/// \file
/// \brief Attention of some rows of a span over one KV head.
#pragma once

#include <span>

#include "src/ops/kv_view.h"
#include "src/simd/attend_job.h"
#include "src/simd/multiply.h"

namespace quire::simd {

/// \brief Keys that are looked at together: those of positions 0 to 63, 64 to 127, and so on.
inline constexpr Index kKeys = 64;

/// \brief The tensors of a call.
struct AttendArguments {
  ConstTensor q;              ///< F32 [rows, heads, head_dim]
  const KvView* view;         ///< where keys and values lie
  const AttentionMask* mask;  ///< scale and window
  Tensor out;                 ///< F32 [rows, heads, head_dim]

  /// \brief Query heads that share a KV head.
  Index group() const { return q.extent(1) / view->k.extent(1); }
  /// \brief Elements a head.
  Index head_dim() const { return q.extent(2); }
};

/// \brief Rows of one span that make a job: about 48 queries, at least one row.
/// \param group  query heads that share a KV head
constexpr int rows_of_job(Index group) {
  return static_cast<int>(std::max<Index>(1, 48 / group));
}

/// \brief Floats of scratch memory that a job needs.
/// \param arguments  the call
Index attend_scratch(const AttendArguments& arguments);

/// \brief Computes a job.
///
/// Keys come in blocks of 64 positions, from the oldest that a row sees to the newest, each block
/// copied into panels (but for the values of a single row, which are read where they lie): Q times K
/// transposed and P times V are products like a linear layer's. The
/// softmax runs along (Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018):
/// where a block has a new greatest score, what was summed before is scaled down. Blocks begin at
/// multiples of 64 whatever the row and the chunk, and a row that sees nothing of a block is left
/// alone, so a row depends on itself and what it sees.
/// \param arguments  the call
/// \param job        which rows, which head
/// \param scratch    attend_scratch(arguments) floats
void attend_job(const AttendArguments& arguments, const AttendJob& job, float* scratch);

}  // namespace quire::simd
