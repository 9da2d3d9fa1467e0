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

}  // namespace

Scheduler::Scheduler(KvManager& manager, const SchedulerOptions& options)
    : manager_(manager), options_(options) {
  require(options.budget >= 1, "a step of {} rows computes nothing; at least 1", options.budget);
  require(options.max_sequences >= 1, "{} sequences at a time is nobody; at least 1",
          options.max_sequences);
  require(manager.retains(), "a cache that retains nothing cannot be filled in chunks");
}

void Scheduler::add(const Sequence& sequence) {
  const int id = to_int(sequence.id);
  require(sequence.id > latest_arrival_, "sequence {} arrives after sequence {}; ids count up", id,
          to_int(latest_arrival_));
  require(sequence.known() > 0, "sequence {} knows no token; at least 1", id);
  require(sequence.max_rows >= sequence.known(),
          "sequence {} knows {} tokens and may store {} rows", id, sequence.known(),
          sequence.max_rows);
  require(sequence.max_rows <= manager_.capacity(),
          "sequence {} may need {} rows; the cache has {}, so it can never be served", id,
          sequence.max_rows, manager_.capacity());
  waiting_.push_back(&sequence);
  latest_arrival_ = sequence.id;
}

// [schedule]
const Plan& Scheduler::schedule() {
  plan_.shares.clear();
  plan_.admitted.clear();
  plan_.preempted.clear();
  // exercise 10.1 begin: Give each running sequence, in order of arrival, as many rows as it lacks
  // and the budget has left; then let in who waits, unless somebody had to leave.
  int budget = options_.budget;
  for (std::size_t i = 0; i < running_.size() && budget > 0; ++i) {
    const SequenceId sequence = running_[i]->id;
    const int rows = std::min(gap(*running_[i]), budget);
    if (rows == 0) continue;
    if (!make_room(i, rows)) break;
    plan_.shares.push_back({sequence, rows});
    budget -= rows;
  }
  if (plan_.preempted.empty()) admit(budget);
  // exercise 10.1 end
  return plan_;
}

int Scheduler::gap(const Sequence& sequence) const {
  return sequence.known() - manager_.stored(sequence.id);
}

// Reserves rows for a running sequence. The latest arrivals leave until there are enough; false if
// the sequence had to leave itself.
bool Scheduler::make_room(std::size_t index, int rows) {
  const SequenceId sequence = running_[index]->id;
  // exercise 10.2 begin: Reserve; while there is no room, preempt the latest arrival.
  while (!manager_.reserve(sequence, rows)) {
    const bool itself = running_.back()->id == sequence;
    plan_.preempted.push_back(running_.back()->id);
    preempt_latest();
    if (itself) return false;
  }
  // exercise 10.2 end
  report_table(sequence);
  return true;
}

// Its rows are forgotten and will be computed again, from the tokens that it knows.
void Scheduler::preempt_latest() {
  const Sequence* latest = running_.back();
  if (log_ != nullptr && latest->id != entering_) log_->preempt(latest->id);
  // exercise 10.3 begin: The latest arrival gives its rows back and is the next to come in again.
  manager_.release(latest->id);
  running_.pop_back();
  waiting_.insert(waiting_.begin(), latest);
  // exercise 10.3 end
  report_table(latest->id);
}

// First come, first served: nobody overtakes one who does not fit yet.
void Scheduler::admit(int budget) {
  const auto most = static_cast<std::size_t>(options_.max_sequences);
  while (budget > 0 && running_.size() < most && !waiting_.empty() && let_in()) {
    const Sequence& sequence = *running_.back();
    const int rows = std::min(gap(sequence), budget);
    manager_.reserve(sequence.id, rows);  // no more than let_in() reserved
    report_entry(sequence);
    plan_.admitted.push_back(sequence.id);
    plan_.shares.push_back({sequence.id, rows});
    budget -= rows;
  }
}

// The next one comes in if there is room for all that it knows, or it would soon have to leave.
bool Scheduler::let_in() {
  entering_ = waiting_.front()->id;
  // exercise 10.4 begin: Open the sequence that waits first, and reserve its whole gap. Without room
  // it waits on, as if nothing had happened.
  const Sequence* next = waiting_.front();
  if (!open(*next)) return false;
  waiting_.erase(waiting_.begin());
  running_.push_back(next);
  if (manager_.reserve(next->id, gap(*next))) return true;
  manager_.release(next->id);
  running_.pop_back();
  waiting_.insert(waiting_.begin(), next);
  return false;
  // exercise 10.4 end
}
// [schedule]

// [siblings]
// What a sibling has stored is shared, and while the sibling still computes it, it is worth waiting.
bool Scheduler::open(const Sequence& sequence) {
  const auto sibling = sequence.sibling ? find(running_, *sequence.sibling) : running_.end();
  if (sibling == running_.end()) {
    return manager_.open(sequence.id, sequence.tokens, sequence.max_rows);
  }
  if (manager_.stored((*sibling)->id) < sequence.shared) return false;
  manager_.fork((*sibling)->id, sequence.id);
  // Its last token is computed in any case: a token is chosen from logits, and rows have none.
  manager_.truncate(sequence.id, std::min(sequence.shared, sequence.known() - 1));
  return true;
}
// [siblings]

void Scheduler::commit() {
  for (const Share& share : plan_.shares) manager_.commit(share.sequence, share.rows);
}

// [remove]
void Scheduler::remove(SequenceId sequence) {
  if (const auto runs = find(running_, sequence); runs != running_.end()) {
    manager_.release(sequence);
    running_.erase(runs);
    return report_table(sequence);
  }
  const auto waits = find(waiting_, sequence);
  require(waits != waiting_.end(), "sequence {} is not here", to_int(sequence));
  waiting_.erase(waits);
}

void Scheduler::forget_rows() {
  while (!running_.empty()) preempt_latest();
}
// [remove]

void Scheduler::report_to(StepLog& log, const Placement& placement) {
  log_ = &log;
  placement_ = &placement;
}

// Whoever came in before and comes in now has been preempted in between. Rows that are stored already
// are those of a sibling, in its first blocks.
void Scheduler::report_entry(const Sequence& sequence) {
  const bool resumed = sequence.id <= latest_entry_;
  latest_entry_ = std::max(latest_entry_, sequence.id);
  entering_ = SequenceId{-1};
  if (log_ == nullptr) return;
  const int stored = manager_.stored(sequence.id);
  resumed ? log_->resume(sequence.id, stored) : log_->admit(sequence.id, stored);
  if (stored > 0) {
    const auto blocks = blocks_needed(stored, placement_->block_size());
    log_->share(sequence.id,
                placement_->table(*sequence.sibling).first(static_cast<std::size_t>(blocks)));
  }
  report_table(sequence.id);
}

void Scheduler::report_table(SequenceId sequence) {
  if (log_ == nullptr) return;
  const bool runs = find(running_, sequence) != running_.end();
  log_->table(sequence, runs ? placement_->table(sequence) : std::span<const BlockId>{});
}

void Scheduler::check_invariants() const {
  require(static_cast<int>(running_.size()) <= options_.max_sequences,
          "{} sequences run, at most {} may", running_.size(), options_.max_sequences);
  SequenceId previous{-1};
  const auto expect_later = [&](const Sequence* sequence) {
    require(sequence->id > previous, "sequence {} stands behind one that came later",
            to_int(sequence->id));
    previous = sequence->id;
  };
  std::for_each(running_.begin(), running_.end(), expect_later);
  std::for_each(waiting_.begin(), waiting_.end(), expect_later);
}

}  // namespace quire
