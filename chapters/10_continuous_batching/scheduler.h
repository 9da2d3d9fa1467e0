/// \file
/// \brief Chapter 10: which sequences compute how many rows in the next step.
#pragma once

#include <deque>
#include <map>
#include <span>
#include <vector>

#include "src/core/ids.h"
#include "src/kv/kv_manager.h"

namespace quire {

/// \brief A sequence as a scheduler sees it: the tokens it knows, and how long it may become.
struct Sequence {
  SequenceId id{};              ///< its name
  std::vector<TokenId> tokens;  ///< prompt and generated: what it knows
  int max_rows = 0;             ///< P + G - 1: the most rows it will ever store
};

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
/// - the oldest sequence never gives way to a younger one, so there is progress in every step;
/// - at most max_sequences hold rows; all others wait, in order of arrival;
/// - nobody comes in during a step in which somebody had to leave.
class Scheduler {
 public:
  /// \brief A scheduler without sequences.
  /// \param manager  bookkeeping of the cache; must outlive the scheduler
  /// \param options  the limits of a step
  /// \throws Error if a limit is below 1
  Scheduler(KvManager& manager, const SchedulerOptions& options);

  /// \brief A sequence arrives, and waits.
  /// \param sequence  must outlive its stay; its tokens may grow between steps
  /// \throws Error if it knows nothing, or if its rows can never fit: waiting would not help
  void add(const Sequence& sequence);
  /// \brief Plans a step, and reserves its rows.
  ///
  /// Costs a look at each running sequence. Where rows lack, the latest arrival among the running
  /// gives all of its own back and waits to compute them again.
  /// \return shares of at most `budget` rows; none only if there are no sequences
  Plan schedule();
  /// \brief The planned step has run: its rows are stored.
  /// \param plan  what schedule() returned last
  void commit(const Plan& plan);
  /// \brief A sequence ends, in whatever state it is.
  /// \param sequence  one that was added
  /// \throws Error if it was not, or has ended
  void remove(SequenceId sequence);

  /// \brief Sequences that hold rows, in order of arrival.
  std::span<const Sequence* const> running() const { return running_; }
  /// \brief Sequences that wait, the next to come in first.
  const std::deque<const Sequence*>& waiting() const { return waiting_; }
  /// \brief Whether every sequence has ended.
  bool idle() const { return running_.empty() && waiting_.empty(); }
  /// \brief Checks the invariants.
  /// \throws Error that says which one is broken
  void check_invariants() const;

 private:
  int gap(const Sequence& sequence) const;
  bool make_room(std::size_t index, int rows, Plan& plan);
  void preempt_latest(Plan& plan);
  void admit(int budget, Plan& plan);
  bool let_in(const Sequence& sequence);

  KvManager& manager_;
  SchedulerOptions options_;
  std::vector<const Sequence*> running_;
  std::deque<const Sequence*> waiting_;
  std::map<SequenceId, int> arrivals_;
  int arrived_ = 0;
};

}  // namespace quire
