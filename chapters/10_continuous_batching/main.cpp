#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "chapters/10_continuous_batching/paged_simulation.h"
#include "chapters/10_continuous_batching/serving.h"
#include "src/app/loaded_model.h"
#include "src/app/log_file.h"
#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/app/progress.h"
#include "src/app/run_record.h"
#include "src/core/error.h"
#include "src/core/random.h"

namespace quire {
namespace {

struct ServerOptions {
  Options shared;
  std::string prompts, trace, log, figures;
  int requests = 8;
  int samples = 1;
  int blocks = 256;
  int block_size = 16;
  SchedulerOptions limits;
  bool texts = false, alone = false, batches = false, simulate = false;
};

// Each request has random numbers of its own.
GenerationRequest request_of(const ServerOptions& options, std::vector<TokenId> prompt, int index) {
  GenerationRequest request{.prompt = std::move(prompt),
                            .options = generation_of(options.shared),
                            .samples = options.samples};
  request.options.sampling.seed += static_cast<std::uint64_t>(index);
  return request;
}

// The lines of a file, from the first one on, and over again if there are too few.
std::vector<GenerationRequest> from_prompts(const ServerOptions& options,
                                            const LoadedModel& model) {
  std::vector<std::vector<TokenId>> prompts;
  for (const std::string& line : prompts_in(options.prompts)) {
    prompts.push_back(model.tokenizer.encode(line));
  }
  std::vector<GenerationRequest> requests;
  for (int i = 0; i < options.requests; ++i) {
    const auto& prompt = prompts[static_cast<std::size_t>(i) % prompts.size()];
    requests.push_back(request_of(options, prompt, i));
  }
  return requests;
}

// As many tokens as a trace says, made up, since nobody knows what they were.
std::vector<GenerationRequest> from_trace(const ServerOptions& options, const LoadedModel& model) {
  const ModelConfig& config = model.config();
  const auto trace =
      first_that_fit(read_trace(options.trace), options.requests, config.max_positions);
  Random random(options.shared.sampling.seed);
  std::vector<GenerationRequest> requests;
  for (const TraceRequest& one : trace) {
    std::vector<TokenId> prompt(static_cast<std::size_t>(one.prompt_tokens));
    for (TokenId& token : prompt) {
      const auto id = random.below(static_cast<std::uint64_t>(config.vocabulary));
      token = TokenId{static_cast<std::int32_t>(id)};
    }
    requests.push_back(request_of(options, std::move(prompt), static_cast<int>(requests.size())));
    requests.back().options.max_tokens = one.output_tokens;
    requests.back().options.ignore_eos = true;
  }
  return requests;
}

ServingRecord serve_with(const ServerOptions& options, LoadedModel& model,
                         const std::vector<GenerationRequest>& requests, int most, StepLog* log) {
  BlockManager manager(options.blocks, options.block_size);
  KvStorage storage(*model.ops, kv_shape_of(model.config()), manager, true);
  Engine engine(*model.decoder, manager, storage,
                {.budget = options.limits.budget, .max_sequences = most});
  if (log != nullptr) {
    engine.report_to(*log, manager, [&](TokenId token) {
      return model.tokenizer.decode({&token, 1});
    });
  }
  Progress progress(most == 1 ? "one by one" : "together", std::ssize(requests) * options.samples);
  return serve(engine, manager, requests, [&](int ended) { progress.advance(ended); });
}

ServingRecord serve_and_log(const ServerOptions& options, LoadedModel& model,
                            const std::vector<GenerationRequest>& requests) {
  const int most = options.limits.max_sequences;
  LogFile log(options.log);
  ServingRecord record = serve_with(options, model, requests, most, log.log());
  log.close();
  return record;
}

// Shows how many texts have ended.
class ProgressLog final : public StepLog {
 public:
  explicit ProgressLog(Index texts) : progress_("in static batches", texts) {}

 private:
  void take_header(const LogHeader&) override {}
  void take_event(const LogEvent& event) override {
    if (event.kind == LogKind::finish) progress_.advance(1);
  }
  void take_end(int) override {}

  Progress progress_;
};

// The memory of the blocks, in slabs that are as long as the context.
ServingRecord serve_statically(const ServerOptions& options, LoadedModel& model,
                               const std::vector<GenerationRequest>& requests) {
  const int context = model.config().max_positions;
  const Index rows = Index{options.blocks} * options.block_size;
  const int slabs = static_cast<int>(std::min<Index>(rows / context, options.limits.max_sequences));
  require(slabs > 0, "{} rows have no room for a slab of {}, the context; more, with --kv-blocks",
          rows, context);
  SlabManager manager({.reservation = Reservation::maximum,
                       .fit = Fit::buddy,
                       .rows = slabs * context,
                       .longest = context,
                       .granularity = context});
  KvStorage storage(*model.ops, kv_shape_of(model.config()), manager, true);
  ProgressLog log(std::ssize(requests) * options.samples);
  return serve_in_batches(*model.decoder, manager, storage, requests,
                          {.budget = options.limits.budget, .max_sequences = slabs}, &log);
}

Json requests_json(const LoadedModel& model, const ServingRecord& record) {
  Json requests = Json::array();
  for (const ServedRequest& request : record.requests) {
    Json json = {{"prompt_ids", to_json(request.prompt)},
                 {"ids", to_json(request.tokens)},
                 {"text", model.tokenizer.decode(request.tokens)},
                 {"finish_reason", request.reason},
                 {"first_step", request.first_step},
                 {"last_step", request.last_step}};
    if (!request.error.empty()) json["error"] = request.error;
    requests.push_back(std::move(json));
  }
  return requests;
}

void write_texts(const LoadedModel& model, const ServingRecord& record) {
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    const ServedRequest& request = record.requests[i];
    write_out(fmt::format("[request {}]\n{}{}\n\n", i, model.tokenizer.decode(request.prompt),
                          model.tokenizer.decode(request.tokens)));
  }
  write_out(requests_table(record).text() + "\n");
}

void write_failures(const ServingRecord& record) {
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    const ServedRequest& request = record.requests[i];
    if (!request.error.empty()) write_out(fmt::format("\nRequest {}: {}\n", i, request.error));
  }
}

