/// \file
/// \brief Barriers, shuffles and votes of kernels.
///
/// Each is a small function on one primitive, detail::warp_operation: the lanes wait for one
/// another, and the last one moves everybody's data. The line of the call comes along as a default
/// argument, for messages.
#pragma once

#include <concepts>

#include "kernels/simt/executor.h"

namespace quire::simt::detail {

/// \brief warp_operation() with types.
/// \param mask  bit i: lane i takes part
/// \param mine  what this lane brings
/// \param site  where it waits
/// \tparam CombineLanes  a lambda that captures nothing, called with `Lane* const lanes[32]`
template <class Lane, class CombineLanes>
void warp_operation(unsigned mask, Lane& mine, CombineLanes, const CallSite& site) {
  const auto combine = [](void* const* lanes) {
    Lane* typed[warpSize];
    for (int i = 0; i < warpSize; ++i) typed[i] = static_cast<Lane*>(lanes[i]);
    CombineLanes{}(typed);
  };
  warp_operation(mask, &mine, combine, site);
}

/// \brief Each lane gets the value of another one.
/// \param mask    bit i: lane i takes part
/// \param value   what this lane brings
/// \param source  the lane whose value it wants
/// \param site    where it waits
template <class T>
T shuffle(unsigned mask, T value, int source, const CallSite& site) {
  struct Lane {
    T value;
    int source;
    T result;
  };
  Lane mine{value, source, {}};
  warp_operation(
      mask, mine,
      [](Lane* const* lanes) {
        for (int i = 0; i < warpSize; ++i) {
          if (!lanes[i]) continue;
          const Lane* other = lanes[lanes[i]->source];
          if (!other) fail_source(i, lanes[i]->source);
          lanes[i]->result = other->value;
        }
      },
      site);
  return mine.result;
}

/// \brief One number from those of all lanes that take part, for each of them.
/// \param mask   bit i: lane i takes part
/// \param value  what this lane brings
/// \param site   where it waits
/// \tparam Fold  a lambda `T(T so_far, T value, int lane)` that captures nothing, called lane by lane
///               upwards from T{}, or from the first value if `first_counts`
/// \tparam first_counts  whether the first lane's value is where it starts
template <bool first_counts, class T, class Fold>
T fold(unsigned mask, T value, Fold, const CallSite& site) {
  struct Lane {
    T value, result;
  };
  Lane mine{value, {}};
  warp_operation(
      mask, mine,
      [](Lane* const* lanes) {
        T result{};
        bool first = first_counts;
        for (int i = 0; i < warpSize; ++i) {
          if (!lanes[i]) continue;
          result = first ? lanes[i]->value : Fold{}(result, lanes[i]->value, i);
          first = false;
        }
        for (int i = 0; i < warpSize; ++i) {
          if (lanes[i]) lanes[i]->result = result;
        }
      },
      site);
  return mine.result;
}

/// \brief The first lane of this one's segment of the warp.
/// \param width  lanes of a segment, a power of two
inline int segment_begin(int width) {
  return lane() & -width;
}

/// \brief The lane if it is in this one's segment, else this one.
/// \param source  a lane
/// \param width   lanes of a segment
inline int within_segment(int source, int width) {
  const int begin = segment_begin(width);
  return source >= begin && source < begin + width ? source : lane();
}

/// \brief Ends a shuffle that CUDA gives no meaning.
/// \param distance  how many lanes it reaches
/// \param width     lanes of a segment
/// \param site      where it stands
/// \throws Error unless the width is a power of two up to 32 and the distance below 32
inline void check_shuffle(int distance, int width, const CallSite& site) {
  if (width < 1 || width > warpSize || (width & (width - 1)) != 0) {
    fail_in_kernel(site, "its width must be 1, 2, 4, 8, 16 or 32");
  }
  if (distance < 0 || distance >= warpSize) fail_in_kernel(site, "it must reach 0 to 31 lanes");
}

}  // namespace quire::simt::detail

// CUDA's own names, which CUDA documents.
/// \cond

// --- Barriers -------------------------------------------------------------------------------------

