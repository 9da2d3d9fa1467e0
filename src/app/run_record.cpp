#include "src/app/run_record.h"

#include <fmt/format.h>

#include <algorithm>

#include "src/report/format.h"

namespace quire {
namespace {

// The first three steps, those at powers of two, and the last.
bool is_shown(std::size_t step, std::size_t steps) {
  const std::size_t number = step + 1;
  return number <= 3 || (number & (number - 1)) == 0 || number == steps;
}

std::vector<Cell> numbers_of(std::string name, Cell context, std::uint64_t rows, const Work& work,
                             std::uint64_t kv_bytes, double seconds) {
  const auto exact = [](std::uint64_t n) { return static_cast<double>(n); };
  return {std::move(name),
          std::move(context),
          {format_count(rows), exact(rows)},
          {format_si(exact(work.flops)), exact(work.flops)},
          {format_bytes(work.bytes()), exact(work.bytes())},
          {format_bytes(kv_bytes), exact(kv_bytes)},
          {format_seconds(seconds), seconds}};
}

const SeenShape* find(const RunRecord& record, int step, const SeenShape& like) {
  const auto found =
      std::find_if(record.shapes().begin(), record.shapes().end(), [&](const SeenShape& seen) {
        return seen.step == step && seen.name == like.name && seen.layer == like.layer;
      });
  return found == record.shapes().end() ? nullptr : &*found;
}

}  // namespace

void RunRecord::on_value(std::string_view name, int layer, ConstTensor value) {
  const int step = static_cast<int>(steps_.size());
  if (step < 2 && layer <= 0) shapes_.push_back({step, std::string(name), layer, value.shape()});
}

void RunRecord::on_token(const TokenEvent& token) {
  tokens_.push_back(token);
  if (on_choice_ && !token.ends) on_choice_(token.token);
}

Counters RunRecord::work() const {
  Counters sum;
  for (const StepEvent& step : steps_) sum += step.work;
  return sum;
}

std::uint64_t RunRecord::rows() const {
  std::uint64_t sum = 0;
  for (const StepEvent& step : steps_) sum += static_cast<std::uint64_t>(step.rows);
  return sum;
}

Table steps_table(const RunRecord& record) {
  Table table({{.title = "step"},
               {.title = "stored before"},
               {.title = "rows fed"},
               {.title = "FLOPs"},
               {.title = "bytes moved"},
               {.title = "KV kept"},
               {.title = "time"}});
  double seconds = 0;
  for (std::size_t i = 0; i < record.steps().size(); ++i) {
    const StepEvent& step = record.steps()[i];
    seconds += step.seconds;
    if (!is_shown(i, record.steps().size())) continue;
    table.row(numbers_of(
        format_count(i + 1), format_count(static_cast<std::uint64_t>(step.context)),
        static_cast<std::uint64_t>(step.rows), step.work.total(), step.kv_bytes, step.seconds));
  }
  table.row(numbers_of("all", "", record.rows(), record.work().total(),
                       record.steps().back().kv_bytes, seconds));
  return table;
}

Table shapes_table(const RunRecord& record) {
  Table table({{.title = "value", .align = Align::left},
               {.title = "first step", .align = Align::left},
               {.title = "second step", .align = Align::left}});
  for (const SeenShape& seen : record.shapes()) {
    if (seen.step != 0) continue;
    const SeenShape* second = find(record, 1, seen);
    const std::string name =
        seen.layer < 0 ? seen.name : fmt::format("{} (layer {})", seen.name, seen.layer);
    table.row({name, to_string(seen.shape), second == nullptr ? "" : to_string(second->shape)});
  }
  return table;
}

Json to_json(const Work& work) {
  return {{"flops", work.flops},
          {"bytes_read", work.bytes_read},
          {"bytes_written", work.bytes_written}};
}

Json to_json(const Counters& counters) {
  Json json = to_json(counters.total());
  for (std::size_t i = 0; i < kOperators; ++i) {
    const auto op = static_cast<Operator>(i);
    json["operators"][std::string(name_of(op))] = to_json(counters.of(op));
  }
  return json;
}

Json to_json(const std::vector<TokenId>& tokens) {
  Json ids = Json::array();
  for (const TokenId token : tokens) ids.push_back(to_int(token));
  return ids;
}

Json to_json(const std::vector<StepEvent>& steps) {
  Json array = Json::array();
  for (const StepEvent& step : steps) array.push_back(to_json(step));
  return array;
}

Json to_json(const StepEvent& step) {
  Json json = to_json(step.work.total());
  json["context"] = step.context;
  json["rows"] = step.rows;
  json["seconds"] = step.seconds;
  json["kv_bytes"] = step.kv_bytes;
  return json;
}

}  // namespace quire
