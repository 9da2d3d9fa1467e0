#include "tests/compare/comparison_report.h"

#include <gtest/gtest.h>

#include "tests/support/errors.h"

namespace quire::test {
namespace {

// One test of a log, with comparisons of F32.
Json test_on(const std::string& implementation, const std::string& suite, const std::string& status,
             int within, double worst, int beyond, Json excess = 0.0) {
  return {{"suite", suite},
          {"test", "IsRight"},
          {"implementation", implementation},
          {"variant", "ascending"},
          {"version", ""},
          {"status", status},
          {"why", status == "skipped" ? "no card" : ""},
          {"comparisons",
           {{{"dtype", "F32"},
             {"within", within},
             {"exact", 0},
             {"beyond", beyond},
             {"worst", worst},
             {"excess", std::move(excess)}}}}};
}

ComparisonReport report_of(const std::vector<Json>& tests) {
  ComparisonReport report;
  add_log(report, {{"tests", Json(tests)}}, "log.json");
  return report;
}

TEST(ComparisonReport, TestsOfOneOperatorAreAddedUp) {
  const ComparisonReport report = report_of({test_on("eigen", "attend", "passed", 3, 0.25, 0),
                                             test_on("eigen", "attend_exact", "passed", 4, 0.5, 0),
                                             test_on("cpu", "attend", "passed", 1, 0.125, 0)});
  const auto& tallies = report.rows.at({"attend", "F32"});
  EXPECT_EQ(tallies.at("eigen").within, 7);
  EXPECT_EQ(tallies.at("eigen").worst, 0.5);
  EXPECT_EQ(tallies.at("cpu").within, 1);
  EXPECT_EQ(report.implementations, (std::vector<std::string>{"eigen", "cpu"}));
}

TEST(ComparisonReport, ImplementationsHaveOnePlaceWhateverRanFirst) {
  const ComparisonReport report = report_of({test_on("abacus", "add", "passed", 1, 0, 0),
                                             test_on("gpu", "add", "passed", 1, 0, 0),
                                             test_on("eigen", "add", "passed", 1, 0, 0)});
  EXPECT_EQ(report.implementations, (std::vector<std::string>{"eigen", "gpu", "abacus"}));
}

TEST(ComparisonReport, AddBiasIsNoCaseOfAdd) {
  const ComparisonReport report = report_of({test_on("eigen", "add_bias", "passed", 1, 0, 0),
                                             test_on("eigen", "softmax", "passed", 1, 0, 0)});
  EXPECT_EQ(report.rows.count({"add_bias", "F32"}), 1u);
  EXPECT_EQ(report.rows.count({"softmax", "F32"}), 1u);
  EXPECT_EQ(report.rows.count({"add", "F32"}), 0u);
}

TEST(ComparisonReport, BeyondItsBoundIsAControlInATestThatPassesAndAFailureInOneThatFails) {
  const ComparisonReport report = report_of({test_on("eigen", "linear", "passed", 0, 0, 2, 5.0),
                                             test_on("eigen", "linear", "failed", 0, 0, 1, 7.0)});
  const ComparisonTally& tally = report.rows.at({"linear", "F32"}).at("eigen");
  EXPECT_EQ(tally.controls, 2);
  EXPECT_EQ(tally.failed, 1);
  EXPECT_EQ(tally.excess, 7);
  EXPECT_EQ(report.failed_tests, std::vector<std::string>{"linear.IsRight on eigen, ascending"});
}

TEST(ComparisonReport, AFailureIsSeenInTheTableAndOnThePage) {
  const Json fine = test_on("eigen", "linear", "passed", 9, 0.5, 0);
  const Json wrong = test_on("eigen", "linear", "failed", 8, 0.5, 1, Json());
  EXPECT_EQ(comparison_table(report_of({fine})).text().find("BEYOND"), std::string::npos);
  EXPECT_NE(comparison_table(report_of({fine, wrong})).text().find("BEYOND infinity (1)"),
            std::string::npos)
      << comparison_table(report_of({fine, wrong})).text();
  const std::string good = "<td class=\"right filled\"", bad = "<td class=\"right bad\"";
  EXPECT_NE(comparison_page(report_of({fine})).find(good), std::string::npos);
  EXPECT_EQ(comparison_page(report_of({fine})).find(bad), std::string::npos);
  EXPECT_NE(comparison_page(report_of({fine, wrong})).find(bad), std::string::npos);
}

TEST(ComparisonReport, SkippedTestsAreCountedWithTheirReason) {
  const ComparisonReport report = report_of(
      {test_on("gpu", "linear", "skipped", 0, 0, 0), test_on("gpu", "attend", "skipped", 0, 0, 0)});
  EXPECT_EQ(report.skipped, (std::vector<SkippedTests>{{"gpu", "no card", 2}}));
  EXPECT_TRUE(report.rows.empty());
  EXPECT_EQ(report.tests, 0);
}

TEST(ComparisonReport, ProgramsGetTheSameNumbers) {
  const Json json = to_json(report_of({test_on("eigen", "linear", "passed", 9, 0.5, 2, 3.0)}));
  const Json& row = json.at("rows").at(0);
  EXPECT_EQ(row.at("operator"), "linear");
  EXPECT_EQ(row.at("comparisons"), 9);
  EXPECT_EQ(row.at("worst_share_of_bound"), 0.5);
  EXPECT_EQ(row.at("controls_noticed"), 2);
  EXPECT_EQ(row.at("beyond_bound"), 0);
}

TEST(ComparisonReport, AFileThatIsNoLogIsRefused) {
  ComparisonReport report;
  expect_error([&] { add_log(report, Json::array(), "a.json"); }, {"a.json"});
  expect_error([&] { add_log(report, {{"tests", {{{"suite", 3}}}}}, "a.json"); }, {"a.json"});
}

}  // namespace
}  // namespace quire::test
