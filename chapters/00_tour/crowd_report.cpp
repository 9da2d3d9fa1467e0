#include <fmt/format.h>

#include "chapters/00_tour/crowd.h"
#include "src/report/format.h"

namespace quire {
namespace {

Cell count(Index value) {
  return {format_count(static_cast<std::uint64_t>(value)), static_cast<double>(value)};
}

std::uint64_t reserved_bytes(const CrowdResult& result, std::uint64_t bytes_per_row) {
  return static_cast<std::uint64_t>(result.reserved) * bytes_per_row;
}

}  // namespace

Table crowd_table(const std::vector<CrowdResult>& results, std::uint64_t bytes_per_row) {
  Table table({{.title = "chapter", .align = Align::left},
               {.title = fmt::format("{} requests", kCrowd), .align = Align::left},
               {.title = "same texts", .align = Align::left},
               {.title = "tokens/s"},
               {.title = "steps"},
               {.title = "rows"},
               {.title = "KV reserved"},
               {.title = "of it used", .unit = "%"}});
  for (const CrowdResult& result : results) {
    const std::uint64_t bytes = reserved_bytes(result, bytes_per_row);
    const bool remembers = result.reserved > 0;
    table.row(
        {result.chapter,
         result.name,
         result.identical ? "yes" : "NO",
         {format_number(result.tokens_per_second()), result.tokens_per_second()},
         count(result.steps),
         count(result.rows),
         remembers ? Cell(format_bytes(bytes), static_cast<double>(bytes)) : Cell("none"),
         remembers ? Cell(fmt::format("{:.1f}", 100 * result.used), 100 * result.used) : Cell("")});
  }
  return table;
}

BarChart crowd_chart(const std::vector<CrowdResult>& results) {
  BarChart chart{.title = fmt::format("{} requests, one model", kCrowd),
                 .description =
                     "Requests that share steps share the reading of the weights; blocks "
                     "let more of them in, and leaving at once feeds no idle rows.",
                 .measure = "tokens a second, all requests together",
                 .bars = {}};
  for (const CrowdResult& result : results) {
    const double rate = result.tokens_per_second();
    chart.bars.push_back(
        {.label = result.name, .value = rate, .shown = format_number(rate), .color = 2});
  }
  return chart;
}

Json to_json(const std::vector<CrowdResult>& results, std::uint64_t bytes_per_row) {
  Json stages = Json::array();
  for (const CrowdResult& result : results) {
    stages.push_back({{"chapter", result.chapter},
                      {"name", result.name},
                      {"texts_identical", result.identical},
                      {"tokens", result.tokens()},
                      {"tokens_per_second", result.tokens_per_second()},
                      {"steps", result.steps},
                      {"rows", result.rows},
                      {"kv_bytes_reserved", reserved_bytes(result, bytes_per_row)},
                      {"kv_used_share", result.used}});
  }
  return stages;
}

}  // namespace quire
