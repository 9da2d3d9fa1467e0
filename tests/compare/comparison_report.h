/// \file
/// \brief What `./learn compare` shows of the comparisons that test programs have noted: each operator
/// on each implementation against the oracle.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "src/core/json.h"
#include "src/report/table.h"

namespace quire {

/// \brief What is compared: one operator on numbers of one format.
struct ComparedOperator {
  std::string name;   ///< "rms_norm"; with its version where there are several: "attend v0"
  std::string dtype;  ///< how weights, or keys and values, are stored: "BF16"

  /// \brief In the order of a table: by operator, F32 first.
  /// \param other  what it is compared with
  bool operator<(const ComparedOperator& other) const {
    return name != other.name ? name < other.name : dtype > other.dtype;
  }
};

/// \brief The comparisons of one operator, in one format, on one implementation.
struct ComparisonTally {
  int within = 0;     ///< comparisons within their bounds
  int exact = 0;      ///< of these, how many asked for equal numbers
  double worst = 0;   ///< the largest error over its bound among them
  int failed = 0;     ///< comparisons beyond their bounds
  double excess = 0;  ///< the largest error over its bound among those; may be infinite
  int controls = 0;   ///< mistakes made on purpose that were noticed
  std::set<std::string> variants;  ///< thread orders, or numbers of threads

  /// \brief Whether nothing was compared.
  bool empty() const { return within + failed + controls == 0; }
};

/// \brief Tests that did not run.
struct SkippedTests {
  std::string implementation;  ///< whose
  std::string why;             ///< as the tests say it
  int tests = 0;               ///< how many

  /// \brief Equal in all.
  bool operator==(const SkippedTests&) const = default;
};

/// \brief All comparisons, sorted.
struct ComparisonReport {
  std::vector<std::string> implementations;  ///< eigen, cpu, emulated, gpu, and any others
  /// \brief By what was compared, then by implementation.
  std::map<ComparedOperator, std::map<std::string, ComparisonTally>> rows;
  std::vector<SkippedTests> skipped;      ///< by implementation and reason
  std::vector<std::string> failed_tests;  ///< "attend.MistakesAreNoticed on eigen, 3 threads"
  int tests = 0;                          ///< that ran
};

/// \brief Adds what one test program noted.
/// \param report  grows
/// \param log     a file that a program wrote under QUIRE_COMPARE
/// \param where   what to call it in messages
/// \throws Error if it is no such file
void add_log(ComparisonReport& report, const Json& log, const std::string& where);

/// \brief All comparisons added up.
/// \param report  a report
ComparisonTally total_of(const ComparisonReport& report);

/// \brief Operators and formats against implementations: the worst error over its bound, and how many
/// comparisons there were.
/// \param report  a report
Table comparison_table(const ComparisonReport& report);

/// \brief The report in words: how many comparisons, controls, failures, and what was skipped.
/// \param report  a report
/// \return lines
std::vector<std::string> summary_of(const ComparisonReport& report);

/// \brief The report for programs.
/// \param report  a report
Json to_json(const ComparisonReport& report);

/// \brief The report as a page.
/// \param report  a report
std::string comparison_page(const ComparisonReport& report);

}  // namespace quire
