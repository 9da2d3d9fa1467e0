#include "chapters/08_static_batching/comparison.h"

#include <fmt/format.h>

#include <algorithm>

#include "src/report/format.h"

namespace quire {
namespace {

constexpr int kAnyNumber = 1 << 30;
constexpr std::size_t kMostPoints = 150;

Cell percent(double share) {
  return {fmt::format("{:.1f}", 100 * share), 100 * share};
}

Cell count(Index value) {
  return {format_count(static_cast<std::uint64_t>(value)), static_cast<double>(value)};
}

Cell decimal(double value) {
  return {fmt::format("{:.1f}", value), value};
}

double tokens_a_step(const Totals& totals) {
  return static_cast<double>(totals.generated) / static_cast<double>(totals.steps);
}

// A number of each step, as a line: means of consecutive steps, so that long runs can be drawn.
template <class Number>
Series series_of(const ServedTrace& way, Number number) {
  const std::vector<CountedStep>& steps = way.run.steps;
  const std::size_t width = steps.size() / kMostPoints + 1;
  Series series{.label = way.name, .points = {}};
  for (std::size_t begin = 0; begin < steps.size(); begin += width) {
    const std::size_t end = std::min(begin + width, steps.size());
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += number(steps[i]);
    series.points.push_back(
        {static_cast<double>(begin + end - 1) / 2, sum / static_cast<double>(end - begin)});
  }
  return series;
}

Json to_json(const MemoryShares& shares) {
  return {{"tokens", shares.tokens},
          {"reserved", shares.reserved},
          {"internal", shares.internal},
          {"external", shares.external},
          {"unclaimed", shares.unclaimed}};
}

Json to_json(const ServedTrace& served) {
  const Totals& totals = served.totals;
  Json object = {{"name", served.name},
                 {"steps", totals.steps},
                 {"rows", totals.rows},
                 {"idle_rows", totals.idle_rows},
                 {"generated", totals.generated},
                 {"running", totals.running},
                 {"memory", to_json(totals.memory)},
                 {"loaded_steps", totals.loaded_steps},
                 {"loaded_memory", to_json(totals.loaded_memory)}};
  if (served.paper) object["paper_tokens_percent"] = *served.paper;
  return object;
}

}  // namespace

std::vector<ServedTrace> compare_reservations(const std::vector<TraceRequest>& requests,
                                              const ServingLimits& limits) {
  const auto slabs = [&](Reservation reservation, Fit fit) {
    return SlabOptions{.reservation = reservation,
                       .fit = fit,
                       .rows = limits.slabs * limits.context,
                       .longest = limits.context,
                       .granularity = 1};
  };
  const BatchLimits steps{.budget = limits.budget, .max_sequences = kAnyNumber};
  std::vector<ServedTrace> served;
  const auto add = [&](std::string name, std::optional<double> paper, Simulation run) {
    Totals totals = totals_of(run);
    served.push_back({std::move(name), paper, std::move(run), totals});
  };
  add("static", std::nullopt,
      simulate_static(requests, slabs(Reservation::maximum, Fit::first), steps));
  const auto join = [&](std::string name, std::optional<double> paper, const SlabOptions& options) {
    add(std::move(name), paper, simulate_iterations(requests, options, steps));
  };
  join("maximum", 20.4, slabs(Reservation::maximum, Fit::buddy));
  join("power of two", 26.8, slabs(Reservation::power_of_two, Fit::buddy));
  join("oracle", 38.2, slabs(Reservation::oracle, Fit::buddy));
  join("oracle, first fit", std::nullopt, slabs(Reservation::oracle, Fit::first));
  return served;
}

Table steps_table(const std::vector<ServedTrace>& served) {
  Table table({{.title = "reservation", .align = Align::left},
               {.title = "steps"},
               {.title = "rows"},
               {.title = "idle rows"},
               {.title = "running"},
               {.title = "tokens a step"}});
  for (const ServedTrace& way : served) {
    const Totals& totals = way.totals;
    table.row({way.name, count(totals.steps), count(totals.rows), count(totals.idle_rows),
               decimal(totals.running), decimal(tokens_a_step(totals))});
  }
  return table;
}

Table memory_table(const std::vector<ServedTrace>& served) {
  Table table({{.title = "reservation", .align = Align::left},
               {.title = "tokens"},
               {.title = "reserved"},
               {.title = "internal"},
               {.title = "external"},
               {.title = "unclaimed"},
               {.title = "loaded"},
               {.title = "paper"}});
  for (const ServedTrace& way : served) {
    const MemoryShares& all = way.totals.memory;
    table.row({way.name, percent(all.tokens), percent(all.reserved), percent(all.internal),
               percent(all.external), percent(all.unclaimed),
               percent(way.totals.loaded_memory.tokens),
               way.paper ? decimal(*way.paper) : Cell("")});
  }
  return table;
}

Json to_json(const std::vector<ServedTrace>& served) {
  Json ways = Json::array();
  for (const ServedTrace& way : served) ways.push_back(to_json(way));
  return ways;
}

Chart running_chart(const std::vector<ServedTrace>& served) {
  Chart chart{
      .title = "Sequences at work in each step",
      .description =
          "A static batch begins full and empties until its last text ends, again and again; "
          "where requests begin and end one by one, places stay taken to the end.",
      .x = {.label = "step"},
      .y = {.label = "sequences whose text has not ended"},
      .series = {}};
  for (const ServedTrace& way : served) {
    chart.series.push_back(
        series_of(way, [](const CountedStep& step) { return static_cast<double>(step.running); }));
  }
  return chart;
}

Chart tokens_chart(const std::vector<ServedTrace>& served) {
  Chart chart{.title = "Share of KV memory that holds tokens",
              .description =
                  "What each reservation makes of the same memory, step by step: the less "
                  "a slab is too long, the more of them fit, and the sooner all is done.",
              .x = {.label = "step"},
              .y = {.label = "rows with tokens", .unit = "%"},
              .series = {}};
  for (const ServedTrace& way : served) {
    chart.series.push_back(series_of(way, [](const CountedStep& step) {
      return 100.0 * step.memory.tokens / step.memory.rows;
    }));
  }
  return chart;
}

}  // namespace quire
