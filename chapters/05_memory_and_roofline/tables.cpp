#include "chapters/05_memory_and_roofline/tables.h"

#include <fmt/format.h>

#include "src/report/format.h"

namespace quire {
namespace {

using u64 = std::uint64_t;

double as_double(u64 n) {
  return static_cast<double>(n);
}

Cell count_cell(u64 n) {
  return {format_count(n), as_double(n)};
}

Cell bytes_cell(u64 n) {
  return {format_bytes(n), as_double(n)};
}

Cell seconds_cell(double seconds) {
  return {format_seconds(seconds), seconds};
}

std::string percent(double share) {
  return format_number(100 * share, 4) + " %";
}

std::string or_never(const std::optional<u64>& batch) {
  return batch ? format_count(*batch) : "never";
}

struct Part {
  const char* name;
  u64 parameters, bytes;
  const NumberFormat* format;
};

std::vector<Part> parts_of(const Plan& plan) {
  const WeightParts &p = plan.parameters, &b = plan.weights;
  const Formats& f = plan.request.formats;
  return {{"embedding", p.embedding, b.embedding, &f.tables},
          {"positions", p.positions, b.positions, &f.tables},
          {"attention", p.attention, b.attention, &f.matrices},
          {"FFN", p.ffn, b.ffn, &f.matrices},
          {"biases", p.biases, b.biases, &f.vectors},
          {"norms", p.norms, b.norms, &f.vectors},
          {"output head", p.head, b.head, &f.tables}};
}

std::string shape_line(const Plan& plan) {
  const ModelConfig& c = plan.shape.config;
  return fmt::format(
      "{}{}: {} layers, hidden {}, {} query and {} KV heads of {}, FFN {} {}, vocabulary {}\n",
      plan.shape.name,
      plan.request.ranks > 1 ? fmt::format(", one of {} ranks", plan.request.ranks) : "", c.layers,
      c.hidden, c.heads, c.kv_heads, c.head_dim, c.ffn,
      plan.shape.block == Block::gpt2 ? "of two matrices" : "gated", c.vocabulary);
}

std::string card_line(const Card& card) {
  return fmt::format("{}: {}, {} GB/s, {} TFLOP/s; {} FLOPs a byte where the roof bends\n",
                     card.name, format_bytes(card.memory), format_number(card.bandwidth / 1e9, 4),
                     format_number(card.flops / 1e12, 4), format_number(card.ridge()));
}

std::string sequences_text(const PlanRequest& request) {
  const std::size_t n = request.lengths.size();
  if (request.ragged())
    return fmt::format("{} sequences of up to {} tokens", format_count(n),
                       format_count(request.longest()));
  return fmt::format("{} sequence{} of {} tokens", format_count(n), n == 1 ? "" : "s",
                     format_count(request.longest()));
}

std::string memory_text(const Plan& plan) {
  const PlanRequest& request = plan.request;
  std::string text = fmt::format(
      "Keys and values: {} bytes a token in {}. {}: {} in tokens, {} in blocks of {}{}.\n",
      format_count(plan.kv_per_token), request.formats.kv.text(), sequences_text(request),
      format_bytes(plan.kv_bytes), format_bytes(plan.kv_allocated), request.block_size,
      request.ragged() ? ", " + format_bytes(plan.kv_padded) + " if padded" : "");
  if (!plan.free) {
    return text + fmt::format("The weights do not fit: {} and {} kept free, on a card of {}.\n",
                              format_bytes(plan.weights.total()), format_bytes(request.reserved),
                              format_bytes(request.card.memory));
  }
  text += fmt::format(
      "Left for them beside the weights{}: {}. ",
      request.reserved == 0 ? "" : " and " + format_bytes(request.reserved) + " kept free",
      format_bytes(*plan.free));
  text += plan.fits ? "That fits; " : "That does not fit; ";
  if (!plan.longest) return text + "the window keeps it so at any length.\n";
  return text +
         fmt::format("so many sequences may have {} tokens each.\n", format_count(*plan.longest));
}

std::string limit_text(const Plan& plan) {
  const StepRow& decode = plan.steps[1];
  const StepTime& time = decode.time;
  const std::optional<u64> batch = compute_bound_batch(plan.shape, plan.request.formats,
                                                       plan.request.card, plan.request.longest());
  std::string text =
      fmt::format("A decode step takes at least {}: {} of arithmetic, {} of reading. {} limits.\n",
                  format_seconds(time.seconds()), format_seconds(time.arithmetic),
                  format_seconds(time.reading), time.memory_bound() ? "Reading" : "Arithmetic");
  text += batch
              ? fmt::format("At this length arithmetic limits from {} sequences on.\n",
                            format_count(*batch))
              : "At this length reading limits whatever the number of sequences: each brings keys "
                "and values that take longer to read than to multiply.\n";
  text += plan.prompt
              ? fmt::format("Arithmetic limits the prefill of a prompt from {} tokens on.\n",
                            format_count(*plan.prompt))
              : "Reading limits the prefill of a prompt of any length up to 65,536.\n";
  return text;
}

std::string positions_text(const Plan& plan) {
  const auto positions = static_cast<u64>(plan.request.shape.config.max_positions);
  if (plan.request.longest() <= positions) return "";
  return fmt::format("{} was made for {} positions; longer texts need more than memory.\n",
                     plan.request.shape.name, format_count(positions));
}

Json json_of(const WeightParts& parts) {
  return {{"embedding", parts.embedding}, {"positions", parts.positions},
          {"attention", parts.attention}, {"ffn", parts.ffn},
          {"biases", parts.biases},       {"norms", parts.norms},
          {"head", parts.head},           {"total", parts.total()}};
}

Json json_of(const std::optional<u64>& number) {
  return number ? Json(*number) : Json(nullptr);
}

Json json_of(const LengthRow& row) {
  return {{"length", row.length},
          {"kv_bytes", row.kv_bytes},
          {"kv_allocated", row.kv_allocated},
          {"sequences_that_fit", row.sequences},
          {"compute_bound_batch", json_of(row.batch)}};
}

Json json_of(const StepRow& row) {
  return {{"phase", row.phase},
          {"sequences", row.sequences},
          {"length", row.length},
          {"rows", row.cost.rows},
          {"linear_flops", row.cost.linear_flops},
          {"attention_flops", row.cost.attention_flops},
          {"weight_bytes", row.cost.weight_bytes},
          {"kv_read", row.cost.kv_read},
          {"kv_written", row.cost.kv_written},
          {"flops_per_byte", row.cost.intensity()},
          {"arithmetic_seconds", row.time.arithmetic},
          {"reading_seconds", row.time.reading},
          {"memory_bound", row.time.memory_bound()},
          {"fits", row.fits}};
}

}  // namespace

Table weights_table(const Plan& plan) {
  Table table({{.title = "weights", .align = Align::left},
               {.title = "parameters"},
               {.title = "format", .align = Align::left},
               {.title = "bytes"},
               {.title = "size"}});
  for (const Part& part : parts_of(plan)) {
    if (part.parameters == 0) continue;
    table.row({part.name, count_cell(part.parameters), part.format->text(), count_cell(part.bytes),
               bytes_cell(part.bytes)});
  }
  return table.row({"all", count_cell(plan.parameters.total()), "",
                    count_cell(plan.weights.total()), bytes_cell(plan.weights.total())});
}

Table lengths_table(const Plan& plan) {
  Table table({{.title = "length"},
               {.title = "KV of one"},
               {.title = "in blocks"},
               {.title = "of the card"},
               {.title = "that fit"},
               {.title = "arithmetic limits from"}});
  for (const LengthRow& row : plan.lengths) {
    const double share = as_double(row.kv_bytes) / as_double(plan.request.card.memory);
    table.row({count_cell(row.length), bytes_cell(row.kv_bytes), bytes_cell(row.kv_allocated),
               Cell(percent(share), share), count_cell(row.sequences), or_never(row.batch)});
  }
  return table;
}

Table steps_table(const Plan& plan) {
  Table table({{.title = "step", .align = Align::left},
               {.title = "sequences"},
               {.title = "rows"},
               {.title = "FLOPs"},
               {.title = "bytes"},
               {.title = "FLOPs/byte"},
               {.title = "arithmetic"},
               {.title = "reading"},
               {.title = "limit", .align = Align::left},
               {.title = "fits", .align = Align::left}});
  for (const StepRow& row : plan.steps) {
    table.row({row.phase, count_cell(row.sequences), count_cell(row.cost.rows),
               Cell(format_si(as_double(row.cost.flops())), as_double(row.cost.flops())),
               bytes_cell(row.cost.bytes()),
               Cell(format_number(row.cost.intensity()), row.cost.intensity()),
               seconds_cell(row.time.arithmetic), seconds_cell(row.time.reading),
               row.time.memory_bound() ? "reading" : "arithmetic", row.fits ? "yes" : "no"});
  }
  return table;
}

std::string text_of(const Plan& plan) {
  return shape_line(plan) + card_line(plan.request.card) + "\n" + weights_table(plan).text() +
         "\n" + memory_text(plan) + positions_text(plan) + "\n" + lengths_table(plan).text() +
         "\n" + steps_table(plan).text() + "\n" + limit_text(plan);
}

Json to_json(const Plan& plan) {
  Json lengths = Json::array(), steps = Json::array();
  for (const LengthRow& row : plan.lengths) lengths.push_back(json_of(row));
  for (const StepRow& row : plan.steps) steps.push_back(json_of(row));
  const Card& card = plan.request.card;
  return {{"shape", plan.shape.name},
          {"ranks", plan.request.ranks},
          {"card",
           {{"name", card.name},
            {"memory", card.memory},
            {"bytes_per_second", card.bandwidth},
            {"flops_per_second", card.flops}}},
          {"parameters", json_of(plan.parameters)},
          {"weight_bytes", json_of(plan.weights)},
          {"kv_bytes_per_token", plan.kv_per_token},
          {"kv_bytes", plan.kv_bytes},
          {"kv_allocated", plan.kv_allocated},
          {"kv_padded", plan.kv_padded},
          {"free_bytes", json_of(plan.free)},
          {"fits", plan.fits},
          {"longest", json_of(plan.longest)},
          {"compute_bound_prompt", json_of(plan.prompt)},
          {"lengths", lengths},
          {"steps", steps}};
}

}  // namespace quire
