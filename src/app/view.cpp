#include <filesystem>

#include "src/app/output.h"
#include "src/app/program.h"
#include "src/log/block_viewer.h"
#include "src/log/chrome_trace.h"
#include "src/log/metrics_report.h"
#include "src/log/read_log.h"

namespace quire {
namespace {

struct ViewOptions {
  std::string log, html, chrome, report;
  bool json = false;
};

void view(const ViewOptions& options) {
  const RecordedLog log = read_log(options.log);
  const LogMetrics metrics = measure(log, options.log);
  const std::string title = std::filesystem::path(options.log).filename().string();
  if (!options.html.empty()) {
    write_file(options.html, block_viewer(log, options.log, title), "--html");
  }
  if (!options.chrome.empty()) {
    write_file(options.chrome, chrome_trace(log, options.log), "--chrome");
  }
  if (!options.report.empty()) {
    write_file(options.report, metrics_page(metrics, title), "--report");
  }
  if (options.json) return write_json(to_json(metrics));
  write_out(latency_table(metrics).text() + "\n" + totals_table(metrics).text());
  if (!metrics.complete) write_out("\nThe log ends before the engine did.\n");
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments("Shows what an engine did, from the log of its steps.");
  quire::ViewOptions options;
  arguments.operand("LOG", options.log, "a file that a program wrote with --log");
  arguments.text("--html", "FILE", options.html,
                 "a page in which to walk through the steps and see the blocks");
  arguments.text("--chrome", "FILE", options.chrome,
                 "a trace for ui.perfetto.dev or chrome://tracing");
  arguments.text("--report", "FILE", options.report, "the numbers as a page with charts");
  arguments.flag("--json", options.json, "print one JSON object instead of tables");
  return quire::run(arguments, argc, argv, [&] { quire::view(options); });
}
