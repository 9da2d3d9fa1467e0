#include "src/log/step_log.h"

#include <gtest/gtest.h>

#include <sstream>

#include "src/log/json_log.h"
#include "tests/support/block_ids.h"

namespace quire {
namespace {

constexpr SequenceId kFirst{0}, kSecond{1};

// A log whose time is a counter, so that each event is half a second later than the last.
struct Ticking {
  double now = 0;
  MemoryLog log{[this] { return now += 0.5; }};
};

const LogHeader kHeader{.engine = "continuous",
                        .blocks = 8,
                        .block_size = 4,
                        .budget = 32,
                        .max_sequences = 2,
                        .bytes_per_row = 96};

std::vector<LogKind> kinds(const RecordedLog& log) {
  std::vector<LogKind> result;
  for (const LogEvent& event : log.events) result.push_back(event.kind);
  return result;
}

TEST(StepLog, StepsGoThroughTheirPhases) {
  MemoryLog log;
  log.begin(kHeader);
  log.arrive(kFirst, 3, 2);
  log.admit(kFirst);
  log.write(kFirst, 0, 3);
  log.run(3, 1);
  log.sample(kFirst, TokenId{7});
  log.end_step();
  log.finish(kFirst, LogReason::abort);
  log.end();
  std::vector<std::pair<int, LogPhase>> when;
  for (const LogEvent& event : log.log().events) when.emplace_back(event.step, event.phase);
  using enum LogPhase;
  EXPECT_EQ(
      when,
      (std::vector<std::pair<int, LogPhase>>{
          {0, schedule}, {0, schedule}, {0, compute}, {0, compute}, {0, sample}, {1, schedule}}));
}

TEST(StepLog, StepsWithoutEventsDoNotCount) {
  MemoryLog log;
  log.begin(kHeader);
  log.end_step();
  log.arrive(kFirst, 3, 2);
  log.end_step();
  log.end_step();
  log.arrive(kSecond, 3, 2);
  EXPECT_EQ(log.log().events[0].step, 0);
  EXPECT_EQ(log.log().events[1].step, 1);
  EXPECT_EQ(log.log().steps(), 2);
}

TEST(StepLog, TimeCountsFromTheBeginning) {
  Ticking ticking;
  ticking.now = 100;
  ticking.log.begin(kHeader);
  ticking.log.arrive(kFirst, 3, 2);
  ticking.log.arrive(kSecond, 3, 2);
  EXPECT_EQ(ticking.log.log().events[0].seconds, 0.5);
  EXPECT_EQ(ticking.log.log().events[1].seconds, 1.0);
}

TEST(StepLog, NewEntriesOfATableAreAllocated) {
  MemoryLog log;
  log.table(kFirst, test::block_ids({5, 2}));
  log.table(kFirst, test::block_ids({5, 2}));
  log.table(kFirst, test::block_ids({5, 2, 7}));
  ASSERT_EQ(kinds(log.log()), (std::vector<LogKind>{LogKind::allocate, LogKind::allocate}));
  EXPECT_EQ(log.log().events[0].blocks, test::block_ids({5, 2}));
  EXPECT_EQ(log.log().events[1].blocks, test::block_ids({7}));
}

TEST(StepLog, LostEntriesOfATableAreFreedFromItsEnd) {
  MemoryLog log;
  log.table(kFirst, test::block_ids({5, 2, 7, 1}));
  log.table(kFirst, test::block_ids({5, 2}));
  log.table(kFirst, {});
  ASSERT_EQ(log.log().events.size(), 3u);
  EXPECT_EQ(log.log().events[1].kind, LogKind::free);
  EXPECT_EQ(log.log().events[1].blocks, test::block_ids({1, 7}));
  EXPECT_EQ(log.log().events[2].blocks, test::block_ids({2, 5}));
}

TEST(StepLog, AChangedEntryOfATableIsACopy) {
  MemoryLog log;
  log.table(kFirst, test::block_ids({5, 2}));
  log.fork(kSecond, kFirst, test::block_ids({5, 2}));
  log.table(kSecond, test::block_ids({5, 3, 4}));
  ASSERT_EQ(kinds(log.log()), (std::vector<LogKind>{LogKind::allocate, LogKind::fork, LogKind::copy,
                                                    LogKind::allocate}));
  EXPECT_EQ(log.log().events[2].from, BlockId{2});
  EXPECT_EQ(log.log().events[2].to, BlockId{3});
  EXPECT_EQ(log.log().events[3].blocks, test::block_ids({4}));
}

TEST(StepLog, EventsDoNotInheritFromTheirPredecessors) {
  MemoryLog log;
  log.table(kFirst, test::block_ids({5, 2}));
  log.sample(kFirst, TokenId{7}, "tree");
  log.finish(kFirst, LogReason::stop);
  EXPECT_TRUE(log.log().events[1].blocks.empty());
  EXPECT_TRUE(log.log().events[2].text.empty());
}

TEST(JsonLog, WritesOneObjectALine) {
  std::ostringstream out;
  double now = 0;
  JsonLog log(out, [&now] { return now; });
  log.begin(kHeader);
  log.arrive(kFirst, 3, 2);
  now = 0.125;
  log.begin_step();
  now = 0.25;
  log.admit(kFirst);
  log.table(kFirst, test::block_ids({5}));
  log.write(kFirst, 0, 3);
  log.run(3, 1);
  log.fork(kSecond, kFirst, test::block_ids({5}));
  log.table(kSecond, test::block_ids({6}));
  log.sample(kFirst, TokenId{7}, "a \"tree\"\n\xff");
  log.end_step();
  log.preempt(kSecond);
  log.table(kSecond, {});
  log.resume(kSecond);
  log.finish(kFirst, LogReason::length);
  log.end();
  EXPECT_EQ(
      out.str(),
      R"({"event":"begin","version":1,"engine":"continuous","blocks":8,"block_size":4,"budget":32,"max_sequences":2,"bytes_per_row":96,"feeds_idle":false}
{"step":0,"seconds":0.000000,"phase":"schedule","event":"arrive","sequence":0,"prompt":3,"max_tokens":2}
{"step":0,"seconds":0.250000,"phase":"schedule","event":"admit","sequence":0,"stored":0}
{"step":0,"seconds":0.250000,"phase":"schedule","event":"allocate","sequence":0,"blocks":[5]}
{"step":0,"seconds":0.250000,"phase":"compute","event":"write","sequence":0,"position":0,"rows":3}
{"step":0,"seconds":0.250000,"phase":"compute","event":"run","rows":3,"sequences":1,"began":0.125000}
{"step":0,"seconds":0.250000,"phase":"sample","event":"fork","sequence":1,"parent":0,"blocks":[5]}
{"step":0,"seconds":0.250000,"phase":"sample","event":"copy","sequence":1,"from":5,"to":6}
{"step":0,"seconds":0.250000,"phase":"sample","event":"sample","sequence":0,"token":7,"text":"a \"tree\"\n)"
      "\xef\xbf\xbd"
      R"("}
{"step":1,"seconds":0.250000,"phase":"schedule","event":"preempt","sequence":1}
{"step":1,"seconds":0.250000,"phase":"schedule","event":"free","sequence":1,"blocks":[6]}
{"step":1,"seconds":0.250000,"phase":"schedule","event":"resume","sequence":1,"stored":0}
{"step":1,"seconds":0.250000,"phase":"schedule","event":"finish","sequence":0,"reason":"length"}
{"event":"end","steps":2}
)");
}

}  // namespace
}  // namespace quire
