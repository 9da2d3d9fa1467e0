#include "chapters/00_tour/ladder.h"

#include "chapters/02_decoder/no_cache.h"
#include "chapters/04_kv_cache/slab.h"
#include "src/report/format.h"

namespace quire {

// [stages]
std::vector<Stage> all_stages() {
  return {{"02", "no cache", memory_of<NoCache>}, {"04", "KV cache", memory_of<Slab>}};
}
// [stages]

double StageResult::seconds() const {
  double sum = 0;
  for (const StepEvent& step : steps) sum += step.seconds;
  return sum;
}

double StageResult::tokens_per_second() const {
  return static_cast<double>(generation.tokens.size()) / seconds();
}

Work StageResult::work_per_token() const {
  Work sum;
  for (const StepEvent& step : steps) sum += step.work.total();
  const std::uint64_t tokens = generation.tokens.size();
  return {sum.flops / tokens, sum.bytes_read / tokens, sum.bytes_written / tokens};
}

Table ladder_table(const std::vector<StageResult>& results) {
  Table table({{.title = "chapter", .align = Align::left},
               {.title = "stage", .align = Align::left},
               {.title = "same text", .align = Align::left},
               {.title = "tokens/s"},
               {.title = "first token"},
               {.title = "last token"},
               {.title = "FLOPs/token"},
               {.title = "bytes/token"},
               {.title = "KV memory"}});
  const auto exact = [](std::uint64_t n) { return static_cast<double>(n); };
  for (const StageResult& result : results) {
    const Work work = result.work_per_token();
    const double first = result.steps.front().seconds, last = result.steps.back().seconds;
    table.row({result.stage.chapter,
               result.stage.name,
               result.identical ? "yes" : "NO",
               {format_number(result.tokens_per_second()), result.tokens_per_second()},
               {format_seconds(first), first},
               {format_seconds(last), last},
               {format_si(exact(work.flops)), exact(work.flops)},
               {format_bytes(work.bytes()), exact(work.bytes())},
               {format_bytes(result.kv_bytes), exact(result.kv_bytes)}});
  }
  return table;
}

Json to_json(const std::vector<StageResult>& results) {
  Json stages = Json::array();
  for (const StageResult& result : results) {
    stages.push_back({{"chapter", result.stage.chapter},
                      {"name", result.stage.name},
                      {"tokens_per_second", result.tokens_per_second()},
                      {"seconds_to_first_token", result.steps.front().seconds},
                      {"seconds_of_last_token", result.steps.back().seconds},
                      {"per_token", to_json(result.work_per_token())},
                      {"kv_bytes_allocated", result.kv_bytes},
                      {"text_identical", result.identical},
                      {"finish_reason", name_of(result.generation.finish)},
                      {"ids", to_json(result.generation.tokens)},
                      {"steps", to_json(result.steps)}});
  }
  return {{"stages", std::move(stages)}};
}

}  // namespace quire
