/// \file
/// \brief Softmax-weighted sums of values of which only part has been seen yet.
///
/// Source: Milakov and Gimelshein, "Online normalizer calculation for softmax", 2018; and, that
/// such sums of parts can be added, Dao et al., "FlashAttention", 2022.
#pragma once

#include <cfloat>

#include "kernels/attend/head_of_row.cuh"
#include "kernels/common/warp.cuh"

namespace quire::kernels {

/// \brief Keys that a warp looks at together: one for each lane.
inline constexpr int kKeysInTile = 32;
/// \brief Warps of a block. They share nothing; a block of one warp would use half of a processor's
/// warps at most.
inline constexpr int kWarps = 4;

/// \brief The attention of one head over some of its keys, spread over a warp: lane l has the
/// elements l, l + 32, l + 64 ... of the weighted values.
/// \tparam kPerLane  elements a lane: head_dim / 32, rounded up
template <int kPerLane>
struct PartialSum {
  /// \brief Of the scores; finite, so that a score of -infinity weighs nothing.
  float maximum = -FLT_MAX;
  float sum = 0;                  ///< of e^(score - maximum)
  float weighted[kPerLane] = {};  ///< of e^(score - maximum) * value

  /// \brief What was summed so far, relative to a maximum that may have grown.
  /// \param new_maximum  at least the old one
  __device__ void raise(float new_maximum) {
    const float factor = expf(maximum - new_maximum);
    maximum = new_maximum;
    sum *= factor;
    for (float& x : weighted) x *= factor;
  }

  /// \brief The attention over the keys of both. Written with fmaf, so that every kernel rounds alike.
  /// \param other  over other keys
  __device__ void add(PartialSum other) {
    const float both = fmaxf(maximum, other.maximum);
    raise(both);
    const float factor = expf(other.maximum - both);
    sum = fmaf(other.sum, factor, sum);
    for (int i = 0; i < kPerLane; ++i) weighted[i] = fmaf(other.weighted[i], factor, weighted[i]);
  }
};

/// \brief What the lanes of a warp tell each other about a tile of keys; in shared memory.
struct Tile {
  float weights[kKeysInTile];         ///< of each key
  std::int64_t offsets[kKeysInTile];  ///< where its value begins
};

/// \brief Adds up to 32 keys from a position on. Each lane scores one key; then all lanes walk
/// through the values together, each with elements of its own, so that they read whole rows.
/// `partial.sum` stays the lane's own share.
/// \param head      whose keys
/// \param position  of the first key
/// \param keys      how many, 1 to 32
/// \param tile      shared memory of this warp
/// \param partial   what the keys before gave
template <int kPerLane, class T>
__device__ void add_tile(const HeadOfRow<T>& head, int position, int keys, Tile& tile,
                         PartialSum<kPerLane>& partial) {
  const int lane = static_cast<int>(threadIdx.x), head_dim = head.arguments.shape.head_dim;
  const bool has_key = lane < keys;
  const std::int64_t offset = has_key ? head.offset(position + lane) : 0;
  const float score = has_key ? head.score(offset) : -INFINITY;
  partial.raise(fmaxf(partial.maximum, warp_max(score)));
  const float weight = has_key ? expf(score - partial.maximum) : 0;
  partial.sum += weight;

  // [tile]
  __syncwarp();  // the tile before has been read
  tile.weights[lane] = weight;
  tile.offsets[lane] = offset;
  __syncwarp();
  for (int key = 0; key < keys; ++key) {
    const T* value = head.arguments.v + tile.offsets[key];
    for (int i = 0; i < kPerLane; ++i) {
      const int element = lane + 32 * i;
      if (element < head_dim) {
        partial.weighted[i] =
            fmaf(tile.weights[key], simt::widen(value[element]), partial.weighted[i]);
      }
    }
  }
  // [tile]
}

/// \brief The attention over one piece: kKeysInPiece keys from a position on, or those that are
/// left. The loop that every key of every placement goes through.
/// \tparam kPerLane  elements a lane
/// \param head   whose keys
/// \param first  the position of the piece's first key
/// \param tile   shared memory of this warp
template <int kPerLane, class T>
__device__ PartialSum<kPerLane> attend_piece(const HeadOfRow<T>& head, int first, Tile& tile) {
  PartialSum<kPerLane> partial;
  const int keys = min(kKeysInPiece, head.last - first + 1);
  for (int done = 0; done < keys; done += kKeysInTile) {
    add_tile(head, first + done, min(kKeysInTile, keys - done), tile, partial);
  }
  partial.sum = warp_sum(partial.sum);
  return partial;
}

/// \brief Writes the result of one head.
/// \param arguments  of the call
/// \param item       row * heads + head
/// \param total      over all that it sees
template <int kPerLane, class T>
__device__ void write_result(const AttendArguments<T>& arguments, std::int64_t item,
                             const PartialSum<kPerLane>& total) {
  const int head_dim = arguments.shape.head_dim;
  float* out = arguments.out + item * head_dim;
  for (int i = 0; i < kPerLane; ++i) {
    const int element = static_cast<int>(threadIdx.x) + 32 * i;
    if (element < head_dim) out[element] = total.weighted[i] / total.sum;
  }
}

}  // namespace quire::kernels
