/// \file
/// \brief What a scheduler promises, as plainly as it can be said: a list, and blocks that are only
/// counted.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

namespace quire::test {

/// \brief A plan in plain numbers.
struct PlainPlan {
  std::vector<std::pair<int, int>> shares;  ///< sequence and rows
  std::vector<int> admitted;                ///< sequences that came in
  std::vector<int> preempted;               ///< sequences that had to leave
  /// \brief The same plan.
  bool operator==(const PlainPlan&) const = default;
};

/// \brief A sequence in plain numbers.
struct PlainSequence {
  int id = 0;         ///< its name
  int prompt = 0;     ///< tokens of the prompt
  int known = 0;      ///< tokens in all
  int last = 0;       ///< tokens in all when it ends
  int stored = 0;     ///< rows that are computed
  int planned = 0;    ///< rows of the step that has been planned
  bool runs = false;  ///< whether it holds rows
};

/// \brief All sequences that have not ended, in order of arrival.
class PlainScheduler {
 public:
  int blocks = 0;                       ///< of the cache
  int block_size = 0;                   ///< rows a block
  int budget = 0;                       ///< rows a step
  int most = 0;                         ///< sequences that may run
  std::vector<PlainSequence> all = {};  ///< by arrival

  /// \brief What the next step computes.
  PlainPlan plan() {
    PlainPlan plan;
    int left = budget;
    for (PlainSequence& s : all) s.planned = 0;
    for (PlainSequence& s : all) {
      if (s.runs) serve(s, left, plan);
    }
    for (PlainSequence& s : all) {
      if (!s.runs && plan.preempted.empty() && !admit(s, left, plan)) break;
    }
    return plan;
  }

  /// \brief The planned step has run; whoever computed all it knows gets a token, and may end.
  /// \return who ended
  std::vector<int> commit() {
    std::vector<int> ended;
    for (PlainSequence& s : all) {
      s.stored += s.planned;
      if (s.planned == 0 || s.stored < s.known) continue;
      if (++s.known == s.last) ended.push_back(s.id);
    }
    std::erase_if(all, [](const PlainSequence& s) { return s.known == s.last; });
    return ended;
  }

  /// \brief A step has failed.
  void forget() {
    for (PlainSequence& s : all) s.stored = s.planned = s.runs = 0;
  }

 private:
  int blocks_for(int rows) const { return (rows + block_size - 1) / block_size; }

  int free() const {
    int held = 0;
    for (const PlainSequence& s : all) held += s.runs ? blocks_for(s.stored + s.planned) : 0;
    return blocks - held;
  }

  void serve(PlainSequence& s, int& left, PlainPlan& plan) {
    const int rows = std::min(s.known - s.stored, left);
    if (rows == 0) return;
    while (s.runs && blocks_for(s.stored + rows) - blocks_for(s.stored) > free()) {
      PlainSequence& latest =
          *std::find_if(all.rbegin(), all.rend(), [](const PlainSequence& x) { return x.runs; });
      latest.stored = latest.runs = 0;
      plan.preempted.push_back(latest.id);
    }
    if (s.runs) take(s, rows, left, plan);
  }

  bool admit(PlainSequence& s, int& left, PlainPlan& plan) {
    const auto running = std::count_if(all.begin(), all.end(), [](auto& x) { return x.runs; });
    if (left == 0 || running == most || blocks_for(s.known) > free()) return false;
    s.runs = true;
    plan.admitted.push_back(s.id);
    take(s, std::min(s.known, left), left, plan);
    return true;
  }

  static void take(PlainSequence& s, int rows, int& left, PlainPlan& plan) {
    s.planned = rows;
    left -= rows;
    plan.shares.push_back({s.id, rows});
  }
};

}  // namespace quire::test
