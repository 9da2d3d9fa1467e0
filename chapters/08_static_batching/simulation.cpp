#include "chapters/08_static_batching/simulation.h"

#include <algorithm>

#include "src/core/error.h"

namespace quire {
namespace {

// Prompts that say nothing: a manager asks only how long they are.
class MadeUpPrompts {
 public:
  explicit MadeUpPrompts(const std::vector<TraceRequest>& requests) {
    int longest = 0;
    for (const TraceRequest& request : requests) {
      longest = std::max(longest, request.prompt_tokens);
    }
    tokens_.resize(static_cast<std::size_t>(longest));
  }
  std::span<const TokenId> of(const TraceRequest& request) const {
    return std::span(tokens_).first(static_cast<std::size_t>(request.prompt_tokens));
  }

 private:
  std::vector<TokenId> tokens_;
};

SequenceId id_of(std::size_t request) {
  return SequenceId{static_cast<std::int32_t>(request)};
}

Index tokens_of_all(const std::vector<TraceRequest>& requests) {
  Index tokens = 0;
  for (const TraceRequest& request : requests) tokens += request.output_tokens;
  return tokens;
}

void add(MemoryShares& sum, const MemoryUse& use) {
  const double rows = use.rows;
  sum.tokens += use.tokens / rows;
  sum.reserved += use.reserved / rows;
  sum.internal += use.internal / rows;
  sum.external += use.external / rows;
  sum.unclaimed += use.unclaimed / rows;
}

void divide(MemoryShares& sum, Index steps) {
  if (steps == 0) return;
  for (double* share : {&sum.tokens, &sum.reserved, &sum.internal, &sum.external, &sum.unclaimed}) {
    *share /= static_cast<double>(steps);
  }
}

// Runs a batch to its end.
void run_batch(StaticBatch& batch, const SlabManager& manager, int waiting,
               Simulation& simulation) {
  for (auto shares = batch.next(); !shares.empty(); shares = batch.next()) {
    CountedStep step{.waiting = waiting, .memory = {}};
    for (const BatchMember& member : batch.members()) step.running += member.finished ? 0 : 1;
    batch.commit(shares);
    for (const BatchShare& share : shares) {
      step.rows += share.rows;
      step.idle_rows += share.idle ? share.rows : 0;
      if (batch.gives_token(share)) batch.know(share.member);
    }
    step.memory = manager.use(waiting > 0, batch.finished());
    simulation.steps.push_back(step);
  }
}

// Requests that come in when there is room and leave when they have ended.
class Iterations {
 public:
  Iterations(const std::vector<TraceRequest>& requests, const SlabOptions& slabs,
             const BatchLimits& limits)
      : requests_(requests), prompts_(requests), manager_(slabs), limits_(limits) {
    require(limits.budget >= 1 && limits.max_sequences >= 1,
            "a budget of {} rows for at most {} sequences; at least 1 each", limits.budget,
            limits.max_sequences);
  }

  Simulation run() {
    while (next_ < requests_.size() || !running_.empty()) step();
    return std::move(result_);
  }

 private:
  struct Running {
    std::size_t request;
    int generated = 0;
    int rows = 0;  // of the step
  };

  void step() {
    int left = limits_.budget;
    for (Running& running : running_) left -= give_rows(running, left);
    while (left > 0 && let_in()) left -= give_rows(running_.back(), left);
    CountedStep step{.rows = limits_.budget - left,
                     .running = static_cast<int>(running_.size()),
                     .waiting = static_cast<int>(requests_.size() - next_),
                     .memory = {}};
    for (Running& running : running_) commit(running);
    step.memory = manager_.use(step.waiting > 0);
    result_.steps.push_back(step);
    std::erase_if(running_, [this](const Running& running) { return ends(running); });
  }

  int give_rows(Running& running, int left) {
    const SequenceId sequence = id_of(running.request);
    const int known = requests_[running.request].prompt_tokens + running.generated;
    running.rows = std::min(known - manager_.stored(sequence), left);
    require(manager_.reserve(sequence, running.rows), "sequence {} has no room in its slab",
            to_int(sequence));
    return running.rows;
  }

  bool let_in() {
    if (next_ == requests_.size()) return false;
    if (static_cast<int>(running_.size()) == limits_.max_sequences) return false;
    const TraceRequest& request = requests_[next_];
    const int rows = request.prompt_tokens + request.output_tokens - 1;
    if (!manager_.open(id_of(next_), prompts_.of(request), rows)) return false;
    running_.push_back({.request = next_++});
    return true;
  }

  // The step's rows are stored; whoever lacks none now has a new token.
  void commit(Running& running) {
    const SequenceId sequence = id_of(running.request);
    manager_.commit(sequence, running.rows);
    const int known = requests_[running.request].prompt_tokens + running.generated;
    if (running.rows > 0 && manager_.stored(sequence) == known) ++running.generated;
  }

  bool ends(const Running& running) {
    if (running.generated < requests_[running.request].output_tokens) return false;
    manager_.release(id_of(running.request));
    return true;
  }

  const std::vector<TraceRequest>& requests_;
  MadeUpPrompts prompts_;
  SlabManager manager_;
  BatchLimits limits_;
  std::vector<Running> running_;
  std::size_t next_ = 0;
  Simulation result_;
};

}  // namespace

Totals totals_of(const Simulation& simulation) {
  Totals totals{.steps = static_cast<Index>(simulation.steps.size()),
                .generated = simulation.generated,
                .memory = {},
                .loaded_memory = {}};
  for (const CountedStep& step : simulation.steps) {
    totals.rows += step.rows;
    totals.idle_rows += step.idle_rows;
    totals.running += step.running;
    add(totals.memory, step.memory);
    if (step.waiting == 0) continue;
    ++totals.loaded_steps;
    add(totals.loaded_memory, step.memory);
  }
  if (totals.steps > 0) totals.running /= static_cast<double>(totals.steps);
  divide(totals.memory, totals.steps);
  divide(totals.loaded_memory, totals.loaded_steps);
  return totals;
}

// [simulate_static]
Simulation simulate_static(const std::vector<TraceRequest>& requests, const SlabOptions& slabs,
                           const BatchLimits& limits) {
  const MadeUpPrompts prompts(requests);
  SlabManager manager(slabs);
  Simulation simulation{.generated = tokens_of_all(requests), .steps = {}};
  for (std::size_t next = 0; next < requests.size();) {
    StaticBatch batch(manager, limits);
    while (next < requests.size() &&
           batch.add(id_of(next), prompts.of(requests[next]), requests[next].output_tokens)) {
      ++next;
    }
    run_batch(batch, manager, static_cast<int>(requests.size() - next), simulation);
  }
  return simulation;
}
// [simulate_static]

Simulation simulate_iterations(const std::vector<TraceRequest>& requests, const SlabOptions& slabs,
                               const BatchLimits& limits) {
  Simulation simulation = Iterations(requests, slabs, limits).run();
  simulation.generated = tokens_of_all(requests);
  return simulation;
}

}  // namespace quire
