#include <functional>
#include <sstream>

#include "chapters/00_tour/ladder.h"
#include "src/report/format.h"
#include "src/report/html.h"

namespace quire {
namespace {

// One line a stage: some number of each step, over the tokens that the sequence had by then.
std::vector<Series> lines_of(const std::vector<StageResult>& results,
                             const std::function<double(const StepEvent&)>& value,
                             const std::function<std::string(double)>& format) {
  std::vector<Series> lines;
  for (const StageResult& result : results) {
    Series line{.label = result.stage.name, .points = {}};
    for (const StepEvent& step : result.steps) {
      line.points.push_back({static_cast<double>(step.context + step.rows), value(step)});
    }
    line.note = format(line.points.back().y);
    lines.push_back(std::move(line));
  }
  return lines;
}

Axis length_axis() {
  return {.label = "tokens in the sequence"};
}

Chart time_chart(const std::vector<StageResult>& results) {
  return {.title = "Time per token",
          .description =
              "Without a cache a token takes longer the longer the text is; with one it "
              "stays nearly flat after the prompt.",
          .x = length_axis(),
          .y = {.label = "time per token", .unit = "ms"},
          .series = lines_of(
              results, [](const StepEvent& step) { return 1e3 * step.seconds; },
              [](double ms) { return format_seconds(ms * 1e-3); })};
}

Chart work_chart(const std::vector<StageResult>& results) {
  return {
      .title = "Arithmetic per token",
      .description =
          "Floating-point operations of each step: growing with the length without a "
          "cache, flat but for attention with one.",
      .x = length_axis(),
      .y = {.label = "work per token", .unit = "MFLOP"},
      .series = lines_of(
          results,
          [](const StepEvent& step) { return 1e-6 * static_cast<double>(step.work.total().flops); },
          [](double mflop) { return format_number(mflop) + " MFLOP"; })};
}

Chart memory_chart(const std::vector<StageResult>& results) {
  return {
      .title = "Keys and values kept",
      .description =
          "The cache grows by the same bytes for every token; without one nothing is "
          "kept.",
      .x = length_axis(),
      .y = {.label = "kept after each step", .unit = "KiB"},
      .series = lines_of(
          results, [](const StepEvent& step) { return static_cast<double>(step.kv_bytes) / 1024; },
          [](double kib) { return format_bytes(static_cast<std::uint64_t>(1024 * kib)); })};
}

}  // namespace

std::vector<LadderChart> ladder_charts(const std::vector<StageResult>& results) {
  return {
      {"time", "Time", time_chart(results), "The first step of each stage computes the prompt."},
      {"work", "Arithmetic", work_chart(results), "Counted by the operators as they work."},
      {"memory", "Memory", memory_chart(results), "Keys and values of all layers."}};
}

std::string report_page(const std::vector<StageResult>& results, const Table& crowd,
                        const BarChart& crowd_chart, const std::string& prompt,
                        const std::string& text) {
  HtmlPage page("Quire: the ladder",
                "One prompt, one model, every stage. What changes from stage to stage is who "
                "remembers the keys and values, and where; the text does not change.");
  page.section("The ladder")
      .table(ladder_table(results),
             "Times are of this run, on this machine. FLOPs and bytes are counted by the operators "
             "that did the work.");
  for (const LadderChart& figure : ladder_charts(results)) {
    page.section(figure.heading).figure(figure.chart.svg(), figure.caption);
  }
  page.section("Sixteen requests")
      .table(
          crowd,
          "The same requests at each stage, in memory for four sequences as long as the context. "
          "Without a cache only the first one was served.")
      .figure(crowd_chart.svg(), "Of this run, on this machine.");
  page.section("The text");
  std::istringstream paragraphs(prompt + text);
  for (std::string line; std::getline(paragraphs, line);) {
    if (!line.empty()) page.text(line);
  }
  return page.str();
}

}  // namespace quire
