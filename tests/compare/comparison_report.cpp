#include "tests/compare/comparison_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "src/core/counters.h"
#include "src/core/error.h"
#include "src/report/format.h"
#include "src/report/html.h"

namespace quire {
namespace {

constexpr int kManyComparisons = 1 << 30;

// The slowest and plainest first.
constexpr std::array kImplementations = {"eigen", "cpu", "emulated", "gpu"};

void insert_in_order(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  names.push_back(name);
  const auto place = [](const std::string& n) {
    return std::find(kImplementations.begin(), kImplementations.end(), n);
  };
  std::stable_sort(names.begin(), names.end(),
                   [&](const auto& a, const auto& b) { return place(a) < place(b); });
}

// The operator that a suite is about: attend_refusals and attend_exact are about attend. What is no
// operator of a decoder, such as a softmax by itself, is called what its suite is.
std::string operator_of(const std::string& suite) {
  std::string found;
  for (std::size_t i = 0; i < kOperators; ++i) {
    const std::string name(name_of(static_cast<Operator>(i)));
    const bool begins = suite == name || suite.starts_with(name + "_");
    if (begins && name.size() > found.size()) found = name;
  }
  return found.empty() ? suite : found;
}

int count_in(const JsonObject& comparison, std::string_view key) {
  return static_cast<int>(comparison.integer(key, 0, kManyComparisons));
}

// JSON has no infinity; null stands for it.
double share_in(const JsonObject& comparison, std::string_view key) {
  if (comparison.is_null(key)) return std::numeric_limits<double>::infinity();
  return comparison.number(key, 0, std::numeric_limits<double>::max());
}

void add_comparison(const JsonObject& comparison, bool test_failed, ComparisonTally& tally) {
  const int beyond = count_in(comparison, "beyond");
  tally.within += count_in(comparison, "within");
  tally.exact += count_in(comparison, "exact");
  tally.worst = std::max(tally.worst, share_in(comparison, "worst"));
  if (!test_failed) {
    tally.controls += beyond;
  } else if (beyond > 0) {
    tally.failed += beyond;
    tally.excess = std::max(tally.excess, share_in(comparison, "excess"));
  }
}

void add_skipped(ComparisonReport& report, const std::string& implementation,
                 const std::string& why) {
  const auto same = [&](const SkippedTests& s) {
    return s.implementation == implementation && s.why == why;
  };
  const auto known = std::find_if(report.skipped.begin(), report.skipped.end(), same);
  if (known != report.skipped.end()) {
    ++known->tests;
  } else {
    report.skipped.push_back({implementation, why, 1});
  }
}

void add_test(ComparisonReport& report, const JsonObject& test) {
  const std::string& implementation = test.text("implementation");
  const std::string& status = test.text("status");
  insert_in_order(report.implementations, implementation);
  if (status == "skipped") return add_skipped(report, implementation, test.text("why"));
  ++report.tests;
  const bool failed = status == "failed";
  const std::string& variant = test.text("variant");
  if (failed) {
    report.failed_tests.push_back(fmt::format("{}.{} on {}, {}", test.text("suite"),
                                              test.text("test"), implementation, variant));
  }
  const std::string version = test.text("version");
  const std::string name = operator_of(test.text("suite")) + (version.empty() ? "" : " " + version);
  for (const Json& entry : test.array("comparisons")) {
    const JsonObject comparison(entry, test.name_of("comparisons"));
    ComparisonTally& tally = report.rows[{name, comparison.text("dtype")}][implementation];
    add_comparison(comparison, failed, tally);
    tally.variants.insert(variant);
  }
}

void add(ComparisonTally& sum, const ComparisonTally& tally) {
  sum.within += tally.within;
  sum.exact += tally.exact;
  sum.worst = std::max(sum.worst, tally.worst);
  sum.failed += tally.failed;
  sum.excess = std::max(sum.excess, tally.excess);
  sum.controls += tally.controls;
  sum.variants.insert(tally.variants.begin(), tally.variants.end());
}

ComparisonTally tally_of(const ComparisonReport& report, const std::string& implementation) {
  ComparisonTally sum;
  for (const auto& [what, tallies] : report.rows) {
    const auto tally = tallies.find(implementation);
    if (tally != tallies.end()) add(sum, tally->second);
  }
  return sum;
}

std::string counted(std::size_t count, const char* one, const char* many) {
  return fmt::format("{} {}", format_count(count), count == 1 ? one : many);
}

std::string text_of(const SkippedTests& skipped) {
  return fmt::format("{} skipped {}: {}", skipped.implementation,
                     counted(static_cast<std::size_t>(skipped.tests), "test", "tests"),
                     skipped.why);
}

Cell cell_of(const std::map<std::string, ComparisonTally>& tallies,
             const std::string& implementation) {
  const auto found = tallies.find(implementation);
  if (found == tallies.end()) return Cell("–").toned(Tone::absent);
  const ComparisonTally& tally = found->second;
  if (tally.failed > 0) {
    return Cell(fmt::format("BEYOND {} ({})", format_number(tally.excess, 2), tally.failed),
                tally.excess)
        .toned(Tone::bad);
  }
  const bool is_exact = tally.exact == tally.within;
  const std::string worst = is_exact ? "exact" : fmt::format("{:.2f}", tally.worst);
  return Cell(fmt::format("{} ({})", worst, format_count(static_cast<std::uint64_t>(tally.within))),
              tally.worst)
      .toned(Tone::filled, tally.worst);
}

Json number_or_null(double number) {
  return std::isinf(number) ? Json() : Json(number);
}

// How each implementation ran.
Table implementation_table(const ComparisonReport& report) {
  Table table({{"implementation", "", Align::left},
               {"comparisons"},
               {"worst"},
               {"beyond"},
               {"controls"},
               {"ran with", "", Align::left}});
  for (const std::string& name : report.implementations) {
    const ComparisonTally tally = tally_of(report, name);
    if (tally.empty()) continue;
    table.row({name, format_count(static_cast<std::uint64_t>(tally.within)),
               fmt::format("{:.2f}", tally.worst), std::to_string(tally.failed),
               std::to_string(tally.controls), fmt::format("{}", fmt::join(tally.variants, ", "))});
  }
  return table;
}

}  // namespace

void add_log(ComparisonReport& report, const Json& log, const std::string& where) {
  const JsonObject file(log, where);
  for (const Json& test : file.array("tests")) add_test(report, JsonObject(test, where));
}

ComparisonTally total_of(const ComparisonReport& report) {
  ComparisonTally sum;
  for (const std::string& name : report.implementations) add(sum, tally_of(report, name));
  return sum;
}

Table comparison_table(const ComparisonReport& report) {
  std::vector<Column> columns = {{"operator", "", Align::left}, {"stored as", "", Align::left}};
  std::vector<std::string> shown;
  for (const std::string& name : report.implementations) {
    if (!tally_of(report, name).empty()) shown.push_back(name);
  }
  for (const std::string& name : shown) columns.push_back({name});
  Table table(std::move(columns));
  for (const auto& [what, tallies] : report.rows) {
    std::vector<Cell> cells = {what.name, what.dtype};
    for (const std::string& name : shown) cells.push_back(cell_of(tallies, name));
    table.row(std::move(cells));
  }
  return table;
}

std::vector<std::string> summary_of(const ComparisonReport& report) {
  const ComparisonTally total = total_of(report);
  std::vector<std::string> lines = {fmt::format(
      "{} of {} with the oracle: {} beyond its bound. {} made on purpose, all noticed.",
      counted(static_cast<std::size_t>(total.within + total.failed), "comparison", "comparisons"),
      counted(static_cast<std::size_t>(report.tests), "test", "tests"),
      total.failed == 0 ? "none" : std::to_string(total.failed),
      counted(static_cast<std::size_t>(total.controls), "mistake", "mistakes"))};
  for (const std::string& name : report.implementations) {
    const ComparisonTally tally = tally_of(report, name);
    if (tally.empty()) continue;
    lines.push_back(fmt::format("{} ran with: {}", name, fmt::join(tally.variants, ", ")));
  }
  for (const SkippedTests& skipped : report.skipped) {
    lines.push_back(text_of(skipped));
  }
  for (const std::string& test : report.failed_tests) lines.push_back("FAILED " + test);
  return lines;
}

Json to_json(const ComparisonReport& report) {
  Json rows = Json::array(), skipped = Json::array();
  for (const auto& [what, tallies] : report.rows) {
    for (const auto& [implementation, tally] : tallies) {
      rows.push_back({{"operator", what.name},
                      {"dtype", what.dtype},
                      {"implementation", implementation},
                      {"comparisons", tally.within + tally.failed},
                      {"exact", tally.exact},
                      {"worst_share_of_bound", number_or_null(std::max(tally.worst, tally.excess))},
                      {"beyond_bound", tally.failed},
                      {"controls_noticed", tally.controls},
                      {"ran_with", tally.variants}});
    }
  }
  for (const SkippedTests& s : report.skipped) {
    skipped.push_back({{"implementation", s.implementation}, {"tests", s.tests}, {"why", s.why}});
  }
  return {{"tests", report.tests},
          {"failed_tests", report.failed_tests},
          {"rows", std::move(rows)},
          {"skipped", std::move(skipped)}};
}

std::string comparison_page(const ComparisonReport& report) {
  HtmlPage page("Every operator against the oracle", summary_of(report).front());
  page.section("Worst error over its bound");
  page.text(
      "Each comparison holds a result against the same operator in double precision, under a bound "
      "that follows from the roundings its arithmetic can make: none is tuned. 1 is the bound, a "
      "stronger colour is nearer to it. The number of comparisons is in parentheses; \"exact\" "
      "asked for equal numbers.");
  page.table(comparison_table(report));
  page.section("How each implementation ran");
  page.table(implementation_table(report),
             "A control is a mistake made on purpose, to show that the check can fail. Buffers lie "
             "between guard bands, what must not be read holds NaN, and blocks are scrambled.");
  if (!report.skipped.empty()) {
    page.section("Skipped");
    for (const SkippedTests& s : report.skipped) page.text(text_of(s));
  }
  if (!report.failed_tests.empty()) {
    page.section("Failed");
    page.preformatted(fmt::format("{}\n", fmt::join(report.failed_tests, "\n")));
  }
  return page.str();
}

}  // namespace quire
