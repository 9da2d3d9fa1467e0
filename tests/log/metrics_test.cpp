#include "src/log/metrics.h"

#include <gtest/gtest.h>

#include <numeric>

#include "src/log/metrics_report.h"
#include "tests/log/small_engine.h"
#include "tests/report/xml.h"
#include "tests/support/block_ids.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr SequenceId kFirst{0}, kSecond{1};

// Two requests whose times are whole seconds. The second waits for the first, is preempted after one
// row of decoding, and computes its four rows again.
RecordedLog two_requests() {
  double now = 0;
  MemoryLog log([&now] { return now; });
  log.begin({.engine = "by hand", .blocks = 4, .block_size = 4, .budget = 8, .max_sequences = 2});
  const auto compute = [&](SequenceId sequence, int position, int rows, double seconds) {
    now += seconds;
    log.write(sequence, position, rows);
    log.run(rows, 1);
    log.sample(sequence, TokenId{1});
  };
  log.arrive(kFirst, 5, 2);
  log.arrive(kSecond, 3, 3);
  log.begin_step();
  log.admit(kFirst);
  log.table(kFirst, block_ids({3, 2}));
  compute(kFirst, 0, 5, 2);  // second 2
  log.end_step();
  log.begin_step();
  compute(kFirst, 5, 1, 1);  // second 3
  log.finish(kFirst, LogReason::length);
  log.table(kFirst, {});
  log.end_step();
  now = 4;
  log.begin_step();
  log.admit(kSecond);
  log.table(kSecond, block_ids({1}));
  compute(kSecond, 0, 3, 2);  // second 6
  log.end_step();
  log.begin_step();
  compute(kSecond, 3, 1, 1);  // second 7
  log.end_step();
  log.preempt(kSecond);
  log.table(kSecond, {});
  log.end_step();
  log.begin_step();
  log.resume(kSecond);
  log.table(kSecond, block_ids({0, 1}));
  compute(kSecond, 0, 5, 3);  // second 10
  log.finish(kSecond, LogReason::stop);
  log.table(kSecond, {});
  log.end();
  return log.log();
}

TEST(Metrics, FirstTokensCountFromTheArrival) {
  const Spread first = measure(two_requests(), "log").time_to_first_token();
  EXPECT_EQ(first.count, 2u);
  EXPECT_EQ(first.mean, 4);
  EXPECT_EQ(first.p50, 2);
  EXPECT_EQ(first.p90, 6);
}

TEST(Metrics, LatencyBetweenTokensIsThatOfOneRequest) {
  const LogMetrics metrics = measure(two_requests(), "log");
  EXPECT_EQ(metrics.gaps, (std::vector<double>{1, 1, 3}));
  EXPECT_EQ(metrics.inter_token_latency().p50, 1);
  EXPECT_EQ(metrics.inter_token_latency().most, 3);
}

TEST(Metrics, QueueAndWholeRequestCountFromTheArrival) {
  const LogMetrics metrics = measure(two_requests(), "log");
  EXPECT_EQ(metrics.time_in_queue().most, 4);
  EXPECT_EQ(metrics.request_latency().p50, 3);
  EXPECT_EQ(metrics.request_latency().most, 10);
}

TEST(Metrics, ThroughputIsTokensByAllTheTime) {
  const LogMetrics metrics = measure(two_requests(), "log");
  EXPECT_EQ(metrics.tokens, 5);
  EXPECT_EQ(metrics.throughput(), 0.5);
}

TEST(Metrics, RowsThatPreemptionLostAreCountedAgain) {
  const LogMetrics metrics = measure(two_requests(), "log");
  EXPECT_EQ(metrics.preemptions, 1);
  EXPECT_EQ(metrics.rows, 5 + 1 + 3 + 1 + 5);
  EXPECT_EQ(metrics.recomputed, 4);
}

TEST(Metrics, WasteIsWhatHeldBlocksDoNotFill) {
  const LogMetrics metrics = measure(two_requests(), "log");
  std::vector<double> waste;
  std::vector<int> lost;
  for (const StepMetrics& run : metrics.runs) {
    waste.push_back(run.waste());
    lost.push_back(run.most_lost);
  }
  EXPECT_EQ(waste, (std::vector<double>{3. / 8, 2. / 8, 1. / 4, 0, 3. / 8}));
  EXPECT_EQ(lost, (std::vector<int>{3, 2, 1, 0, 3}));
  EXPECT_EQ(metrics.mean_waste(), 0.25);
}

