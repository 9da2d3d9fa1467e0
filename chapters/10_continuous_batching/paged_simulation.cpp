#include "chapters/10_continuous_batching/paged_simulation.h"

#include <fmt/format.h>

#include <algorithm>

#include "chapters/09_paged_attention/block_manager.h"

namespace quire {
namespace {

// Sequences whose tokens say nothing: a scheduler asks only how many there are.
class CountedSequences {
 public:
  CountedSequences(const std::vector<TraceRequest>& requests, Scheduler& scheduler)
      : requests_(requests), sequences_(requests.size()) {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      Sequence& sequence = sequences_[i];
      sequence.id = SequenceId{static_cast<std::int32_t>(i)};
      sequence.tokens.resize(static_cast<std::size_t>(requests[i].prompt_tokens));
      sequence.max_rows = requests[i].prompt_tokens + requests[i].output_tokens - 1;
      scheduler.add(sequence);
    }
  }

  // Whoever has computed all that it knows has a new token; returns whether it was the last.
  bool know_more(SequenceId id, const KvManager& manager) {
    Sequence& sequence = sequences_[static_cast<std::size_t>(to_int(id))];
    if (manager.stored(id) < sequence.known()) return false;
    sequence.tokens.push_back({});
    return sequence.known() > sequence.max_rows;
  }

  Index generated() const {
    Index tokens = 0;
    for (const TraceRequest& request : requests_) tokens += request.output_tokens;
    return tokens;
  }

 private:
  const std::vector<TraceRequest>& requests_;
  std::vector<Sequence> sequences_;
};

MemoryUse use_of(const BlockManager& manager, const Scheduler& scheduler, bool full) {
  MemoryUse use{.rows = manager.capacity()};
  for (const Sequence* sequence : scheduler.running()) {
    const int stored = manager.stored(sequence->id);
    const int held = static_cast<int>(manager.table(sequence->id).size()) * manager.block_size();
    use.tokens += stored;
    const int needed = std::min(held, sequence->max_rows) - stored;
    use.reserved += needed;
    use.internal += held - stored - needed;
  }
  const int free = use.rows - use.tokens - use.reserved - use.internal;
  (full ? use.external : use.unclaimed) = free;
  return use;
}

}  // namespace

Simulation simulate_continuous(const std::vector<TraceRequest>& requests, int blocks,
                               int block_size, const SchedulerOptions& options) {
  BlockManager manager(blocks, block_size);
  Scheduler scheduler(manager, options);
  CountedSequences sequences(requests, scheduler);
  Simulation simulation{.generated = sequences.generated(), .steps = {}};
  while (!scheduler.idle()) {
    const Plan& plan = scheduler.schedule();
    scheduler.commit();
    const auto running = static_cast<int>(scheduler.running().size());
    CountedStep step{
        .running = running, .waiting = static_cast<int>(scheduler.waiting().size()), .memory = {}};
    const bool full = step.waiting > 0 && running < options.max_sequences;
    step.memory = use_of(manager, scheduler, full);
    for (const Share& share : plan.shares) {
      step.rows += share.rows;
      if (sequences.know_more(share.sequence, manager)) scheduler.remove(share.sequence);
    }
    simulation.steps.push_back(step);
  }
  return simulation;
}

std::vector<ServedTrace> compare_with_slabs(const std::vector<TraceRequest>& requests,
                                            const ServingLimits& limits, int block_size,
                                            const SchedulerOptions& options) {
  std::vector<ServedTrace> served = compare_reservations(requests, limits);
  const auto add = [&](int sequences) {
    const int blocks = limits.slabs * limits.context / block_size;
    Simulation run = simulate_continuous(requests, blocks, block_size,
                                         {.budget = options.budget, .max_sequences = sequences});
    Totals totals = totals_of(run);
    std::string name = fmt::format("blocks of {}, at most {}", block_size, sequences);
    served.push_back({std::move(name), std::nullopt, std::move(run), totals});
  };
  add(limits.slabs);
  if (options.max_sequences != limits.slabs) add(options.max_sequences);
  return served;
}

double share_of_held(const Simulation& simulation) {
  double sum = 0;
  for (const CountedStep& step : simulation.steps) {
    const int held = step.memory.tokens + step.memory.reserved + step.memory.internal;
    sum += held == 0 ? 1 : static_cast<double>(step.memory.tokens) / held;
  }
  return sum / static_cast<double>(simulation.steps.size());
}

}  // namespace quire