inline void __syncthreads(quire::simt::CallSite site = "__syncthreads") {
  quire::simt::detail::block_barrier(false, site);
}
inline int __syncthreads_count(int predicate, quire::simt::CallSite site = "__syncthreads_count") {
  return quire::simt::detail::block_barrier(predicate != 0, site).yes;
}
inline int __syncthreads_or(int predicate, quire::simt::CallSite site = "__syncthreads_or") {
  return quire::simt::detail::block_barrier(predicate != 0, site).yes > 0;
}
inline int __syncthreads_and(int predicate, quire::simt::CallSite site = "__syncthreads_and") {
  const auto vote = quire::simt::detail::block_barrier(predicate != 0, site);
  return vote.yes == vote.threads;
}
inline void __syncwarp(unsigned mask = 0xffffffffu, quire::simt::CallSite site = "__syncwarp") {
  quire::simt::detail::warp_barrier(mask, site);
}

// --- Shuffles -------------------------------------------------------------------------------------

template <class T>
T __shfl_sync(unsigned mask, T value, int source, int width = warpSize,
              quire::simt::CallSite site = "__shfl_sync") {
  quire::simt::detail::check_shuffle(0, width, site);
  const int lane = quire::simt::detail::segment_begin(width) + (source & (width - 1));
  return quire::simt::detail::shuffle(mask, value, lane, site);
}
template <class T>
T __shfl_xor_sync(unsigned mask, T value, int lane_mask, int width = warpSize,
                  quire::simt::CallSite site = "__shfl_xor_sync") {
  quire::simt::detail::check_shuffle(lane_mask, width, site);
  // Unlike the others it may reach into the segments before its own.
  const int lane = quire::simt::detail::lane(), source = lane ^ lane_mask;
  const int end = quire::simt::detail::segment_begin(width) + width;
  return quire::simt::detail::shuffle(mask, value, source < end ? source : lane, site);
}
template <class T>
T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                   quire::simt::CallSite site = "__shfl_down_sync") {
  quire::simt::detail::check_shuffle(static_cast<int>(delta), width, site);
  const int source = quire::simt::detail::lane() + static_cast<int>(delta);
  return quire::simt::detail::shuffle(mask, value,
                                      quire::simt::detail::within_segment(source, width), site);
}
template <class T>
T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = warpSize,
                 quire::simt::CallSite site = "__shfl_up_sync") {
  quire::simt::detail::check_shuffle(static_cast<int>(delta), width, site);
  const int source = quire::simt::detail::lane() - static_cast<int>(delta);
  return quire::simt::detail::shuffle(mask, value,
                                      quire::simt::detail::within_segment(source, width), site);
}

// --- Votes and sums -------------------------------------------------------------------------------

inline unsigned __ballot_sync(unsigned mask, int predicate,
                              quire::simt::CallSite site = "__ballot_sync") {
  return quire::simt::detail::fold<false>(
      mask, predicate != 0 ? 1u : 0u,
      [](unsigned votes, unsigned vote, int lane) { return votes | vote << lane; }, site);
}
inline int __any_sync(unsigned mask, int predicate, quire::simt::CallSite site = "__any_sync") {
  return __ballot_sync(mask, predicate, site) != 0;
}
inline int __all_sync(unsigned mask, int predicate, quire::simt::CallSite site = "__all_sync") {
  return __ballot_sync(mask, predicate == 0, site) == 0;
}
template <std::integral T>
T __reduce_add_sync(unsigned mask, T value, quire::simt::CallSite site = "__reduce_add_sync") {
  return quire::simt::detail::fold<true>(
      mask, value, [](T a, T b, int) { return static_cast<T>(a + b); }, site);
}
template <std::integral T>
T __reduce_max_sync(unsigned mask, T value, quire::simt::CallSite site = "__reduce_max_sync") {
  return quire::simt::detail::fold<true>(
      mask, value, [](T a, T b, int) { return a < b ? b : a; }, site);
}
template <std::integral T>
T __reduce_min_sync(unsigned mask, T value, quire::simt::CallSite site = "__reduce_min_sync") {
  return quire::simt::detail::fold<true>(
      mask, value, [](T a, T b, int) { return b < a ? b : a; }, site);
}
/// \endcond
