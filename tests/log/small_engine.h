/// \file
/// \brief An engine without a model, to make step logs: real tables of chapter 09, made-up tokens.
#pragma once

#include <deque>
#include <functional>
#include <utility>
#include <vector>

#include "chapters/09_paged_attention/block_manager.h"
#include "src/core/random.h"
#include "src/log/step_log.h"

namespace quire::test {

/// \brief How much there is to do, and with what.
struct Load {
  int blocks = 12;        ///< of the cache
  int block_size = 4;     ///< rows a block
  int budget = 16;        ///< rows of a step
  int max_sequences = 4;  ///< at the same time
  int requests = 8;       ///< in all, without forks
  int most_tokens = 100;  ///< of a prompt, and of what follows it
};

/// \brief The header of a log about a load.
/// \param load  how much there is to do
LogHeader header_of(const Load& load);

/// \brief First come, first served, with preemption of the latest, random forks and aborts.
class SmallEngine {
 public:
  /// \brief An engine that nobody has asked for anything.
  /// \param load    how much there will be to do
  /// \param random  makes requests, forks, aborts and tokens up
  /// \param log     hears everything
  SmallEngine(const Load& load, Random& random, StepLog& log);

  /// \brief Runs a step; requests may arrive before it.
  /// \return false, and nothing is done, if all requests have ended
  bool step();
  /// \brief Has somebody look at each step's run, before anybody who ends in it gives blocks back.
  /// \param look  called once a step
  void watch(std::function<void()> look) { look_ = std::move(look); }
  /// \brief The real bookkeeping.
  const BlockManager& manager() const { return manager_; }
  /// \brief The names of those who have rows at the moment.
  std::vector<SequenceId> running() const;
  /// \brief The names of those who wait.
  std::vector<SequenceId> waiting() const;

 private:
  struct Sequence {
    SequenceId id;
    int known = 0, left = 0;  // tokens: known, and still to be chosen
    bool ran = false;
  };

  int below(int count) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(count)));
  }
  void maybe_arrive();
  void maybe_abort();
  void schedule();
  bool make_room(std::size_t index, int rows);
  void preempt_latest();
  void admit(int budget);
  void compute();
  void maybe_fork();
  void choose();
  void finish(const Sequence& sequence, LogReason reason);

  Load load_;
  Random& random_;
  StepLog& log_;
  BlockManager manager_;
  std::function<void()> look_ = [] {};
  std::deque<Sequence> waiting_;
  std::vector<Sequence> running_;
  std::vector<int> rows_;  // of each running sequence in this step
  int arrived_ = 0, named_ = 0;
  bool preempted_ = false;
};

/// \brief A whole run.
/// \param load    how much there is to do
/// \param random  makes it up
/// \param log     hears everything, also the beginning and the end
void run_all(const Load& load, Random& random, StepLog& log);

}  // namespace quire::test
