/// \file
/// \brief Chapter 08: runs of a trace that count steps and rows and compute nothing.
#pragma once

#include <vector>

#include "chapters/08_static_batching/memory_use.h"
#include "chapters/08_static_batching/reservation.h"
#include "chapters/08_static_batching/static_batch.h"
#include "chapters/08_static_batching/trace.h"
#include "src/core/tensor.h"

namespace quire {

/// \brief What a step fed, and what memory held when it had run.
struct CountedStep {
  int rows = 0;       ///< that the step fed
  int idle_rows = 0;  ///< of these, for texts that had ended
  int running = 0;    ///< sequences that hold memory and whose text had not ended before the step
  int waiting = 0;    ///< requests that hold no memory yet
  MemoryUse memory;   ///< after the step, before anybody leaves
};

/// \brief What a run did, step by step.
struct Simulation {
  Index generated = 0;             ///< output tokens of all requests
  std::vector<CountedStep> steps;  ///< in order
};

/// \brief A part of the whole for each use of memory; together 1.
struct MemoryShares {
  double tokens = 0;     ///< see MemoryUse
  double reserved = 0;   ///< see MemoryUse
  double internal = 0;   ///< see MemoryUse
  double external = 0;   ///< see MemoryUse
  double unclaimed = 0;  ///< see MemoryUse
};

/// \brief A run in a few numbers.
struct Totals {
  Index steps = 0;             ///< how many
  Index rows = 0;              ///< fed in all of them
  Index idle_rows = 0;         ///< of these, for texts that had ended
  Index generated = 0;         ///< output tokens
  double running = 0;          ///< sequences a step whose text had not ended, on average
  MemoryShares memory;         ///< averaged over all steps
  Index loaded_steps = 0;      ///< steps in which a request waited
  MemoryShares loaded_memory;  ///< averaged over these; all 0 if there are none
};

/// \brief Adds up a run. O(steps).
/// \param simulation  any run
Totals totals_of(const Simulation& simulation);

/// \brief Static batches, one after the other: as many requests as fit begin together, and the next
/// batch begins when the last text has ended.
///
/// All requests wait from the start; each generates as many tokens as the trace says. The batches are
/// those that StaticBatch plans for a decoder. O(steps * members).
/// \param requests  in order; prompt + output - 1 fits a slab
/// \param slabs     the region, and the policy of its slabs
/// \param limits    of a batch
/// \throws Error as SlabManager and StaticBatch do
Simulation simulate_static(const std::vector<TraceRequest>& requests, const SlabOptions& slabs,
                           const BatchLimits& limits);

/// \brief The same slabs, but a request begins as soon as a slab fits it, and gives it back when its
/// text ends: the iteration-level scheduling of Orca (Yu et al., OSDI 2022), whose memory the
/// PagedAttention paper measured.
///
/// First come, first served: nobody overtakes a request that does not fit. Running sequences get
/// their rows first, in the order in which they came; whoever comes in gets what the budget has left.
/// \param requests  in order; prompt + output - 1 fits a slab
/// \param slabs     the region, and the policy of its slabs
/// \param limits    of a step
/// \throws Error as SlabManager does, or if a limit is less than 1
Simulation simulate_iterations(const std::vector<TraceRequest>& requests, const SlabOptions& slabs,
                               const BatchLimits& limits);

}  // namespace quire
