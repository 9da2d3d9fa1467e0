/// \file
/// \brief What engines report to: every step, event by event.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string_view>
#include <vector>

#include "src/log/log_event.h"

namespace quire {

/// \brief Receives what an engine does, in the order in which it happens, and passes it on as
/// events with their step, phase and time.
///
/// An engine holds a `StepLog*`, null where nobody looks, and then pays a comparison for each event.
/// It says when a step begins and ends, and the log knows the rest: what comes first is the schedule,
/// `write` and `run` belong to the computation, and what follows a run to the sampling. What happens
/// between two steps belongs to the schedule of the next.
class StepLog {
 public:
  /// \brief Gives seconds since some moment; never goes back.
  using Clock = std::function<double()>;

  /// \brief A log of nothing yet.
  /// \param clock  where the time comes from: a simulation brings its own; empty takes the time of
  ///               the machine
  explicit StepLog(Clock clock = {});
  virtual ~StepLog() = default;
  StepLog(const StepLog&) = delete;             ///< One engine, one log.
  StepLog& operator=(const StepLog&) = delete;  ///< One engine, one log.

  /// \brief The engine begins. Called once and first.
  /// \param header  what it is given
  void begin(const LogHeader& header);
  /// \brief A step begins: its duration counts from here; without the call, from the end of the
  /// step before.
  void begin_step();
  /// \brief A request comes, and waits.
  /// \param sequence    a name that was not used before
  /// \param prompt      tokens of its prompt
  /// \param max_tokens  the most tokens to generate
  void arrive(SequenceId sequence, int prompt, int max_tokens);
  /// \brief A sequence that waits runs for the first time.
  /// \param sequence  which
  /// \param stored    rows that were found stored
  void admit(SequenceId sequence, int stored = 0);
  /// \brief A preempted sequence runs again.
  /// \param sequence  which
  /// \param stored    rows that were found stored
  void resume(SequenceId sequence, int stored = 0);
  /// \brief A running sequence loses its rows, and waits. Its blocks are still to be given back:
  /// table() says so.
  /// \param sequence  which
  void preempt(SequenceId sequence);
  /// \brief A sequence begins with what another knows and stores at this moment.
  /// \param child   a name that was not used before
  /// \param parent  a running sequence
  /// \param table   the child's blocks, in position order
  void fork(SequenceId child, SequenceId parent, std::span<const BlockId> table);
  /// \brief A sequence that has just come in finds rows stored, in blocks that others hold.
  /// \param sequence  admitted or resumed with `stored` rows, and without blocks
  /// \param blocks    those in which the rows lie, in position order: its table so far
  void share(SequenceId sequence, std::span<const BlockId> blocks);
  /// \brief The table of a sequence may have changed; the log finds out what was allocated, copied
  /// or given back since the last call.
  ///
  /// Called after each reservation and, with an empty table, after a release. Costs a look at each
  /// block of the table.
  /// \param sequence  any
  /// \param table     its blocks, in position order
  void table(SequenceId sequence, std::span<const BlockId> table);
  /// \brief Rows of a sequence have been stored by the decoder's run.
  /// \param sequence  a running one
  /// \param position  of the first row
  /// \param rows      how many, at least 1
  void write(SequenceId sequence, int position, int rows);
  /// \brief The decoder has run. Called once a step, after the writes.
  /// \param rows       of all sequences
  /// \param sequences  how many had rows in it
  void run(int rows, int sequences);
  /// \brief A token has been chosen for a sequence.
  /// \param sequence  whose
  /// \param token     which
  /// \param text      what it adds to the text, empty if nobody knows
  void sample(SequenceId sequence, TokenId token, std::string_view text = {});
  /// \brief A sequence has ended; its blocks are still to be given back: table() says so.
  /// \param sequence  which, whatever it did
  /// \param reason    why
  void finish(SequenceId sequence, LogReason reason);
  /// \brief The step is over. A step in which nothing happened does not count.
  void end_step();
  /// \brief The engine has ended. Called once and last.
  void end();

 private:
  virtual void take_header(const LogHeader& header) = 0;
  virtual void take_event(const LogEvent& event) = 0;
  virtual void take_end(int steps) = 0;

  double now() const { return clock_() - begun_; }
  LogEvent& next(LogKind kind, SequenceId sequence);
  void report();
  void report_copy(SequenceId sequence, BlockId from, BlockId to);
  void report_blocks(LogKind kind, SequenceId sequence, std::span<const BlockId> blocks);

  Clock clock_;
  double begun_ = 0;       // by the clock
  double step_began_ = 0;  // since begun_
  int step_ = 0;
  bool empty_step_ = true;
  LogPhase phase_ = LogPhase::schedule;
  LogEvent event_;  // kept, so that an event costs no allocation
  std::map<SequenceId, std::vector<BlockId>> tables_;
};

/// \brief Keeps the events in memory.
class MemoryLog final : public StepLog {
 public:
  using StepLog::StepLog;

  /// \brief What has been reported so far.
  const RecordedLog& log() const { return log_; }

 private:
  void take_header(const LogHeader& header) override { log_.header = header; }
  void take_event(const LogEvent& event) override { log_.events.push_back(event); }
  void take_end(int) override { log_.complete = true; }

  RecordedLog log_;
};

}  // namespace quire
