#include "tests/support/comparison_log.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <map>

#include "src/core/json.h"

namespace quire::test {
namespace {

// The comparisons of one test that have one dtype.
struct Tally {
  int within = 0;     // their bounds
  int exact = 0;      // of these, with a bound of 0
  int beyond = 0;     // their bounds
  double worst = 0;   // error over bound of those within
  double excess = 0;  // the same of those beyond
};

using Tallies = std::map<DType, Tally>;

// "On/RmsNorm" is about rms_norm.
std::string snake_case_of(const std::string& suite) {
  std::string name;
  for (const char c : suite.substr(suite.find('/') + 1)) {
    if (std::isupper(static_cast<unsigned char>(c)) && !name.empty()) name += '_';
    name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return name;
}

// What the test that runs has compared so far, and what those before it have.
class ComparisonLog : public testing::EmptyTestEventListener {
 public:
  explicit ComparisonLog(std::string file) : file_(std::move(file)) {}

  void set_compared(const Compared& compared) { current_ = &tallies_[compared]; }
  DType set_stored(DType dtype) { return std::exchange(stored_, dtype); }

  void note(double error, double bound) {
    if (current_ == nullptr) return;
    Tally& tally = (*current_)[stored_];
    const double share = share_of_bound(error, bound);
    if (error <= bound) {
      ++tally.within;
      tally.exact += bound == 0 ? 1 : 0;
      tally.worst = std::max(tally.worst, share);
    } else {
      ++tally.beyond;
      tally.excess = std::max(tally.excess, share);
    }
  }

  void OnTestStart(const testing::TestInfo&) override {
    current_ = nullptr;
    tallies_.clear();
  }

  void OnTestEnd(const testing::TestInfo& test) override {
    const testing::TestResult& result = *test.result();
    const char* status = result.Skipped() ? "skipped" : result.Passed() ? "passed" : "failed";
    for (const auto& [compared, tallies] : tallies_) {
      tests_.push_back({{"suite", snake_case_of(test.test_suite_name())},
                        {"test", test.name()},
                        {"implementation", compared.implementation},
                        {"variant", compared.variant},
                        {"version", compared.version},
                        {"status", status},
                        {"why", first_message(result)},
                        {"comparisons", to_json(tallies)}});
    }
  }

  void OnTestProgramEnd(const testing::UnitTest&) override {
    std::ofstream(file_) << Json{{"tests", std::move(tests_)}}.dump(1) << '\n';
  }

 private:
  static Json to_json(const Tallies& tallies) {
    Json list = Json::array();
    for (const auto& [dtype, tally] : tallies) {
      list.push_back({{"dtype", name_of(dtype)},
                      {"within", tally.within},
                      {"exact", tally.exact},
                      {"beyond", tally.beyond},
                      {"worst", tally.worst},
                      {"excess", tally.excess}});
    }
    return list;
  }

  static std::string first_message(const testing::TestResult& result) {
    return result.total_part_count() == 0 ? "" : result.GetTestPartResult(0).message();
  }

  std::string file_;
  std::map<Compared, Tallies> tallies_;
  Tallies* current_ = nullptr;  // null where nobody has said whose numbers these are
  DType stored_ = DType::f32;
  Json tests_ = Json::array();
};

// Null unless a log is asked for. GoogleTest owns it.
ComparisonLog* installed() {
  const char* file = std::getenv("QUIRE_COMPARE");
  if (file == nullptr || *file == '\0') return nullptr;
  auto* log = new ComparisonLog(file);
  testing::UnitTest::GetInstance()->listeners().Append(log);
  return log;
}

// Before main, since a listener that comes later would miss the beginning.
ComparisonLog* const log = installed();

}  // namespace

double share_of_bound(double error, double bound) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  const double share = error / bound;
  if (error <= bound) return std::isfinite(share) ? share : 0;
  // A bound that is no number is none that an error is within.
  return std::isnan(share) ? kInfinity : share;
}

void comparing(const Compared& compared) {
  if (log != nullptr) log->set_compared(compared);
}

StoredAs::StoredAs(DType dtype) : before_(log == nullptr ? DType::f32 : log->set_stored(dtype)) {}

StoredAs::~StoredAs() {
  if (log != nullptr) log->set_stored(before_);
}

void note_comparison(double error, double bound) {
  if (log != nullptr) log->note(error, bound);
}

}  // namespace quire::test
