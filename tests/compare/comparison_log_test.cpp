#include "tests/support/comparison_log.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "src/core/json.h"
#include "tests/support/shell.h"
#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

// What is noted of the tests in noted_tests.cpp.
class ComparisonLog : public testing::Test {
 protected:
  ComparisonLog() {
    const auto file = folder_.path() / "log.json";
    shell("QUIRE_COMPARE=" + file.string() + " " NOTED_TESTS);
    const Json log = read_json(file);
    for (const Json& test : log.at("tests")) tests_[test.at("test")].push_back(test);
  }

  const Json& test(const std::string& name, std::size_t way = 0) { return tests_[name].at(way); }

  // The comparisons of a test that have a dtype.
  Json comparisons(const std::string& name, const std::string& dtype) {
    for (const Json& c : test(name).at("comparisons")) {
      if (c.at("dtype") == dtype) return c;
    }
    return {};
  }

  TemporaryFolder folder_;
  std::map<std::string, std::vector<Json>> tests_;
};

TEST_F(ComparisonLog, HasWhoseNumbersWereCompared) {
  EXPECT_EQ(test("Passes").at("suite"), "add_bias");
  EXPECT_EQ(test("Passes").at("implementation"), "abacus");
  EXPECT_EQ(test("Passes").at("variant"), "2 hands");
  EXPECT_EQ(test("IsPartOfWhatIsCompared").at("version"), "v1");
}

TEST_F(ComparisonLog, TellsApartTheWaysInWhichATestRan) {
  EXPECT_EQ(test("IsComparedInTwoWays", 0).at("variant"), "1 hand");
  EXPECT_EQ(test("IsComparedInTwoWays", 0).at("comparisons").at(0).at("worst"), 0);
  EXPECT_EQ(test("IsComparedInTwoWays", 1).at("variant"), "2 hands");
  EXPECT_EQ(test("IsComparedInTwoWays", 1).at("comparisons").at(0).at("worst"), 0.5);
}

TEST_F(ComparisonLog, HasEachComparisonUnderTheDtypeThatItWasMadeFor) {
  EXPECT_EQ(comparisons("Passes", "F32").at("within"), 2);
  EXPECT_EQ(comparisons("Passes", "F32").at("exact"), 1);
  EXPECT_EQ(comparisons("Passes", "F32").at("worst"), 0.5);
  EXPECT_EQ(comparisons("Passes", "BF16").at("within"), 1);
  EXPECT_EQ(comparisons("Passes", "BF16").at("worst"), 0.25);
}

TEST_F(ComparisonLog, HasWhatIsBeyondABoundWhetherItWasMeantOrNot) {
  EXPECT_EQ(comparisons("NoticesAMistake", "F32").at("beyond"), 1);
  EXPECT_EQ(test("NoticesAMistake").at("status"), "passed");
  EXPECT_EQ(comparisons("Fails", "F32").at("beyond"), 1);
  EXPECT_EQ(comparisons("Fails", "F32").at("excess"), 4);
  EXPECT_EQ(test("Fails").at("status"), "failed");
}

TEST_F(ComparisonLog, NumbersThatCannotBeComparedAreInfinitelyFarOff) {
  EXPECT_TRUE(comparisons("IsPartOfWhatIsCompared", "F32").at("excess").is_null());
}

TEST_F(ComparisonLog, SaysWhyATestWasSkipped) {
  EXPECT_EQ(test("IsSkipped").at("status"), "skipped");
  EXPECT_EQ(test("IsSkipped").at("why"), "there is no abacus");
}

TEST_F(ComparisonLog, HasNothingOfTestsThatSayNothing) {
  EXPECT_EQ(tests_.count("IsNotNoted"), 0u);
}

TEST_F(ComparisonLog, IsReadByTheProgramThatFailsWithTheFirstFailedTest) {
  const auto page = folder_.path() / "page.html";
  const Result result = shell(COMPARE " " + folder_.path().string() + " --page " + page.string());
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("abacus"), std::string::npos) << result.output;
  EXPECT_NE(result.output.find("add_bias.Fails on abacus, 2 hands"), std::string::npos);
  EXPECT_NE(read_file(page).find("there is no abacus"), std::string::npos);
}

TEST(CompareProgram, SaysWhereThereIsNoLog) {
  const TemporaryFolder empty;
  const Result result = shell(COMPARE " " + empty.path().string());
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("has no log of comparisons; ./learn compare"), std::string::npos);
}

TEST(ShareOfBound, IsOneAtTheBound) {
  EXPECT_EQ(share_of_bound(0.25, 0.5), 0.5);
  EXPECT_EQ(share_of_bound(0.5, 0.5), 1);
  EXPECT_EQ(share_of_bound(0, 0), 0);
}

TEST(ShareOfBound, IsNeverLessThanOneBeyondIt) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(share_of_bound(1e-30, 0), infinity);
  EXPECT_EQ(share_of_bound(infinity, 1), infinity);
  EXPECT_EQ(share_of_bound(1, std::nan("")), infinity);
}

TEST(ShareOfBound, IsNothingOfABoundThatEverythingIsWithin) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(share_of_bound(1, infinity), 0);
  EXPECT_EQ(share_of_bound(infinity, infinity), 0);
}

}  // namespace
}  // namespace quire::test
