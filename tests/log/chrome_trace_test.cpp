#include "src/log/chrome_trace.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <map>

#include "src/core/json.h"
#include "src/log/metrics.h"
#include "src/log/read_log.h"
#include "tests/log/small_engine.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

// A log whose clock goes on by a quarter of a second with each look at it.
RecordedLog some_log() {
  TestRandom random;
  double now = 0;
  MemoryLog log([&now] { return now += 0.25; });
  run_all({.blocks = 20, .requests = 20}, random, log);
  return log.log();
}

std::vector<Json> events_of(const RecordedLog& log, const std::string& phase) {
  std::vector<Json> events;
  const Json trace = Json::parse(chrome_trace(log, "log"));
  for (const Json& event : trace["traceEvents"]) {
    if (event["ph"] == phase) events.push_back(event);
  }
  return events;
}

TEST(ChromeTrace, SlicesOfALaneDoNotOverlap) {
  std::map<int, double> ends;
  for (const Json& slice : events_of(some_log(), "X")) {
    double& end = ends[slice["tid"].get<int>()];
    EXPECT_GE(slice["ts"].get<double>(), end);
    EXPECT_GT(slice["dur"].get<double>(), 0);
    end = slice["ts"].get<double>() + slice["dur"].get<double>();
  }
  EXPECT_EQ(ends.size(), 5u) << "the lane of the steps, and four places in the batch";
}

TEST(ChromeTrace, SlicesOfTheBatchHaveTheRowsOfTheSteps) {
  std::map<int, int> in_steps, in_places;
  for (const Json& slice : events_of(some_log(), "X")) {
    const int step = slice["args"]["step"].get<int>(), rows = slice["args"]["rows"].get<int>();
    (slice["tid"] == 0 ? in_steps : in_places)[step] += rows;
  }
  EXPECT_EQ(in_steps, in_places);
  EXPECT_FALSE(in_steps.empty());
}

TEST(ChromeTrace, EveryRequestBeginsAndEndsOnce) {
  const RecordedLog log = some_log();
  std::map<int, int> begun, ended;
  for (const Json& event : events_of(log, "b")) ++begun[event["id"].get<int>()];
  for (const Json& event : events_of(log, "e")) ++ended[event["id"].get<int>()];
  EXPECT_EQ(begun, ended);
  EXPECT_EQ(begun.size(), measure(log, "log").requests.size());
  for (const auto& [id, times] : begun) EXPECT_EQ(times, 1) << id;
}

TEST(ChromeTrace, CountersAreThoseOfTheMetrics) {
  const RecordedLog log = some_log();
  std::vector<int> counted, measured;
  for (const Json& event : events_of(log, "C")) {
    if (event["name"] == "blocks in use") counted.push_back(event["args"]["blocks"].get<int>());
  }
  for (const StepMetrics& run : measure(log, "log").runs) measured.push_back(run.blocks);
  EXPECT_EQ(counted, measured);
}

TEST(ChromeTrace, RowsAreComputedAgainAfterPreemption) {
  std::map<std::string, int> rows;
  const RecordedLog log = some_log();
  for (const Json& slice : events_of(log, "X")) {
    if (slice["tid"] == 0) continue;
    const std::string name = slice["name"];
    rows[name.substr(name.find(' ') + 1)] += 1;
  }
  ASSERT_GT(measure(log, "log").recomputed, 0);
  EXPECT_GT(rows["recompute"], 0);
  EXPECT_GT(rows["prefill"], 0);
  EXPECT_GT(rows["decode"], 0);
  EXPECT_EQ(rows.size(), 3u);
}

TEST(ChromeTrace, RowsOfWhoHasEndedAreIdle) {
  const RecordedLog log =
      read_log(std::filesystem::path(QUIRE_SOURCE_DIR) / "tests/fuzz/seeds/step_log/idle");
  std::vector<std::string> names;
  for (const Json& slice : events_of(log, "X")) names.push_back(slice["name"]);
  EXPECT_EQ(names, (std::vector<std::string>{"step 0", "0 prefill", "step 1", "0 idle"}));
}

}  // namespace
}  // namespace quire::test
