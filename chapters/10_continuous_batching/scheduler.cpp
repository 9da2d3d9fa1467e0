#include "chapters/10_continuous_batching/scheduler.h"

#include <algorithm>

#include "src/core/error.h"

namespace quire {
namespace {

template <class Sequences>
auto find(Sequences& sequences, SequenceId id) {
  return std::find_if(sequences.begin(), sequences.end(),
                      [id](const Sequence* sequence) { return sequence->id == id; });
}

int rows_of(const Plan& plan) {
  int rows = 0;
  for (const Share& share : plan.shares) rows += share.rows;
  return rows;
}

}  // namespace

Scheduler::Scheduler(KvManager& manager, const SchedulerOptions& options)
    : manager_(manager), options_(options) {
  require(options.budget >= 1, "a step of {} rows computes nothing; at least 1", options.budget);
  require(options.max_sequences >= 1, "{} sequences at a time is nobody; at least 1",
          options.max_sequences);
}

void Scheduler::add(const Sequence& sequence) {
  const int known = static_cast<int>(sequence.tokens.size());
  require(!arrivals_.contains(sequence.id), "sequence {} is here already", to_int(sequence.id));
  require(known > 0, "sequence {} knows no token; at least 1", to_int(sequence.id));
  require(sequence.max_rows >= known, "sequence {} knows {} tokens and may store {} rows",
          to_int(sequence.id), known, sequence.max_rows);
  require(sequence.max_rows <= manager_.capacity(),
          "sequence {} may need {} rows; the cache has {}, so it can never be served",
          to_int(sequence.id), sequence.max_rows, manager_.capacity());
  arrivals_[sequence.id] = arrived_++;
  waiting_.push_back(&sequence);
}

// [schedule]
Plan Scheduler::schedule() {
  Plan plan;
  // exercise 10.1 begin: Give each running sequence, in order of arrival, as many rows as it lacks
  // and the budget has left; then let in who waits, unless somebody had to leave.
  for (std::size_t i = 0; i < running_.size(); ++i) {
    const Sequence& sequence = *running_[i];
    const int rows = std::min(gap(sequence), options_.budget - rows_of(plan));
    if (rows == 0) break;
    if (!make_room(i, rows, plan)) break;
    plan.shares.push_back({sequence.id, rows});
  }
  if (plan.preempted.empty()) admit(options_.budget - rows_of(plan), plan);
  // exercise 10.1 end
  return plan;
}

int Scheduler::gap(const Sequence& sequence) const {
  return static_cast<int>(sequence.tokens.size()) - manager_.stored(sequence.id);
}

// Reserves rows for a running sequence. The latest arrivals leave until there are enough; false if
// the sequence had to leave itself.
bool Scheduler::make_room(std::size_t index, int rows, Plan& plan) {
  // exercise 10.2 begin: Reserve; while there is no room, preempt the latest arrival.
  while (!manager_.reserve(running_[index]->id, rows)) {
    const bool itself = index + 1 == running_.size();
    preempt_latest(plan);
    if (itself) return false;
  }
  return true;
  // exercise 10.2 end
}

// Its rows are forgotten and will be computed again, from the tokens that it knows.
void Scheduler::preempt_latest(Plan& plan) {
  const Sequence* latest = running_.back();
  // exercise 10.3 begin: The latest arrival gives its rows back and is the next to come in again.
  running_.pop_back();
  manager_.release(latest->id);
  waiting_.push_front(latest);
  plan.preempted.push_back(latest->id);
  // exercise 10.3 end
}

// First come, first served: nobody overtakes one who does not fit yet.
void Scheduler::admit(int budget, Plan& plan) {
  const auto most = static_cast<std::size_t>(options_.max_sequences);
  while (budget > 0 && running_.size() < most && !waiting_.empty() && let_in(*waiting_.front())) {
    const Sequence& sequence = *waiting_.front();
    waiting_.pop_front();
    running_.push_back(&sequence);
    const int rows = std::min(gap(sequence), budget);
    manager_.reserve(sequence.id, rows);
    plan.shares.push_back({sequence.id, rows});
    plan.admitted.push_back(sequence.id);
    budget -= rows;
  }
}

// A sequence comes in when there is room for all that it knows, or it would soon have to leave.
bool Scheduler::let_in(const Sequence& sequence) {
  if (!manager_.open(sequence.id, sequence.tokens, sequence.max_rows)) return false;
  if (manager_.reserve(sequence.id, gap(sequence))) return true;
  manager_.release(sequence.id);
  return false;
}
// [schedule]

void Scheduler::commit(const Plan& plan) {
  for (const Share& share : plan.shares) manager_.commit(share.sequence, share.rows);
}

void Scheduler::remove(SequenceId sequence) {
  require(arrivals_.erase(sequence) == 1, "sequence {} is not here", to_int(sequence));
  if (const auto runs = find(running_, sequence); runs != running_.end()) {
    manager_.release(sequence);
    running_.erase(runs);
  } else {
    waiting_.erase(find(waiting_, sequence));
  }
}

void Scheduler::check_invariants() const {
  require(static_cast<int>(running_.size()) <= options_.max_sequences,
          "{} sequences run, at most {} may", running_.size(), options_.max_sequences);
  require(running_.size() + waiting_.size() == arrivals_.size(), "{} run, {} wait, {} are here",
          running_.size(), waiting_.size(), arrivals_.size());
  int previous = -1;
  const auto expect_later = [&](const Sequence* sequence) {
    const int arrival = arrivals_.at(sequence->id);
    require(arrival > previous, "sequence {} stands behind one that came later",
            to_int(sequence->id));
    previous = arrival;
  };
  std::for_each(running_.begin(), running_.end(), expect_later);
  std::for_each(waiting_.begin(), waiting_.end(), expect_later);
}

}  // namespace quire
