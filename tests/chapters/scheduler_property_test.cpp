// Any requests in any order: the scheduler does what the plain one does, and breaks no invariant.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <stdlib.h>

#include <map>
#include <memory>

#include "chapters/09_paged_attention/block_manager.h"
#include "chapters/10_continuous_batching/scheduler.h"
#include "src/core/error.h"
#include "tests/chapters/plain_scheduler.h"

namespace quire::test {
namespace {

// RapidCheck runs a hundred cases unless it is told otherwise, once, before the first of them.
const int kAsked = ::setenv("RC_PARAMS", "max_success=10000 max_size=200", 0);

enum Kind { arrive, step, abort_one, fail_step };

struct Call {
  int kind;  // of ten: 0 to 2 arrive, 3 to 7 step, 8 abort, 9 a step that fails
  int a, b;

  Kind what() const {
    if (kind < 3) return arrive;
    return kind < 8 ? step : kind == 8 ? abort_one : fail_step;
  }
};

void showValue(const Call& call, std::ostream& out) {
  constexpr const char* kNames[] = {"arrive", "step", "abort", "fail"};
  out << kNames[call.what()] << "(" << call.a << ", " << call.b << ")";
}

struct Limits {
  int blocks, block_size, budget, most;
};

void showValue(const Limits& limits, std::ostream& out) {
  out << limits.blocks << " blocks of " << limits.block_size << ", budget " << limits.budget
      << ", at most " << limits.most << " sequences";
}

// The real scheduler, the real blocks and the plain scheduler, told the same.
class World {
 public:
  explicit World(const Limits& limits)
      : manager_(limits.blocks, limits.block_size),
        scheduler_(manager_, {.budget = limits.budget, .max_sequences = limits.most}),
        plain_{limits.blocks, limits.block_size, limits.budget, limits.most} {}

  // A request of P prompt and G tokens to generate; too long ones are refused.
  void arrive(int prompt, int generated) {
    const int id = next_++, rows = prompt + generated - 1;
    auto& sequence = sequences_[id];
    sequence = std::make_unique<Sequence>();
    *sequence = {.id = SequenceId{id},
                 .tokens = std::vector<TokenId>(static_cast<std::size_t>(prompt)),
                 .max_rows = rows};
    bool accepted = true;
    try {
      scheduler_.add(*sequence);
    } catch (const Error&) {
      accepted = false;
      --next_;
    }
    RC_ASSERT(accepted == (rows <= plain_.blocks * plain_.block_size));
    if (!accepted) return;
    plain_.all.push_back({id, prompt, prompt, prompt + generated});
    shapes_.push_back({prompt, generated});
  }

  void step() {
    plan();
    scheduler_.commit();
    for (const PlainSequence& s : plain_.all) {
      if (s.planned > 0 && s.stored + s.planned == s.known) tokens_of(s.id).push_back({});
    }
    for (const int id : plain_.commit()) {
      check_nobody_equal_waits(id);
      end(id);
    }
    check_tables();
  }

  void abort(int which) {
    if (plain_.all.empty()) return;
    const auto index = which % static_cast<int>(plain_.all.size());
    const int id = plain_.all[static_cast<std::size_t>(index)].id;
    plain_.all.erase(plain_.all.begin() + index);
    end(id);
    check_tables();
  }

  void fail_step() {
    plan();
    scheduler_.forget_rows();
    plain_.forget();
    check_tables();
    RC_ASSERT(free_blocks() == plain_.blocks);
  }

  // In all runs together.
  static inline std::size_t preemptions = 0;

  // The oldest sequence computes at least a row in each step and never loses one, so nobody waits
  // longer than it takes to compute, row by row, all who came before.
  void finish_all() {
    int bound = 0;
    for (const PlainSequence& s : plain_.all) bound += s.last - 1;
    while (!scheduler_.idle()) {
      RC_ASSERT(bound-- > 0);
      step();
    }
    RC_ASSERT(free_blocks() == plain_.blocks);
  }

 private:
  std::vector<TokenId>& tokens_of(int id) { return sequences_.at(id)->tokens; }
  int free_blocks() const { return manager_.pool().free_blocks(); }

  // An earlier request of the same lengths has ended too.
  void check_nobody_equal_waits(int ended) {
    const auto shape = [&](int id) { return shapes_[static_cast<std::size_t>(id)]; };
    for (const PlainSequence& s : plain_.all) {
      RC_ASSERT(s.id > ended || shape(s.id) != shape(ended));
    }
  }

  void end(int id) {
    scheduler_.remove(SequenceId{id});
    sequences_.erase(id);
  }

  void plan() {
    const Plan& plan = scheduler_.schedule();
    PlainPlan ours;
    int rows = 0;
    for (const Share& share : plan.shares) {
      rows += share.rows;
      ours.shares.push_back({to_int(share.sequence), share.rows});
    }
    for (const SequenceId id : plan.admitted) ours.admitted.push_back(to_int(id));
    for (const SequenceId id : plan.preempted) ours.preempted.push_back(to_int(id));
    RC_ASSERT(ours == plain_.plan());
    RC_ASSERT(rows <= plain_.budget);
    RC_ASSERT((rows > 0) == !scheduler_.idle());
    RC_ASSERT(plan.preempted.empty() || plan.admitted.empty());
    preemptions += plan.preempted.size();
    scheduler_.check_invariants();
    manager_.check_invariants();
  }

  void check_tables() {
    scheduler_.check_invariants();
    manager_.check_invariants();
    std::size_t running = 0;
    for (const PlainSequence& s : plain_.all) {
      if (!s.runs) continue;
      const SequenceId id{s.id};
      RC_ASSERT(scheduler_.running()[running++]->id == id);
      RC_ASSERT(manager_.stored(id) == s.stored);
      RC_ASSERT(static_cast<Index>(manager_.table(id).size()) ==
                blocks_needed(s.stored, plain_.block_size));
    }
    RC_ASSERT(scheduler_.running().size() == running);
    RC_ASSERT(scheduler_.waiting().size() == plain_.all.size() - running);
  }

  BlockManager manager_;
  Scheduler scheduler_;
  PlainScheduler plain_;
  std::map<int, std::unique_ptr<Sequence>> sequences_;
  std::vector<std::pair<int, int>> shapes_;  // prompt and generated tokens by id
  int next_ = 0;
};

rc::Gen<Limits> any_limits() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(1, 12), rc::gen::inRange(1, 6), rc::gen::inRange(1, 12),
                     rc::gen::inRange(1, 7)),
      [](const auto& t) {
        return Limits{std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t)};
      });
}

rc::Gen<Call> any_call() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(0, 10), rc::gen::inRange(1, 20), rc::gen::inRange(1, 12)),
      [](const auto& t) {
        return Call{std::get<0>(t), std::get<1>(t), std::get<2>(t)};
      });
}

TEST(SchedulerProperty, AnyRequestsInAnyOrderAreServedAsThePlainSchedulerSays) {
  EXPECT_TRUE(rc::check("scheduler and plain scheduler agree", [] {
    World world(*any_limits());
    for (const Call& call : *rc::gen::container<std::vector<Call>>(any_call())) {
      switch (call.what()) {
        case arrive:
          world.arrive(call.a, call.b);
          break;
        case step:
          world.step();
          break;
        case abort_one:
          world.abort(call.a);
          break;
        case fail_step:
          world.fail_step();
          break;
      }
    }
    world.finish_all();
  }));
  EXPECT_GT(World::preemptions, 1000u) << "requests that never compete show little";
}

}  // namespace
}  // namespace quire::test
