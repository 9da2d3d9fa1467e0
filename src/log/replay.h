/// \file
/// \brief A step log played again: who holds which blocks, after every event.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "src/log/log_event.h"

namespace quire {

/// \brief What a sequence does.
enum class LogStatus {
  waiting,   ///< has arrived, or was preempted; holds nothing
  running,   ///< holds blocks, and computes
  finished,  ///< has ended
};

/// \brief A sequence as a log knows it.
struct ReplayedSequence {
  LogStatus status = LogStatus::waiting;  ///< what it does
  int prompt = 0;                         ///< tokens of its prompt
  int max_tokens = 0;                     ///< the most tokens it may generate
  int known = 0;                          ///< tokens of the prompt and generated
  int stored = 0;                         ///< rows that its blocks hold
  int generated = 0;           ///< tokens chosen for it, or for the one it was forked from
  bool ran = false;            ///< whether it was ever admitted
  int written_step = -1;       ///< in which step rows were last stored
  std::vector<BlockId> table;  ///< its blocks, in position order
};

/// \brief Applies events to a plain state, and refuses those that contradict it.
///
/// What must hold: a free block is allocated once; what is given back was held; a shared block is
/// never written; rows follow those that are stored, and lie in the table; no token comes from a
/// partial prefill; a sequence that waits or has ended holds nothing at the end of a step; a run has
/// the rows that were written, within the budget; nobody comes in during a step in which somebody had
/// to leave. Each event costs a search in a map and a look at each of its blocks.
class Replay {
 public:
  /// \brief The state before the first event: all blocks are free.
  /// \param header  of the log
  /// \throws Error if there is no block, or no row in one
  explicit Replay(const LogHeader& header);

  /// \brief The next event.
  /// \param event  of the same step as the last, or of a later one
  /// \throws Error that says what contradicts what; then the state is of no further use
  void apply(const LogEvent& event);
  /// \brief The last step is over: checks what holds between steps. The first event of the next step
  /// does it too.
  /// \throws Error that says what does not hold
  void close_step();

  /// \brief What the engine was given.
  const LogHeader& header() const { return header_; }
  /// \brief Every sequence that has arrived so far.
  const std::map<SequenceId, ReplayedSequence>& sequences() const { return sequences_; }
  /// \brief How many tables have a block.
  /// \param block  any block
  /// \throws Error if there is no such block
  int references(BlockId block) const;
  /// \brief Rows of a block that hold a token.
  /// \param block  any block
  /// \throws Error if there is no such block
  int filled(BlockId block) const;
  /// \brief Rows of all blocks that hold a token, shared ones counted once.
  std::int64_t filled_rows() const { return filled_rows_; }
  /// \brief Blocks that no table has.
  int free_blocks() const { return free_; }
  /// \brief Sequences that run.
  int running() const { return running_; }
  /// \brief Sequences that wait.
  int waiting() const { return waiting_; }

 private:
  void dispatch(const LogEvent& event);
  void arrive(const LogEvent& event);
  void enter(const LogEvent& event);
  void preempt(const LogEvent& event);
  void fork(const LogEvent& event);
  void share(const LogEvent& event);
  void allocate(const LogEvent& event);
  void copy(const LogEvent& event);
  void give_back(const LogEvent& event);
  void write(const LogEvent& event);
  void run(const LogEvent& event);
  void sample(const LogEvent& event);
  void finish(const LogEvent& event);

  ReplayedSequence& sequence(SequenceId id);
  ReplayedSequence& running_sequence(const LogEvent& event);
  void expect_room_to_run() const;
  void fill(const ReplayedSequence& sequence, std::int64_t first, std::int64_t end);
  std::size_t index(BlockId block) const;
  void take(BlockId block);
  void release(BlockId block);

  LogHeader header_;
  std::map<SequenceId, ReplayedSequence> sequences_;
  std::set<SequenceId> owing_;  // those that must give back all they hold in this step
  std::vector<int> references_, filled_;
  std::int64_t filled_rows_ = 0;
  int free_ = 0, running_ = 0, waiting_ = 0;
  int step_ = 0, written_rows_ = 0, written_sequences_ = 0;
  bool ran_ = false, preempted_ = false;
};

/// \brief Plays a whole log.
/// \param log    what was read
/// \param where  what to call it in messages, usually the file's name
/// \param visit  called with the state after each event, and the event; may be empty
/// \return the state at its end
/// \throws Error that names the line of the log and what is wrong with it
Replay replay(const RecordedLog& log, std::string_view where,
              const std::function<void(const Replay&, const LogEvent&)>& visit = {});

}  // namespace quire
