// Shows what the cross-validation suite has compared; ./learn compare runs both.
#include <algorithm>
#include <filesystem>

#include "src/app/output.h"
#include "src/app/program.h"
#include "src/core/error.h"
#include "tests/compare/comparison_report.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

struct CompareOptions {
  std::string folder, page;
  bool json = false;
};

std::vector<fs::path> logs_in(const fs::path& folder) {
  std::vector<fs::path> files;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  }
  require(!files.empty(), "{} has no log of comparisons; ./learn compare makes them",
          folder.string());
  std::sort(files.begin(), files.end());
  return files;
}

void compare(const CompareOptions& options) {
  ComparisonReport report;
  for (const fs::path& file : logs_in(options.folder)) {
    add_log(report, read_json(file), file.string());
  }
  if (!options.page.empty()) write_file(options.page, comparison_page(report), "--page");
  if (options.json) {
    write_json(to_json(report));
  } else {
    write_out("The worst error over its bound, and how many comparisons there were\n\n");
    write_out(comparison_table(report).text() + "\n");
    for (const std::string& line : summary_of(report)) write_out(line + "\n");
    if (!options.page.empty()) write_out("\nAs a page: " + options.page + "\n");
  }
  require(report.failed_tests.empty(), "{} of {} tests failed; the first is {}",
          report.failed_tests.size(), report.tests, report.failed_tests.front());
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments(
      "Shows how far each implementation of each operator is from the oracle.");
  quire::CompareOptions options;
  arguments.operand("FOLDER", options.folder, "logs that tests wrote, named by QUIRE_COMPARE");
  arguments.text("--page", "FILE", options.page, "write a page as well");
  arguments.flag("--json", options.json, "print one JSON object instead of a table");
  return quire::run(arguments, argc, argv, [&] { quire::compare(options); });
}
