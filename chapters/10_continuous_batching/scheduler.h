/// \file
/// \brief Chapter 10: which sequences compute how many rows in the next step.
#pragma once

#include <span>
#include <vector>

#include "chapters/10_continuous_batching/sequence.h"
#include "src/kv/kv_manager.h"
#include "src/log/step_log.h"

namespace quire {

/// \brief The limits of a step.
struct SchedulerOptions {
  int budget = 512;        ///< rows of a step, at least 1
  int max_sequences = 16;  ///< sequences that hold rows at the same time, at least 1
};

/// \brief How many rows of a sequence a step computes.
struct Share {
  SequenceId sequence{};  ///< whose
  int rows = 0;           ///< at least 1
};

/// \brief What a step will do.
struct Plan {
  std::vector<Share> shares;          ///< in order of arrival
  std::vector<SequenceId> admitted;   ///< came in for this step, resumed ones too
  std::vector<SequenceId> preempted;  ///< lost their rows to older ones, latest first
};

/// \brief Fills each step with the rows that sequences know and have not stored.
///
/// There is one formulation: a sequence knows some tokens, `stored` of them are computed, and a
/// step closes the gap for some sequences, in order of arrival, within a budget of rows. A prompt, a
/// chunk of one, a decoded token and a preempted sequence that computes everything again are gaps of
/// different sizes. Invariants, which check_invariants() asserts:
/// - at most max_sequences hold rows; all others wait;
/// - who runs came before who waits, and both stand in order of arrival.
///
/// So the oldest sequence never gives way to a younger one, and there is progress in every step.
class Scheduler {
 public:
  /// \brief A scheduler without sequences.
  /// \param manager  bookkeeping of the cache, which nobody else uses; must outlive the scheduler
  /// \param options  the limits of a step
  /// \throws Error if a limit is below 1, or if the manager retains nothing: then chunks are lost
  Scheduler(KvManager& manager, const SchedulerOptions& options);

  /// \brief From now on a log hears who is admitted, resumed and preempted, and of all tables.
  /// \param log        has begun; must outlive the scheduler
  /// \param placement  where the manager's sequences lie; must outlive the scheduler
  void report_to(StepLog& log, const Placement& placement);

  /// \brief A sequence arrives, and waits.
  /// \param sequence  must outlive its stay; its tokens may grow between steps
  /// \throws Error if its id is not greater than all before, if it knows nothing, or if its rows can
  ///         never fit: waiting would not help
  void add(const Sequence& sequence);
  /// \brief Plans a step, and reserves its rows.
  ///
  /// Costs a look at each running sequence, and allocates nothing unless somebody comes in. Where
  /// rows lack, the latest arrival among the running gives all of its own back and waits to compute
  /// them again. In such a step nobody comes in.
  /// \return shares of at most `budget` rows, valid until the next call; none only if no sequence has
  ///         a gap
  /// \throws Error whatever the manager throws; forget_rows() makes the scheduler fit for use again
  const Plan& schedule();
  /// \brief The step that schedule() planned last has run: its rows are stored.
  void commit();
  /// \brief A sequence ends, in whatever state it is.
  /// \param sequence  one that was added
  /// \throws Error if it was not, or has ended
  void remove(SequenceId sequence);
  /// \brief A step has failed, and nobody knows what memory holds: all rows are given back, and who
  /// ran waits to compute them again.
  void forget_rows();

  /// \brief What schedule() returned last.
  const Plan& plan() const { return plan_; }
  /// \brief Sequences that hold rows, in order of arrival.
  std::span<const Sequence* const> running() const { return running_; }
  /// \brief Sequences that wait, the next to come in first.
  std::span<const Sequence* const> waiting() const { return waiting_; }
  /// \brief Whether every sequence has ended.
  bool idle() const { return running_.empty() && waiting_.empty(); }
  /// \brief Checks the invariants.
  /// \throws Error that says which one is broken
  void check_invariants() const;

 private:
  int gap(const Sequence& sequence) const;
  bool make_room(std::size_t index, int rows);
  void preempt_latest();
  void admit(int budget);
  bool let_in();
  bool open(const Sequence& sequence);
  void report_entry(const Sequence& sequence);
  void report_table(SequenceId sequence);

  KvManager& manager_;
  SchedulerOptions options_;
  Plan plan_;
  std::vector<const Sequence*> running_, waiting_;
  SequenceId latest_arrival_{-1}, latest_entry_{-1};
  SequenceId entering_{-1};  // it holds rows, perhaps, and has not been reported yet
  StepLog* log_ = nullptr;
  const Placement* placement_ = nullptr;
};

}  // namespace quire
