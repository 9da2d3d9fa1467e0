/// \file
/// \brief Traces served by continuous batching over blocks, counted and not computed.
#pragma once

#include <vector>

#include "chapters/08_static_batching/comparison.h"
#include "chapters/10_continuous_batching/scheduler.h"

namespace quire {

/// \brief Serves requests by the scheduler over blocks, and computes nothing.
///
/// All requests wait from the start; each generates as many tokens as the trace says. A step is planned
/// as it is for a decoder. Of the rows that a sequence holds and has not filled, those that it will
/// still need are `reserved`, the others `internal`; free rows are `external` if somebody waits for
/// room, and `unclaimed` otherwise. O(steps * sequences).
/// \param requests    in order; each fits the blocks
/// \param blocks      of the cache, at least 1
/// \param block_size  rows a block, at least 1
/// \param options     the limits of a step
/// \throws Error as BlockManager and Scheduler do
Simulation simulate_continuous(const std::vector<TraceRequest>& requests, int blocks,
                               int block_size, const SchedulerOptions& options);

/// \brief Serves requests in all ways of chapter 08, and continuously over blocks in the same memory:
/// with as many sequences as there are slabs, and with as many as `options` permit.
/// \param requests    each fits the context
/// \param limits      of chapter 08: memory and steps
/// \param block_size  rows a block
/// \param options     the limits of a step
std::vector<ServedTrace> compare_with_slabs(const std::vector<TraceRequest>& requests,
                                            const ServingLimits& limits, int block_size,
                                            const SchedulerOptions& options);

/// \brief The share of the held rows that hold tokens, averaged over the steps.
/// \param simulation  at least one step
double share_of_held(const Simulation& simulation);

}  // namespace quire
