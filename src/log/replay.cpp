#include "src/log/replay.h"

#include <algorithm>
#include <cstdint>

#include "src/core/error.h"

namespace quire {
namespace {

std::int64_t rows_of(const std::vector<BlockId>& table, int block_size) {
  return static_cast<std::int64_t>(table.size()) * block_size;
}

}  // namespace

Replay::Replay(const LogHeader& header) : header_(header), free_(header.blocks) {
  require(header.blocks > 0 && header.block_size > 0, "{} blocks of {} rows; at least 1 of each",
          header.blocks, header.block_size);
  references_.resize(static_cast<std::size_t>(header.blocks));
  filled_.resize(references_.size());
}

void Replay::apply(const LogEvent& event) {
  if (event.step != step_) close_step();
  step_ = event.step;
  dispatch(event);
}

void Replay::dispatch(const LogEvent& event) {
  switch (event.kind) {
    case LogKind::arrive:
      return arrive(event);
    case LogKind::admit:
    case LogKind::resume:
      return enter(event);
    case LogKind::preempt:
      return preempt(event);
    case LogKind::fork:
      return fork(event);
    case LogKind::share:
      return share(event);
    case LogKind::allocate:
      return allocate(event);
    case LogKind::copy:
      return copy(event);
    case LogKind::free:
      return give_back(event);
    case LogKind::write:
      return write(event);
    case LogKind::run:
      return run(event);
    case LogKind::sample:
      return sample(event);
    case LogKind::finish:
      return finish(event);
  }
}

void Replay::close_step() {
  require(ran_ || written_rows_ == 0, "step {} writes {} rows and has no run", step_,
          written_rows_);
  require(owing_.empty(),
          "sequence {} holds blocks at the end of step {}, but it waits or has ended",
          owing_.empty() ? 0 : to_int(*owing_.begin()), step_);
  written_rows_ = written_sequences_ = 0;
  ran_ = preempted_ = false;
}

void Replay::arrive(const LogEvent& event) {
  require(!sequences_.contains(event.sequence), "sequence {} has already arrived",
          to_int(event.sequence));
  sequences_[event.sequence] = {
      .prompt = event.prompt, .max_tokens = event.max_tokens, .known = event.prompt, .table = {}};
  ++waiting_;
}

void Replay::enter(const LogEvent& event) {
  ReplayedSequence& ours = sequence(event.sequence);
  require(ours.status == LogStatus::waiting, "sequence {} does not wait", to_int(event.sequence));
  require(ours.ran == (event.kind == LogKind::resume), "sequence {} {} before: this is no \"{}\"",
          to_int(event.sequence), ours.ran ? "ran" : "never ran", name_of(event.kind));
  require(event.stored < ours.known || event.stored == 0,
          "sequence {} knows {} tokens; it cannot come in with {} stored rows",
          to_int(event.sequence), ours.known, event.stored);
  require(!preempted_, "sequence {} comes in during a step in which another had to leave",
          to_int(event.sequence));
  expect_room_to_run();
  ours.status = LogStatus::running;
  ours.stored = event.stored;
  ours.ran = true;
  --waiting_;
  ++running_;
}

void Replay::preempt(const LogEvent& event) {
  ReplayedSequence& ours = running_sequence(event);
  ours.status = LogStatus::waiting;
  ours.stored = 0;
  if (!ours.table.empty()) owing_.insert(event.sequence);
  --running_;
  ++waiting_;
  preempted_ = true;
}

void Replay::fork(const LogEvent& event) {
  const ReplayedSequence& parent = sequence(event.parent);
  require(parent.status == LogStatus::running, "sequence {} does not run: nothing to fork from",
          to_int(event.parent));
  require(!sequences_.contains(event.sequence), "sequence {} has already arrived",
          to_int(event.sequence));
  const std::int64_t blocks =
      (std::int64_t{parent.stored} + header_.block_size - 1) / header_.block_size;
  require(blocks <= std::ssize(parent.table) &&
              std::equal(event.blocks.begin(), event.blocks.end(), parent.table.begin(),
                         parent.table.begin() + blocks),
          "sequence {} must begin with the {} blocks in which sequence {} stores its rows",
          to_int(event.sequence), blocks, to_int(event.parent));
  expect_room_to_run();
  ReplayedSequence child = parent;
  child.table = event.blocks;
  for (const BlockId block : child.table) ++references_[index(block)];
  sequences_.emplace(event.sequence, std::move(child));
  ++running_;
}

// [write]
void Replay::write(const LogEvent& event) {
  ReplayedSequence& ours = sequence(event.sequence);
  const bool idle = header_.feeds_idle && ours.status == LogStatus::finished;
  require(ours.status == LogStatus::running || idle, "sequence {} does not run: it stores nothing",
          to_int(event.sequence));
  const std::int64_t end = std::int64_t{event.position} + event.rows;
  // An idle row is the last one once more, in its place: a slab has room for no other.
  require(event.rows > 0 && (idle ? end : event.position) == ours.stored,
          "sequence {} stores {} rows from position {} on, but has {}", to_int(event.sequence),
          event.rows, event.position, ours.stored);
  require(end <= ours.known, "sequence {} stores rows up to position {}, but knows {} tokens",
          to_int(event.sequence), end - 1, ours.known);
  require(end <= rows_of(ours.table, header_.block_size),
          "sequence {} stores rows up to position {}, beyond its {} blocks of {}",
          to_int(event.sequence), end - 1, ours.table.size(), header_.block_size);
  require(ours.written_step != step_, "sequence {} stores rows twice in a step",
          to_int(event.sequence));
  fill(ours, event.position, end);
  ours.stored = static_cast<int>(end);
  ours.written_step = step_;
  written_rows_ += event.rows;
  ++written_sequences_;
}
// [write]

void Replay::run(const LogEvent& event) {
  require(!ran_, "the decoder runs twice in a step");
  require(event.rows == written_rows_ && event.sequences == written_sequences_,
          "the decoder runs {} rows of {} sequences, but {} rows of {} were stored", event.rows,
          event.sequences, written_rows_, written_sequences_);
  require(event.rows <= header_.budget, "a step of {} rows exceeds the budget of {}", event.rows,
          header_.budget);
  ran_ = true;
}

void Replay::sample(const LogEvent& event) {
  ReplayedSequence& ours = running_sequence(event);
  require(ran_, "a token of sequence {} comes without a run", to_int(event.sequence));
  require(ours.stored == ours.known,
          "a token of sequence {} comes after {} of its {} tokens: its prefill is partial",
          to_int(event.sequence), ours.stored, ours.known);
  require(ours.generated < ours.max_tokens, "sequence {} has its {} tokens, and gets one more",
          to_int(event.sequence), ours.max_tokens);
  ++ours.known;
  ++ours.generated;
}

void Replay::finish(const LogEvent& event) {
  ReplayedSequence& ours = sequence(event.sequence);
  require(ours.status != LogStatus::finished, "sequence {} has already ended",
          to_int(event.sequence));
  --(ours.status == LogStatus::running ? running_ : waiting_);
  ours.status = LogStatus::finished;
  if (!ours.table.empty() && !header_.feeds_idle) owing_.insert(event.sequence);
}

ReplayedSequence& Replay::sequence(SequenceId id) {
  const auto found = sequences_.find(id);
  require(found != sequences_.end(), "sequence {} has not arrived", to_int(id));
  return found->second;
}

ReplayedSequence& Replay::running_sequence(const LogEvent& event) {
  ReplayedSequence& ours = sequence(event.sequence);
  require(ours.status == LogStatus::running, "sequence {} does not run: no \"{}\" is possible",
          to_int(event.sequence), name_of(event.kind));
  return ours;
}

void Replay::expect_room_to_run() const {
  require(running_ < header_.max_sequences, "{} sequences run; more than {} may not", running_ + 1,
          header_.max_sequences);
}

Replay replay(const RecordedLog& log, std::string_view where,
              const std::function<void(const Replay&, const LogEvent&)>& visit) {
  Replay state(log.header);
  std::size_t line = 2;  // the header is the first
  try {
    for (const LogEvent& event : log.events) {
      state.apply(event);
      if (visit) visit(state, event);
      ++line;
    }
    state.close_step();
  } catch (const Error& error) {
    fail("{}: line {}: {}", where, line, error.what());
  }
  return state;
}

}  // namespace quire
