// What an engine's log says, held against the tables that the engine has.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "src/core/error.h"
#include "src/log/replay.h"
#include "tests/chapters/serving.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "10#prove-it"};
}

class EngineLog : public testing::Test {
 protected:
  // Requests, one of them for three samples, in room for about two.
  void begin(int blocks, const SchedulerOptions& options) {
    log = std::make_unique<MemoryLog>();
    server = std::make_unique<Server>(model, blocks, 3, options);
    played = 0;
    server->engine.report_to(*log, server->manager);
    auto requests = four_requests(model.config());
    requests[1].samples = 3;
    for (const GenerationRequest& request : requests) server->add(request);
    state = std::make_unique<Replay>(log->log().header);
  }

  // Plays what has been logged since the last call.
  void play() {
    const std::vector<LogEvent>& events = log->log().events;
    for (; played < events.size(); ++played) state->apply(events[played]);
    state->close_step();
  }

  void expect_same_tables() {
    const Scheduler& scheduler = server->engine.scheduler();
    ASSERT_EQ(state->free_blocks(), server->manager.pool().free_blocks());
    ASSERT_EQ(state->running(), std::ssize(scheduler.running()));
    ASSERT_EQ(state->waiting(), std::ssize(scheduler.waiting()));
    for (const Sequence* sequence : scheduler.running()) {
      const ReplayedSequence& ours = state->sequences().at(sequence->id);
      const auto table = server->manager.table(sequence->id);
      ASSERT_TRUE(std::equal(table.begin(), table.end(), ours.table.begin(), ours.table.end()))
          << "table of sequence " << to_int(sequence->id);
      ASSERT_EQ(ours.stored, server->manager.stored(sequence->id));
      ASSERT_EQ(ours.known, sequence->known());
    }
  }

  int count(LogKind kind) const {
    int n = 0;
    for (const LogEvent& event : log->log().events) n += event.kind == kind;
    return n;
  }

  TestModel model{"llama-6-2", nullptr, 1, Backend::simd};
  std::unique_ptr<MemoryLog> log;
  std::unique_ptr<Server> server;
  std::unique_ptr<Replay> state;
  std::size_t played = 0;
};

TEST_F(EngineLog, PlayedAgainHasTheEnginesTablesAfterEveryStep) {
  begin(16, {.budget = 11});
  while (!server->engine.idle()) {
    server->step();
    ASSERT_NO_THROW(play());
    ASSERT_NO_FATAL_FAILURE(expect_same_tables()) << fact("a picture of a log cannot lie");
  }
  for (const LogKind kind : {LogKind::preempt, LogKind::resume, LogKind::share, LogKind::copy}) {
    EXPECT_GT(count(kind), 0) << name_of(kind);
  }
  EXPECT_EQ(count(LogKind::finish), 6);
  EXPECT_EQ(count(LogKind::sample), 12 + 3 * 9 + 18 + 6);
}

TEST_F(EngineLog, TellsOfAbortsInEveryState) {
  for (int victim = 0; victim < 6; ++victim) {
    begin(16, {.budget = 11, .max_sequences = 3});
    for (int step = 0; !server->engine.idle(); ++step) {
      if (step == 4 * victim) server->engine.abort(SequenceId{victim});
      server->step();
      ASSERT_NO_THROW(play());
      ASSERT_NO_FATAL_FAILURE(expect_same_tables());
    }
  }
}

TEST_F(EngineLog, OfAFailedStepSaysThatAllHadToLeave) {
  begin(16, {.budget = 11});
  server->step();
  server->step();
  struct Broken final : Observer {
    void on_value(std::string_view, int, ConstTensor) override {
      if (armed) fail("the device is gone");
    }
    bool armed = true;
  } broken;
  server->engine.watch(broken);
  EXPECT_THROW(server->engine.step(), Error);
  broken.armed = false;
  ASSERT_NO_THROW(play());
  ASSERT_NO_FATAL_FAILURE(expect_same_tables());
  EXPECT_EQ(state->running(), 0);
  while (!server->engine.idle()) {
    server->step();
    ASSERT_NO_THROW(play());
    ASSERT_NO_FATAL_FAILURE(expect_same_tables());
  }
}

TEST_F(EngineLog, SharedRowsMustLieInBlocksThatHoldThem) {
  begin(16, {.budget = 11});
  server->finish();
  std::vector<LogEvent> events = log->log().events;
  const auto share = std::find_if(events.begin(), events.end(), [](const LogEvent& event) {
    return event.kind == LogKind::share;
  });
  ASSERT_NE(share, events.end());
  const auto play_all = [&] {
    Replay fresh(log->log().header);
    for (const LogEvent& event : events) fresh.apply(event);
  };
  EXPECT_NO_THROW(play_all());
  const LogEvent right = *share;
  share->blocks.back() = BlockId{(to_int(right.blocks.back()) + 1) % 16};
  expect_error(play_all, {"does not hold the rows"});
  share->blocks = right.blocks;
  share->blocks.pop_back();
  expect_error(play_all, {"shares", "stored rows"});
  events.erase(share);
  expect_error(play_all, {"not in the table"});
}

}  // namespace
}  // namespace quire::test
