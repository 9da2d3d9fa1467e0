#include "chapters/05_memory_and_roofline/measure.h"

#include <fmt/format.h>

#include "chapters/04_kv_cache/slab.h"
#include "src/app/run_record.h"
#include "src/core/error.h"
#include "src/report/format.h"

namespace quire {
namespace {

using u64 = std::uint64_t;

constexpr SequenceId kSequence{0};

NumberFormat of_bytes(u64 bytes) {
  return {.name = bytes == 4 ? "F32" : "BF16", .bits = 8 * bytes};
}

// The formats of a checkpoint whose weights are all of one dtype; the bytes of the file tell which.
Formats formats_of(const LoadedModel& model, const ModelShape& shape) {
  const u64 parameters = parameters_of(shape).total();
  for (const u64 bytes : {2, 4}) {
    if (model.weight_bytes != parameters * bytes) continue;
    const NumberFormat weights = of_bytes(bytes);
    return {.matrices = weights, .tables = weights, .vectors = weights, .kv = of_bytes(4)};
  }
  fail("{} holds {} bytes of weights, expected 2 or 4 for each of {} parameters", shape.name,
       format_count(model.weight_bytes), format_count(parameters));
}

// The arithmetic that a plan leaves out: norms, rotations, gates, additions.
u64 other_flops(const MeasuredStep& step) {
  return step.counted.total().flops - step.counted.of(Operator::linear).flops -
         step.counted.of(Operator::attend).flops;
}

// What moves besides weights, keys and values: activations, and the tables that say where rows lie.
u64 other_bytes(const MeasuredStep& step) {
  return step.counted.total().bytes() - step.planned.bytes();
}

std::string share(u64 part, u64 whole) {
  return format_number(100 * static_cast<double>(part) / static_cast<double>(whole)) + " %";
}

void add_row(Table& table, const std::string& phase, const char* what, u64 counted, u64 planned) {
  table.row({phase, what, Cell(format_count(counted), static_cast<double>(counted)),
             Cell(format_count(planned), static_cast<double>(planned)),
             share(counted - planned, counted)});
}

}  // namespace

std::vector<MeasuredStep> measure(LoadedModel& model, const ModelShape& shape, int tokens) {
  require(tokens >= 1 && tokens < model.config().max_positions,
          "--length is {}, expected 1 to {} tokens, so that one more can be decoded", tokens,
          model.config().max_positions - 1);
  const Formats formats = formats_of(model, shape);
  Slab slab(tokens + 1);
  KvStorage storage(*model.ops, kv_shape_of(model.config()), slab, true);
  std::vector<TokenId> known(static_cast<std::size_t>(tokens));
  slab.open(kSequence, known, tokens + 1);
  Observer silent;
  std::vector<MeasuredStep> steps;
  for (const char* phase : {"prefill", "decode"}) {
    const int stored = slab.stored(kSequence);
    const Step step = close_the_gap(kSequence, known, stored);
    const EqualSpans span{1, static_cast<u64>(stored), static_cast<u64>(step.rows())};
    const Counters before = model.decoder->counters();
    slab.reserve(kSequence, step.rows());
    model.decoder->forward(step, storage, silent);
    slab.commit(kSequence, step.rows());
    steps.push_back({.phase = phase,
                     .planned = step_cost(shape, formats, {&span, 1}),
                     .counted = model.decoder->counters() - before});
    known.push_back(TokenId{0});
  }
  return steps;
}

Table measured_table(const std::vector<MeasuredStep>& steps) {
  Table table({{.title = "step", .align = Align::left},
               {.title = "what", .align = Align::left},
               {.title = "counted"},
               {.title = "planned"},
               {.title = "left out"}});
  for (const MeasuredStep& step : steps) {
    const std::string name = fmt::format("{} of {}", step.phase, step.planned.rows);
    add_row(table, name, "FLOPs of matrices", step.counted.of(Operator::linear).flops,
            step.planned.linear_flops);
    add_row(table, name, "FLOPs of attention", step.counted.of(Operator::attend).flops,
            step.planned.attention_flops);
    add_row(table, name, "FLOPs in all", step.counted.total().flops, step.planned.flops());
    add_row(table, name, "bytes in all", step.counted.total().bytes(), step.planned.bytes());
  }
  return table;
}

Json to_json(const std::vector<MeasuredStep>& steps) {
  Json array = Json::array();
  for (const MeasuredStep& step : steps) {
    array.push_back({{"phase", step.phase},
                     {"rows", step.planned.rows},
                     {"counted", to_json(step.counted)},
                     {"planned",
                      {{"linear_flops", step.planned.linear_flops},
                       {"attention_flops", step.planned.attention_flops},
                       {"weight_bytes", step.planned.weight_bytes},
                       {"kv_read", step.planned.kv_read},
                       {"kv_written", step.planned.kv_written}}},
                     {"other_flops", other_flops(step)},
                     {"other_bytes", other_bytes(step)}});
  }
  return array;
}

}  // namespace quire