// A script that looks at the status alone learns of a cache that is too small for anybody.
void expect_served(const ServingRecord& record) {
  const auto is_refused = [](const ServedRequest& request) { return !request.error.empty(); };
  require(!std::all_of(record.requests.begin(), record.requests.end(), is_refused),
          "none of the {} requests could be served; the first: {}", record.requests.size(),
          record.requests.front().error);
}

void show(const ServerOptions& options, const LoadedModel& model, const ServingRecords& records) {
  const ServingRecord& together = records.back().second;
  if (options.shared.json) {
    Json json = {{"together", to_json(together)}, {"requests", requests_json(model, together)}};
    if (options.alone) json["one_by_one"] = to_json(records.front().second);
    if (options.batches) json["in_static_batches"] = to_json(records.rbegin()[1].second);
    return write_json(json);
  }
  if (options.texts) write_texts(model, together);
  write_out(serving_table(records).text());
  write_failures(together);
}

void serve_requests(const ServerOptions& options) {
  LoadedModel model = load_model(options.shared.model, options.shared.device);
  check(options.shared.sampling, model.config().vocabulary);
  const auto requests =
      options.trace.empty() ? from_prompts(options, model) : from_trace(options, model);
  ServingRecords records;
  if (options.alone) {
    records.push_back({"one by one", serve_with(options, model, requests, 1, nullptr)});
  }
  if (options.batches) {
    records.push_back({"in static batches", serve_statically(options, model, requests)});
  }
  records.push_back({"together", serve_and_log(options, model, requests)});
  show(options, model, records);
  expect_served(records.back().second);
}

void simulate(const ServerOptions& options) {
  require(!options.trace.empty(), "there is nothing to count; name a trace with --trace FILE");
  const ServingLimits limits{.budget = options.limits.budget};
  const auto requests = first_that_fit(read_trace(options.trace), options.requests, limits.context);
  const auto served = compare_with_slabs(requests, limits, options.block_size, options.limits);
  if (!options.figures.empty()) {
    const std::filesystem::path folder = options.figures;
    write_file(folder / "running.svg", running_chart({served.front(), served.back()}).svg(),
               "--figures");
    write_file(folder / "tokens.svg",
               tokens_chart({served.front(), served[3], served.back()}).svg(), "--figures");
  }
  const double held = share_of_held(served.back().run);
  if (options.shared.json) {
    return write_json({{"ways", to_json(served)}, {"share_of_held_blocks", held}});
  }
  write_out(steps_table(served).text() +
            "\nKV memory in percent, on average over all steps; loaded: tokens while a request "
            "waits\n\n" +
            memory_table(served).text());
  write_out(fmt::format("\nOf the rows in blocks that somebody holds, {:.1f} % hold tokens.\n",
                        100 * held));
}

void add_options(Arguments& arguments, ServerOptions& options) {
  add_model_option(arguments, options.shared);
  add_generation_options(arguments, options.shared);
  add_sampling_options(arguments, options.shared);
  arguments.flag("--ignore-eos", options.shared.ignore_eos, "go on after an end-of-sequence token");
  arguments.integer("--requests", options.requests, 1, 1 << 20, "how many requests come");
  arguments.integer("--n", options.samples, 1, 64, "samples of each request; they share blocks");
  arguments.text("--prompts", "FILE", options.prompts, "a prompt a line");
  arguments.text("--trace", "FILE", options.trace,
                 "take the lengths of requests from a trace, with made-up tokens");
  arguments.integer("--kv-blocks", options.blocks, 1, 1 << 24, "blocks of the KV cache");
  arguments.integer("--block-size", options.block_size, 1, 256, "rows a block");
  arguments.integer("--budget", options.limits.budget, 1, 1 << 20, "rows a step");
  arguments.integer("--max-seqs", options.limits.max_sequences, 1, 1 << 20,
                    "sequences that hold rows at the same time");
  arguments.flag("--texts", options.texts, "also show every text, and when it began and ended");
  arguments.flag("--alone", options.alone, "also serve the requests one by one, to compare");
  arguments.flag("--static", options.batches,
                 "also serve them in static batches of reserved slabs, to compare");
  arguments.flag("--simulate", options.simulate,
                 "compute nothing: count the steps that the trace takes in 16 * 1,024 rows of "
                 "memory, beside the slabs of chapter 08");
  arguments.text("--figures", "DIR", options.figures,
                 "a folder that gets charts of what was simulated, as SVG files");
  arguments.text("--log", "FILE", options.log, "write what the engine does, event by event");
  add_device_options(arguments, options.shared);
  add_json_option(arguments, options.shared);
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments(
      "Serves many requests at once: they join and leave at every step, and share the KV cache "
      "block by block.");
  quire::ServerOptions options;
  options.prompts = (quire::data_folder() / "prompts/openings.txt").string();
  quire::add_options(arguments, options);
  return quire::run(arguments, argc, argv, [&] {
    options.simulate ? quire::simulate(options) : quire::serve_requests(options);
  });
}
