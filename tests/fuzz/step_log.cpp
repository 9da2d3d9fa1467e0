#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "src/core/error.h"
#include "src/log/block_viewer.h"
#include "src/log/chrome_trace.h"
#include "src/log/json_log.h"
#include "src/log/metrics_report.h"
#include "src/log/read_log.h"

namespace {

// A larger cache costs only time.
constexpr int kMostBlocks = 4096;

std::string written(const quire::RecordedLog& log) {
  std::string lines = to_line(log.header) + "\n";
  for (const quire::LogEvent& event : log.events) lines += to_line(event) + "\n";
  return lines;
}

}  // namespace

// Whatever a log says, it is an Error, or it reads the same once it has been written again, and all
// that is made of it holds together.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const quire::RecordedLog log = quire::parse_log(text, "log");
    const std::string lines = written(log);
    if (written(quire::parse_log(lines, "again")) != lines) std::abort();
    if (log.header.blocks > kMostBlocks) return 0;
    const quire::LogMetrics metrics = quire::measure(log, "log");
    for (const quire::StepMetrics& run : metrics.runs) {
      if (run.blocks < 0 || run.blocks > log.header.blocks) std::abort();
      if (run.rows_filled < 0 || run.rows_filled > run.rows_held) std::abort();
    }
    if (quire::metrics_page(metrics, "log").empty()) std::abort();
    if (quire::chrome_trace(log, "log").empty()) std::abort();
    if (quire::block_viewer(log, "log", "log").empty()) std::abort();
  } catch (const quire::Error&) {
  }
  return 0;
}