TEST(Metrics, StepsTakeFromTheirBeginningToTheirRun) {
  const LogMetrics metrics = measure(two_requests(), "log");
  std::vector<double> seconds;
  for (const StepMetrics& run : metrics.runs) seconds.push_back(run.seconds);
  EXPECT_EQ(seconds, (std::vector<double>{2, 1, 2, 1, 3})) << "the idle second is no step's";
  EXPECT_EQ(metrics.steps, 6);
}

TEST(Metrics, PercentilesAreNearestRanks) {
  std::vector<double> numbers(200);
  std::iota(numbers.rbegin(), numbers.rend(), 1);
  const Spread spread = spread_of(numbers);
  EXPECT_EQ(spread.p50, 100);
  EXPECT_EQ(spread.p90, 180);
  EXPECT_EQ(spread.p99, 198);
  EXPECT_EQ(spread.most, 200);
  EXPECT_EQ(spread.mean, 100.5);
  EXPECT_EQ(spread_of({7}).p50, 7);
  EXPECT_EQ(spread_of({7}).p99, 7);
  EXPECT_EQ(spread_of({}).count, 0u);
}

TEST(Metrics, SampledTokensAreThoseOfTheRequests) {
  TestRandom random;
  MemoryLog log;
  run_all({}, random, log);
  const LogMetrics metrics = measure(log.log(), "log");
  std::int64_t tokens = 0;
  for (const RequestMetrics& request : metrics.requests) tokens += request.tokens;
  EXPECT_EQ(tokens, metrics.tokens);
  EXPECT_GT(tokens, 0);
  for (const StepMetrics& run : metrics.runs) {
    EXPECT_LE(run.rows_filled, run.rows_held);
    EXPECT_LT(run.most_lost, metrics.header.block_size) << "more than the last block is not full";
  }
}

TEST(MetricsReport, JsonHasTheNumbers) {
  const Json json = to_json(measure(two_requests(), "log"));
  EXPECT_EQ(json["time_to_first_token"]["p90_seconds"], 6);
  EXPECT_EQ(json["memory"]["waste_mean"], 0.25);
  EXPECT_EQ(json["memory"]["blocks_in_use_max"], 2);
  EXPECT_EQ(json["queue_max"], 1);
  EXPECT_EQ(json["requests"][1]["preemptions"], 1);
  EXPECT_EQ(json["requests"][1]["finish_reason"], "stop");
}

TEST(MetricsReport, TablesHaveTheNumbers) {
  const LogMetrics metrics = measure(two_requests(), "log");
  EXPECT_NE(latency_table(metrics).csv().find("to the first token,2,4,2,6,6,6"), std::string::npos)
      << latency_table(metrics).csv();
  EXPECT_NE(totals_table(metrics).csv().find("throughput,0.5"), std::string::npos)
      << totals_table(metrics).csv();
}

TEST(MetricsReport, ALogWithoutEventsHasTablesAndCharts) {
  const RecordedLog empty{.header = {.engine = "e", .blocks = 1, .block_size = 1}, .events = {}};
  const LogMetrics metrics = measure(empty, "log");
  EXPECT_FALSE(metrics_page(metrics, "nothing").empty());
  EXPECT_EQ(to_json(metrics)["tokens"], 0);
}

// Step i has i sequences that run.
LogMetrics many_runs(int count) {
  LogMetrics metrics;
  metrics.header.blocks = 9;
  metrics.header.block_size = 1;
  for (int i = 0; i < count; ++i) metrics.runs.push_back({.step = i, .running = i});
  return metrics;
}

TEST(MetricsReport, LongLogsHaveChartsOfBoundedSize) {
  const LogMetrics metrics = many_runs(100000);
  for (const Chart& chart : {blocks_chart(metrics), queue_chart(metrics), rows_chart(metrics)}) {
    EXPECT_LE(chart.series[0].points.size(), 400u);
    EXPECT_LT(chart.svg().size(), 100000u);
    EXPECT_NO_THROW(parse_xml(chart.svg()));
  }
}

TEST(MetricsReport, PointsOfLongLogsAreMeans) {
  const LogMetrics metrics = many_runs(800);
  const Chart chart = queue_chart(metrics);
  ASSERT_EQ(chart.series[0].points.size(), 400u);
  EXPECT_EQ(chart.series[0].points[1].x, 2);
  EXPECT_EQ(chart.series[0].points[1].y, 2.5);
  EXPECT_NE(chart.x.label.find("the mean of 2 steps"), std::string::npos);
}

}  // namespace
}  // namespace quire::test
