/// \file
/// \brief Chapter 08: texts that a decoder continues in static batches.
#pragma once

#include <vector>

#include "chapters/08_static_batching/simulation.h"
#include "src/kv/kv_cache.h"
#include "src/log/step_log.h"
#include "src/model/generate.h"

namespace quire {

/// \brief What came of some prompts in static batches.
struct BatchGeneration {
  std::vector<Generation> texts;   ///< in the order of the prompts
  std::vector<int> idle_rows;      ///< of each text: fed while it waited for its batch to end
  std::vector<CountedStep> steps;  ///< of all batches, one after the other
};

/// \brief Continues prompts in static batches: as many as fit begin together, and the next batch
/// begins when the last text has ended.
///
/// What memory was used for is said in hindsight: rows of a text that ended before its limit were never
/// reserved for a token, they were wasted. Each prompt is a request of its own; its text is the one
/// that it would have alone, to the bit where a row's result does not depend on its neighbours (SimdOps).
/// \param decoder  the model
/// \param manager  without open sequences, with a slab for the longest of the texts
/// \param cache    its storage
/// \param prompts  at least one token each
/// \param options  how to go on: one for each prompt, or one for all; `stop_when` is left to single
///                 generations
/// \param limits   of a batch and its steps
/// \param log      receives what happens, its begin included; null if nobody looks
/// \throws Error as generate and StaticBatch do; nothing stays open then
BatchGeneration generate_in_batches(Decoder& decoder, SlabManager& manager, KvCache& cache,
                                    const std::vector<std::vector<TokenId>>& prompts,
                                    const std::vector<GenerationOptions>& options,
                                    const BatchLimits& limits, StepLog* log = nullptr);

}  // namespace quire
