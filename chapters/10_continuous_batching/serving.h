/// \file
/// \brief Some requests served by an engine, and what it did for them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "chapters/08_static_batching/batch_generation.h"
#include "chapters/09_paged_attention/block_manager.h"
#include "chapters/10_continuous_batching/engine.h"
#include "src/core/json.h"
#include "src/report/table.h"

namespace quire {

/// \brief What became of a request, or of one of its samples.
struct ServedRequest {
  std::vector<TokenId> prompt;       ///< as given
  std::vector<TokenId> tokens = {};  ///< generated
  std::string reason = {};           ///< "stop", "length", "error", or "refused" at admission
  std::string error = {};            ///< what was wrong, if something was
  int first_step = -1;               ///< in which its first token came; -1 if none did
  int last_step = -1;                ///< in which it ended; -1 if it was refused
};

/// \brief What an engine did for some requests.
struct ServingRecord {
  std::vector<ServedRequest> requests;  ///< in order, each sample for itself
  int steps = 0;                        ///< that ran
  Index rows = 0;                       ///< fed in all
  Index row_sequences = 0;              ///< sequences that had rows in a step, over all steps
  Index tokens = 0;                     ///< generated
  int preemptions = 0;                  ///< how often somebody had to leave
  int most_blocks = 0;                  ///< held at a time; 0 where memory has none
  double seconds = 0;                   ///< from the first step to the last
};

/// \brief Serves requests that all come at once.
/// \param engine    without requests
/// \param manager   what the engine was made with, not used before
/// \param requests  those that can never be served are refused, and the others served
/// \param progress  called after each step with the number of requests that ended in it; may be empty
ServingRecord serve(Engine& engine, const BlockManager& manager,
                    const std::vector<GenerationRequest>& requests,
                    const std::function<void(int)>& progress = {});

/// \brief Serves requests as chapter 08 does: in batches that wait for their longest text.
/// \param decoder   the model
/// \param manager   not used before
/// \param cache     its storage
/// \param requests  all of which must fit
/// \param limits    of a batch and its steps
/// \param log       receives what happens; null if nobody looks
/// \throws Error as generate_in_batches does
ServingRecord serve_in_batches(Decoder& decoder, SlabManager& manager, KvCache& cache,
                               const std::vector<GenerationRequest>& requests,
                               const BatchLimits& limits, StepLog* log = nullptr);

/// \brief What ways to serve the same requests took, each with its name.
using ServingRecords = std::vector<std::pair<std::string, ServingRecord>>;

/// \brief Ways to serve the same requests, beside each other.
/// \param records  by name
Table serving_table(const ServingRecords& records);
/// \brief A row for each request.
/// \param record  of some requests
Table requests_table(const ServingRecord& record);
/// \brief The sums as JSON: "steps", "rows", "tokens", "preemptions", "most_blocks", "seconds",
/// "tokens_per_second".
/// \param record  of some requests
Json to_json(const ServingRecord& record);

}  // namespace quire
