#include "src/log/step_log.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace quire {
namespace {

double machine_time() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

StepLog::StepLog(Clock clock) : clock_(clock ? std::move(clock) : machine_time) {}

void StepLog::begin(const LogHeader& header) {
  begun_ = clock_();
  take_header(header);
}

void StepLog::begin_step() {
  step_began_ = now();
}

void StepLog::arrive(SequenceId sequence, int prompt, int max_tokens) {
  LogEvent& event = next(LogKind::arrive, sequence);
  event.prompt = prompt;
  event.max_tokens = max_tokens;
  report();
}

void StepLog::admit(SequenceId sequence, int stored) {
  next(LogKind::admit, sequence).stored = stored;
  report();
}

void StepLog::resume(SequenceId sequence, int stored) {
  next(LogKind::resume, sequence).stored = stored;
  report();
}

void StepLog::preempt(SequenceId sequence) {
  next(LogKind::preempt, sequence);
  report();
}

void StepLog::fork(SequenceId child, SequenceId parent, std::span<const BlockId> table) {
  LogEvent& event = next(LogKind::fork, child);
  event.parent = parent;
  event.blocks.assign(table.begin(), table.end());
  tables_[child] = event.blocks;
  report();
}

// [table]
void StepLog::share(SequenceId sequence, std::span<const BlockId> blocks) {
  tables_[sequence].assign(blocks.begin(), blocks.end());
  report_blocks(LogKind::share, sequence, blocks);
}

void StepLog::table(SequenceId sequence, std::span<const BlockId> table) {
  std::vector<BlockId>& known = tables_[sequence];
  const std::size_t both = std::min(known.size(), table.size());
  if (known.size() > both) {
    std::reverse(known.begin() + static_cast<std::ptrdiff_t>(both), known.end());
    report_blocks(LogKind::free, sequence, std::span(known).subspan(both));
  }
  for (std::size_t i = 0; i < both; ++i) {
    if (known[i] != table[i]) report_copy(sequence, known[i], table[i]);
  }
  if (table.size() > both) report_blocks(LogKind::allocate, sequence, table.subspan(both));
  known.assign(table.begin(), table.end());
  if (known.empty()) tables_.erase(sequence);
}
// [table]

void StepLog::write(SequenceId sequence, int position, int rows) {
  phase_ = LogPhase::compute;
  LogEvent& event = next(LogKind::write, sequence);
  event.position = position;
  event.rows = rows;
  report();
}

void StepLog::run(int rows, int sequences) {
  phase_ = LogPhase::compute;
  LogEvent& event = next(LogKind::run, SequenceId{});
  event.rows = rows;
  event.sequences = sequences;
  event.began = step_began_;
  report();
  phase_ = LogPhase::sample;
}

void StepLog::sample(SequenceId sequence, TokenId token, std::string_view text) {
  LogEvent& event = next(LogKind::sample, sequence);
  event.token = token;
  event.text = text;
  report();
}

void StepLog::finish(SequenceId sequence, LogReason reason) {
  next(LogKind::finish, sequence).reason = reason;
  report();
}

void StepLog::end_step() {
  if (!empty_step_) ++step_;
  empty_step_ = true;
  phase_ = LogPhase::schedule;
  step_began_ = now();
}

void StepLog::end() {
  end_step();
  take_end(step_);
}

// The event that is kept, as if it were new; its vector and text keep their memory.
LogEvent& StepLog::next(LogKind kind, SequenceId sequence) {
  std::vector<BlockId> blocks = std::move(event_.blocks);
  std::string text = std::move(event_.text);
  blocks.clear();
  text.clear();
  event_ = LogEvent{.step = step_,
                    .seconds = now(),
                    .phase = phase_,
                    .kind = kind,
                    .sequence = sequence,
                    .blocks = std::move(blocks),
                    .text = std::move(text)};
  return event_;
}

void StepLog::report() {
  empty_step_ = false;
  take_event(event_);
}

void StepLog::report_copy(SequenceId sequence, BlockId from, BlockId to) {
  LogEvent& event = next(LogKind::copy, sequence);
  event.from = from;
  event.to = to;
  report();
}

void StepLog::report_blocks(LogKind kind, SequenceId sequence, std::span<const BlockId> blocks) {
  next(kind, sequence).blocks.assign(blocks.begin(), blocks.end());
  report();
}

}  // namespace quire
