#include <fmt/format.h>

#include <chrono>
#include <limits>
#include <numeric>

#include "chapters/08_static_batching/batch_generation.h"
#include "chapters/08_static_batching/comparison.h"
#include "src/app/loaded_model.h"
#include "src/app/log_file.h"
#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/app/run_record.h"
#include "src/core/error.h"
#include "src/report/format.h"

namespace quire {
namespace {

struct StaticOptions {
  Options shared;
  std::string prompts, trace, figures, log;
  Reservation reservation = Reservation::maximum;
  int count = 4;
  int requests = 256;
  ServingLimits limits;
};

Reservation reservation_of(const std::string& text) {
  for (const auto& [name, reservation] :
       {std::pair("maximum", Reservation::maximum), std::pair("power", Reservation::power_of_two),
        std::pair("oracle", Reservation::oracle)}) {
    if (text == name) return reservation;
  }
  fail("--reservation is {}, expected maximum, power or oracle", in_quotes(text));
}

// The first prompts of a file.
std::vector<std::string> first_prompts(const std::filesystem::path& file, int count) {
  std::vector<std::string> prompts = prompts_in(file);
  require(std::ssize(prompts) >= count, "{} has {} lines with text, {} were asked for",
          in_quotes(file.string()), prompts.size(), count);
  prompts.resize(static_cast<std::size_t>(count));
  return prompts;
}

struct Texts {
  std::vector<std::string> prompts;
  BatchGeneration batches;
  Totals totals;
  Work work;
  double seconds = 0;
};

Table texts_table(const Texts& texts) {
  Table table({{.title = "text"},
               {.title = "prompt tokens"},
               {.title = "new tokens"},
               {.title = "ended by", .align = Align::left},
               {.title = "idle rows"}});
  for (std::size_t i = 0; i < texts.prompts.size(); ++i) {
    const Generation& text = texts.batches.texts[i];
    table.row({std::to_string(i), std::to_string(text.prompt.size()),
               std::to_string(text.tokens.size()), std::string(name_of(text.finish)),
               std::to_string(texts.batches.idle_rows[i])});
  }
  return table;
}

Json to_json(const LoadedModel& model, const Texts& texts) {
  Json list = Json::array();
  for (std::size_t i = 0; i < texts.prompts.size(); ++i) {
    const Generation& text = texts.batches.texts[i];
    list.push_back({{"prompt_ids", to_json(text.prompt)},
                    {"ids", to_json(text.tokens)},
                    {"text", model.tokenizer.decode(text.tokens)},
                    {"finish_reason", name_of(text.finish)},
                    {"idle_rows", texts.batches.idle_rows[i]}});
  }
  return {{"texts", std::move(list)},  {"steps", texts.totals.steps},
          {"rows", texts.totals.rows}, {"idle_rows", texts.totals.idle_rows},
          {"flops", texts.work.flops}, {"bytes_moved", texts.work.bytes()},
          {"seconds", texts.seconds}};
}

std::string summary_of(const Texts& texts) {
  const Totals& totals = texts.totals;
  const MemoryShares& memory = totals.memory;
  const auto tokens = static_cast<std::uint64_t>(totals.generated);
  return fmt::format(
      "\n{} steps fed {} rows; {} of them were idle, for texts that had ended.\n"
      "For each of {} new tokens: {} moved, {} FLOPs. {:.0f} tokens/s.\n"
      "KV memory, average in percent: {:.1f} tokens, {:.1f} reserved, {:.1f} internal,\n"
      "{:.1f} external, {:.1f} unclaimed.\n",
      totals.steps, totals.rows, totals.idle_rows, tokens,
      format_bytes(texts.work.bytes() / tokens),
      format_si(static_cast<double>(texts.work.flops / tokens)),
      static_cast<double>(tokens) / texts.seconds, 100 * memory.tokens, 100 * memory.reserved,
      100 * memory.internal, 100 * memory.external, 100 * memory.unclaimed);
}

void show(const StaticOptions& options, const LoadedModel& model, const Texts& texts) {
  if (options.shared.json) return write_json(to_json(model, texts));
  for (std::size_t i = 0; i < texts.prompts.size(); ++i) {
    write_out(fmt::format("[text {}]\n{}{}\n\n", i, texts.prompts[i],
                          model.tokenizer.decode(texts.batches.texts[i].tokens)));
  }
  write_out(texts_table(texts).text());
  write_out(summary_of(texts));
}

int rows_of(int slabs, int context) {
  const Index rows = Index{slabs} * context;
  require(rows <= std::numeric_limits<int>::max(),
          "{} slabs of {} rows are more than {} rows; fewer, with --slabs", slabs, context,
          std::numeric_limits<int>::max());
  return static_cast<int>(rows);
}

// Memory for texts that are as long as the model's context at most.
SlabOptions slabs_of(const StaticOptions& options, int context) {
  const bool maximum = options.reservation == Reservation::maximum;
  return {.reservation = options.reservation,
          .fit = Fit::buddy,
          .rows = rows_of(std::min(options.limits.slabs, options.count), context),
          .longest = context,
          .granularity = maximum ? context : std::gcd(context, 16)};
}

void continue_texts(const StaticOptions& options) {
  LoadedModel model = load_model(options.shared.model, options.shared.device);
  SlabManager manager(slabs_of(options, model.config().max_positions));
  KvStorage storage(*model.ops, kv_shape_of(model.config()), manager, true);
  Texts texts{.prompts = first_prompts(options.prompts, options.count),
              .batches = {},
              .totals = {},
              .work = {},
              .seconds = 0};
  std::vector<std::vector<TokenId>> prompts;
  for (const std::string& prompt : texts.prompts) prompts.push_back(model.tokenizer.encode(prompt));
  LogFile log(options.log);
  const Work before = model.decoder->counters().total();
  const auto start = std::chrono::steady_clock::now();
  texts.batches = generate_in_batches(
      *model.decoder, manager, storage, prompts, {generation_of(options.shared)},
      {.budget = options.limits.budget, .max_sequences = options.count}, log.log());
  log.close();
  texts.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  texts.work = model.decoder->counters().total() - before;
  Index generated = 0;
  for (const Generation& text : texts.batches.texts) generated += std::ssize(text.tokens);
  texts.totals = totals_of({.generated = generated, .steps = texts.batches.steps});
  show(options, model, texts);
}

void serve_trace(const StaticOptions& options) {
  const auto requests =
      first_that_fit(read_trace(options.trace), options.requests, options.limits.context);
  const auto served = compare_reservations(requests, options.limits);
  if (!options.figures.empty()) {
    const std::filesystem::path folder = options.figures;
    write_file(folder / "waste.svg", memory_figure(served), "--figures");
    write_file(folder / "running.svg", running_chart({served[0], served[1]}).svg(), "--figures");
    write_file(folder / "tokens.svg",
               tokens_chart({served[0], served[1], served[2], served[3]}).svg(), "--figures");
  }
  if (options.shared.json) return write_json({{"ways", to_json(served)}});
  write_out(steps_table(served).text());
  write_out(
      "\nKV memory in percent, on average over all steps; loaded: tokens while a request "
      "waits\n\n");
  write_out(memory_table(served).text());
}

void add_options(Arguments& arguments, StaticOptions& options) {
  add_model_option(arguments, options.shared);
  add_generation_options(arguments, options.shared);
  arguments.flag("--ignore-eos", options.shared.ignore_eos, "go on after an end-of-sequence token");
  arguments.text("--prompts", "FILE", options.prompts,
                 "a file with the beginning of a text a line");
  arguments.integer("--n", options.count, 1, 256, "texts, from the first line of the file on");
  arguments.custom(
      "--reservation", "NAME", "maximum",
      [&options](const std::string& text) { options.reservation = reservation_of(text); },
      "how long the slabs of texts are: maximum, power or oracle");
  arguments.text("--trace", "FILE", options.trace,
                 "count how the requests of a trace are served, instead of continuing texts");
  arguments.integer("--requests", options.requests, 1, 1 << 20,
                    "requests of the trace: the first that fit the context");
  arguments.integer("--context", options.limits.context, 2, 1 << 16,
                    "rows of the longest slab for the trace");
  arguments.integer("--slabs", options.limits.slabs, 1, 1 << 10,
                    "memory, in slabs of the longest kind");
  arguments.integer("--budget", options.limits.budget, 1, 1 << 20, "the most rows of a step");
  arguments.text("--figures", "DIR", options.figures,
                 "a folder that gets figures of the trace's memory and steps as SVG files");
  arguments.text("--log", "FILE", options.log,
                 "write what happens to the texts, event by event; ./learn view shows it");
  arguments.exclude("--log", "--trace");
  add_device_options(arguments, options.shared);
  add_json_option(arguments, options.shared);
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments(
      "Continues several texts in static batches, each in a slab of reserved memory; or counts "
      "what that wastes on the requests of a trace.");
  quire::StaticOptions options;
  options.prompts = (quire::data_folder() / "prompts/openings.txt").string();
  quire::add_options(arguments, options);
  return quire::run(arguments, argc, argv, [&] {
    if (options.trace.empty()) {
      quire::continue_texts(options);
    } else {
      quire::serve_trace(options);
    }
  });
}
