#include "tests/log/small_engine.h"

#include <algorithm>

#include "src/core/error.h"

namespace quire::test {

LogHeader header_of(const Load& load) {
  return {.engine = "small",
          .blocks = load.blocks,
          .block_size = load.block_size,
          .budget = load.budget,
          .max_sequences = load.max_sequences,
          .bytes_per_row = 96};
}

SmallEngine::SmallEngine(const Load& load, Random& random, StepLog& log)
    : load_(load), random_(random), log_(log), manager_(load.blocks, load.block_size) {}

bool SmallEngine::step() {
  const bool idle = waiting_.empty() && running_.empty();
  if (idle && arrived_ == load_.requests) return false;
  do maybe_arrive();
  while (waiting_.empty() && running_.empty());
  maybe_abort();
  log_.begin_step();
  schedule();
  compute();
  look_();
  maybe_fork();
  choose();
  log_.end_step();
  return true;
}

std::vector<SequenceId> SmallEngine::running() const {
  std::vector<SequenceId> names;
  for (const Sequence& sequence : running_) names.push_back(sequence.id);
  return names;
}

std::vector<SequenceId> SmallEngine::waiting() const {
  std::vector<SequenceId> names;
  for (const Sequence& sequence : waiting_) names.push_back(sequence.id);
  return names;
}

void SmallEngine::maybe_arrive() {
  if (arrived_ == load_.requests || below(2) == 0) return;
  const int rows = load_.blocks * load_.block_size;
  const int prompt = 1 + below(std::min(load_.most_tokens, rows / 2));
  const int tokens = 1 + below(std::min(load_.most_tokens, rows - prompt));
  waiting_.push_back({.id = SequenceId{named_++}, .known = prompt, .left = tokens});
  log_.arrive(waiting_.back().id, prompt, tokens);
  ++arrived_;
}

void SmallEngine::maybe_abort() {
  if (below(20) > 0) return;
  if (!running_.empty() && below(2) == 0) {
    const auto index = below(static_cast<int>(running_.size()));
    const Sequence gone = running_[static_cast<std::size_t>(index)];
    running_.erase(running_.begin() + index);
    finish(gone, LogReason::abort);
  } else if (!waiting_.empty()) {
    log_.finish(waiting_.back().id, LogReason::abort);
    waiting_.pop_back();
  }
}

void SmallEngine::schedule() {
  rows_.clear();
  preempted_ = false;
  int budget = load_.budget;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    const int rows = std::min(budget, running_[i].known - manager_.stored(running_[i].id));
    if (!make_room(i, rows)) break;
    rows_.push_back(rows);
    budget -= rows;
  }
  if (!preempted_) admit(budget);
}

bool SmallEngine::make_room(std::size_t index, int rows) {
  while (!manager_.reserve(running_[index].id, rows)) {
    preempt_latest();
    if (index == running_.size()) return false;
  }
  log_.table(running_[index].id, manager_.table(running_[index].id));
  return true;
}

void SmallEngine::preempt_latest() {
  const Sequence latest = running_.back();
  running_.pop_back();
  manager_.release(latest.id);
  log_.preempt(latest.id);
  log_.table(latest.id, {});
  waiting_.push_front(latest);
  preempted_ = true;
}

void SmallEngine::admit(int budget) {
  while (!waiting_.empty() && budget > 0 &&
         static_cast<int>(running_.size()) < load_.max_sequences) {
    Sequence next = waiting_.front();
    const int rows = std::min(budget, next.known);
    manager_.open(next.id, {}, next.known);
    if (!manager_.reserve(next.id, rows)) return manager_.release(next.id);
    next.ran ? log_.resume(next.id) : log_.admit(next.id);
    log_.table(next.id, manager_.table(next.id));
    next.ran = true;
    waiting_.pop_front();
    running_.push_back(next);
    rows_.push_back(rows);
    budget -= rows;
  }
}

void SmallEngine::compute() {
  int rows = 0, sequences = 0;
  manager_.take_copies();
  for (std::size_t i = 0; i < running_.size(); ++i) {
    if (rows_[i] == 0) continue;
    log_.write(running_[i].id, manager_.stored(running_[i].id), rows_[i]);
    manager_.commit(running_[i].id, rows_[i]);
    rows += rows_[i];
    ++sequences;
  }
  if (rows > 0) log_.run(rows, sequences);
}

void SmallEngine::maybe_fork() {
  if (running_.empty() || static_cast<int>(running_.size()) == load_.max_sequences) return;
  if (below(8) > 0 || preempted_) return;
  const Sequence parent =
      running_[static_cast<std::size_t>(below(static_cast<int>(running_.size())))];
  if (manager_.stored(parent.id) < parent.known) return;
  Sequence child = parent;
  child.id = SequenceId{named_++};
  manager_.fork(parent.id, child.id);
  log_.fork(child.id, parent.id, manager_.table(child.id));
  running_.push_back(child);
  rows_.push_back(1);
}

void SmallEngine::choose() {
  std::vector<Sequence> still;
  for (std::size_t i = 0; i < running_.size(); ++i) {
    Sequence sequence = running_[i];
    if (rows_[i] > 0 && manager_.stored(sequence.id) == sequence.known) {
      log_.sample(sequence.id, TokenId{below(100)}, below(2) == 0 ? "</script> \"quoted\"" : "");
      ++sequence.known;
      --sequence.left;
    }
    if (sequence.left > 0) {
      still.push_back(sequence);
    } else {
      finish(sequence, LogReason::length);
    }
  }
  running_ = std::move(still);
}

void SmallEngine::finish(const Sequence& sequence, LogReason reason) {
  manager_.release(sequence.id);
  log_.finish(sequence.id, reason);
  log_.table(sequence.id, {});
}

void run_all(const Load& load, Random& random, StepLog& log) {
  log.begin(header_of(load));
  SmallEngine engine(load, random, log);
  while (engine.step()) {
  }
  log.end();
}

}  // namespace quire::test
