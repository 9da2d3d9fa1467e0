/// \file
/// \brief Launchers of the attention kernels: Ops::attend for any placement, grouped heads, any
/// window.
///
/// Three versions of one contract, one idea each. All visit the keys of a row in position order
/// through one loop, wherever they lie, so placement does not change a bit; and a row's result
/// depends on its query and on what it sees alone, not on its neighbours in the step.
///
///     v0  attend_scores  writes every score to memory, then every weight, then the sum of values
///     v1  attend_online  one pass over keys and values; scores never leave the warp
///     v2  attend_split   v1 with the keys of a row shared out over warps, and a merge
///
/// v1 and v2 give the same bits: v1 adds up the same pieces in the same order that v2 merges.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/simt/runtime.h"

/// \brief Launchers of the CUDA kernels. Pointers are device memory unless they say otherwise.
namespace quire::kernels {

/// \brief Where a row of the step stands: 8 bytes, uploaded once a step.
struct AttendRow {
  std::int32_t span = 0;      ///< whose table it reads by: a row of `tables`
  std::int32_t position = 0;  ///< its position in its sequence

  /// \brief Equal in both.
  bool operator==(const AttendRow&) const = default;
};

/// \brief The sizes of one call, the same for every element type.
struct AttendShape {
  int rows = 0;                  ///< of the step; none is no work
  int heads = 0;                 ///< query heads, a multiple of kv_heads; rows * heads < 2^31
  int kv_heads = 0;              ///< key/value heads
  int head_dim = 0;              ///< elements a head, 1 to kMaxHeadDim
  int block_size = 0;            ///< stored rows a block, at least 1; a slab is one large block
  std::int64_t table_width = 0;  ///< entries of a table
  float scale = 1;               ///< scores are scale * q.k
  int window = 0;                ///< positions a row sees up to its own; 0 means all
  int longest = 0;               ///< most keys that any row of the step sees
};

/// \brief What the kernels read and write.
/// \tparam T  how keys and values are stored: float, Float16 or BFloat16
template <class T>
struct AttendArguments {
  const float* q = nullptr;              ///< [rows, heads, head_dim]
  const T* k = nullptr;                  ///< [slots, kv_heads, head_dim]
  const T* v = nullptr;                  ///< [slots, kv_heads, head_dim]
  const std::int32_t* tables = nullptr;  ///< [spans, table_width], blocks by position
  const AttendRow* places = nullptr;     ///< [rows]
  float* out = nullptr;                  ///< [rows, heads, head_dim]
  AttendShape shape;                     ///< the sizes
};

/// \brief The largest head that the kernels can hold in the registers of a warp.
inline constexpr int kMaxHeadDim = 256;

/// \brief Keys in a piece: what one warp of v2 takes. Pieces are counted from the first key that a
/// row sees, so their number depends on nothing but how many it sees.
inline constexpr int kKeysInPiece = 256;

/// \brief How many pieces some keys are cut into.
/// \param keys  0 or more
constexpr std::int64_t pieces_of(std::int64_t keys) {
  return (keys + kKeysInPiece - 1) / kKeysInPiece;
}

/// \brief Floats that attend_scores needs to work in: a score for each head and key.
/// \param shape  of the call
constexpr std::size_t scores_size(const AttendShape& shape) {
  return std::size_t(shape.rows) * std::size_t(shape.heads) * std::size_t(shape.longest);
}

/// \brief Floats that attend_split needs to work in: for each head and piece a maximum, a sum and
/// a weighted sum of values.
/// \param shape  of the call
constexpr std::size_t partials_size(const AttendShape& shape) {
  return std::size_t(shape.rows) * std::size_t(shape.heads) *
         std::size_t(pieces_of(shape.longest)) * std::size_t(shape.head_dim + 2);
}

/// \brief v0: scores through memory. Moves 28 bytes for each head of a row and visible key
/// besides the keys and values.
/// \tparam T         float, Float16 or BFloat16
/// \param arguments  of the call
/// \param scores     scores_size() floats to work in
/// \param stream     where to enqueue
template <class T>
void attend_scores(const AttendArguments<T>& arguments, float* scores, simt::Stream stream);

/// \brief v1: online softmax, a warp for each head of a row. Moves what the contract bills, but
/// reads keys and values once for every row and query head; caches hide some of that.
/// \tparam T         float, Float16 or BFloat16
/// \param arguments  of the call
/// \param stream     where to enqueue
template <class T>
void attend_online(const AttendArguments<T>& arguments, simt::Stream stream);

/// \brief v2: v1 with a warp for each piece, for few rows that see many keys. Writes and reads
/// partials_size() floats besides.
/// \tparam T         float, Float16 or BFloat16
/// \param arguments  of the call; `longest` at most simt::kMostBlocksY pieces
/// \param partials   partials_size() floats to work in
/// \param stream     where to enqueue
template <class T>
void attend_split(const AttendArguments<T>& arguments, float* partials, simt::Stream stream);

}  // namespace quire::kernels
