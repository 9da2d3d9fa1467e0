#include "src/log/metrics_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "src/report/format.h"
#include "src/report/html.h"

namespace quire {
namespace {

constexpr std::size_t kMostPoints = 400;

Cell time(double seconds) {
  return {format_seconds(seconds), seconds};
}

void add(Table& table, const char* name, const Spread& spread) {
  if (spread.count == 0) {
    table.row({name, "0", "", "", "", "", ""});
    return;
  }
  table.row({name, std::to_string(spread.count), time(spread.mean), time(spread.p50),
             time(spread.p90), time(spread.p99), time(spread.most)});
}

Cell whole(std::int64_t number) {
  return {format_count(static_cast<std::uint64_t>(number)), static_cast<double>(number)};
}

Cell percent(double share) {
  return {format_number(100 * share) + " %", share};
}

std::int64_t ended(const LogMetrics& metrics, LogReason reason) {
  return std::count_if(metrics.requests.begin(), metrics.requests.end(), [&](const auto& request) {
    return request.finished && request.reason == reason;
  });
}

// A number of each run, its mean and the greatest.
template <class Number>
std::pair<double, double> mean_and_most(const LogMetrics& metrics, Number number) {
  double sum = 0, most = 0;
  for (const StepMetrics& run : metrics.runs) {
    sum += static_cast<double>(number(run));
    most = std::max(most, static_cast<double>(number(run)));
  }
  return {metrics.runs.empty() ? 0 : sum / static_cast<double>(metrics.runs.size()), most};
}

// How many runs one point of a chart stands for.
std::size_t runs_per_point(const LogMetrics& metrics) {
  return (metrics.runs.size() + kMostPoints - 1) / kMostPoints;
}

// A number of each run against the steps; where there are very many, the mean of several.
template <class Number>
std::vector<Point> points(const LogMetrics& metrics, Number number) {
  const std::size_t size = std::max<std::size_t>(1, runs_per_point(metrics));
  std::vector<Point> result;
  for (std::size_t begin = 0; begin < metrics.runs.size(); begin += size) {
    const std::size_t end = std::min(begin + size, metrics.runs.size());
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += static_cast<double>(number(metrics.runs[i]));
    result.push_back(
        {static_cast<double>(metrics.runs[begin].step), sum / static_cast<double>(end - begin)});
  }
  return result;
}

// A limit as a line over all steps.
Series limit(const LogMetrics& metrics, std::string label, double value, int color) {
  Series series{.label = std::move(label), .points = {}, .color = color, .dashed = true};
  if (metrics.runs.empty()) return series;
  for (const StepMetrics* run : {&metrics.runs.front(), &metrics.runs.back()}) {
    series.points.push_back({static_cast<double>(run->step), value});
  }
  return series;
}

std::string every(const LogMetrics& metrics) {
  const std::size_t size = runs_per_point(metrics);
  return size <= 1 ? "one point a step" : fmt::format("each point is the mean of {} steps", size);
}

Json seconds_or_null(const std::optional<double>& moment) {
  return moment ? Json(*moment) : Json(nullptr);
}

Json to_json(const RequestMetrics& request) {
  return {{"sequence", to_int(request.sequence)},
          {"prompt_tokens", request.prompt},
          {"tokens", request.tokens},
          {"preemptions", request.preemptions},
          {"arrived_seconds", request.arrived},
          {"admitted_seconds", seconds_or_null(request.admitted)},
          {"first_token_seconds", seconds_or_null(request.first_token)},
          {"finished_seconds", seconds_or_null(request.finished)},
          {"finish_reason", request.finished ? Json(name_of(request.reason)) : Json(nullptr)}};
}

Json to_json(const Spread& spread) {
  return {{"count", spread.count},     {"mean_seconds", spread.mean}, {"p50_seconds", spread.p50},
          {"p90_seconds", spread.p90}, {"p99_seconds", spread.p99},   {"max_seconds", spread.most}};
}

Json memory_json(const LogMetrics& metrics) {
  const auto [blocks, most_blocks] =
      mean_and_most(metrics, [](const StepMetrics& run) { return run.blocks; });
  const auto lost = mean_and_most(metrics, [](const StepMetrics& run) { return run.most_lost; });
  return {{"blocks", metrics.header.blocks},
          {"block_size", metrics.header.block_size},
          {"blocks_in_use_mean", blocks},
          {"blocks_in_use_max", most_blocks},
          {"waste_mean", metrics.mean_waste()},
          {"rows_lost_by_one_sequence_max", lost.second},
          {"copies", metrics.copies}};
}

Json requests_json(const LogMetrics& metrics) {
  Json list = Json::array();
  for (const RequestMetrics& request : metrics.requests) list.push_back(to_json(request));
  return list;
}

}  // namespace

Table latency_table(const LogMetrics& metrics) {
  Table table({{.title = "latency", .align = Align::left},
               {.title = "count"},
               {.title = "mean"},
               {.title = "p50"},
               {.title = "p90"},
               {.title = "p99"},
               {.title = "most"}});
  add(table, "to the first token", metrics.time_to_first_token());
  add(table, "between tokens", metrics.inter_token_latency());
  add(table, "in the queue", metrics.time_in_queue());
  add(table, "of a request", metrics.request_latency());
  return table;
}

Table totals_table(const LogMetrics& metrics) {
  const auto [blocks, most_blocks] =
      mean_and_most(metrics, [](const StepMetrics& run) { return run.blocks; });
  const auto [queue, longest] =
      mean_and_most(metrics, [](const StepMetrics& run) { return run.waiting; });
  const auto lost = mean_and_most(metrics, [](const StepMetrics& run) { return run.most_lost; });
  Table table({{.title = "of the log", .align = Align::left}, {.title = "value"}});
  table.row({"requests", whole(static_cast<std::int64_t>(metrics.requests.size()))});
  for (const LogReason reason :
       {LogReason::stop, LogReason::length, LogReason::abort, LogReason::error}) {
    const std::int64_t count = ended(metrics, reason);
    if (count > 0) table.row({fmt::format("  ended by {}", name_of(reason)), whole(count)});
  }
  table.row({"steps", whole(metrics.steps)});
  table.row({"rows fed", whole(metrics.rows)});
  table.row({"  of these, again after preemption", whole(metrics.recomputed)});
  if (metrics.header.feeds_idle) {
    table.row({"  of these, idle: the text had ended", whole(metrics.idle)});
  }
  table.row({"preemptions", whole(metrics.preemptions)});
  table.row({"tokens chosen", whole(metrics.tokens)});
  table.row({"time", time(metrics.seconds)});
  table.row(
      {"throughput",
       {fmt::format("{} tokens/s", format_number(metrics.throughput())), metrics.throughput()}});
  table.row({"queue, mean", {format_number(queue), queue}});
  table.row({"queue, longest", {format_number(longest), longest}});
  table.row({fmt::format("blocks in use of {}, mean",
                         format_count(static_cast<std::uint64_t>(metrics.header.blocks))),
             {format_number(blocks), blocks}});
  table.row({"blocks in use, most", {format_number(most_blocks), most_blocks}});
  table.row({"KV memory held without a token, mean", percent(metrics.mean_waste())});
  table.row({"rows lost by one sequence, most", {format_number(lost.second), lost.second}});
  return table;
}

Chart blocks_chart(const LogMetrics& metrics) {
  const double size = metrics.header.block_size;
  Chart chart{.title = "Blocks in use",
              .description =
                  "Blocks that sequences hold after each step's rows are stored, and how "
                  "many of them their tokens would fill.",
              .x = {.label = "step, " + every(metrics)},
              .y = {.label = "blocks"},
              .series = {}};
  chart.series.push_back(
      {.label = "held", .points = points(metrics, [](const auto& run) { return run.blocks; })});
  chart.series.push_back(
      {.label = "filled by tokens", .points = points(metrics, [&](const auto& run) {
                                      return static_cast<double>(run.rows_filled) / size;
                                    })});
  chart.series.push_back(limit(metrics, "all", metrics.header.blocks, 4));
  return chart;
}

Chart queue_chart(const LogMetrics& metrics) {
  return {.title = "Who runs, and who waits",
          .description = "Sequences that run and sequences that wait, at each step.",
          .x = {.label = "step, " + every(metrics)},
          .y = {.label = "sequences"},
          .series = {{.label = "running",
                      .points = points(metrics, [](const auto& run) { return run.running; })},
                     {.label = "waiting",
                      .points = points(metrics, [](const auto& run) { return run.waiting; })}}};
}

Chart rows_chart(const LogMetrics& metrics) {
  return {.title = "Rows of a step",
          .description = "Rows that each step fed to the decoder, beside the budget.",
          .x = {.label = "step, " + every(metrics)},
          .y = {.label = "rows"},
          .series = {
              {.label = "fed", .points = points(metrics, [](const auto& run) { return run.rows; })},
              limit(metrics, "budget", metrics.header.budget, 4)}};
}

Json to_json(const LogMetrics& metrics) {
  const auto [queue, longest] =
      mean_and_most(metrics, [](const StepMetrics& run) { return run.waiting; });
  return {{"engine", metrics.header.engine},
          {"complete", metrics.complete},
          {"steps", metrics.steps},
          {"seconds", metrics.seconds},
          {"tokens", metrics.tokens},
          {"tokens_per_second", metrics.throughput()},
          {"rows", metrics.rows},
          {"recomputed_rows", metrics.recomputed},
          {"idle_rows", metrics.idle},
          {"preemptions", metrics.preemptions},
          {"queue_mean", queue},
          {"queue_max", longest},
          {"memory", memory_json(metrics)},
          {"time_to_first_token", to_json(metrics.time_to_first_token())},
          {"inter_token_latency", to_json(metrics.inter_token_latency())},
          {"time_in_queue", to_json(metrics.time_in_queue())},
          {"request_latency", to_json(metrics.request_latency())},
          {"requests", requests_json(metrics)}};
}

std::string metrics_page(const LogMetrics& metrics, const std::string& title) {
  HtmlPage page(title, fmt::format("What a step log of the engine \"{}\" says: {} requests in {} "
                                   "steps.{}",
                                   metrics.header.engine, metrics.requests.size(), metrics.steps,
                                   metrics.complete ? "" : " The log ends before the engine did."));
  page.section("Latency").table(
      latency_table(metrics),
      "A percentile is the least value that so many percent do not exceed.");
  page.section("Memory").figure(blocks_chart(metrics).svg());
  page.section("Queue").figure(queue_chart(metrics).svg());
  page.section("Steps").figure(rows_chart(metrics).svg());
  page.section("Counts").table(totals_table(metrics));
  return page.str();
}

}  // namespace quire
