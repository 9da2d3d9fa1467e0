#include "chapters/10_continuous_batching/serving.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <map>

#include "src/core/error.h"
#include "src/report/format.h"

namespace quire {
namespace {

using Clock = std::chrono::steady_clock;

// Samples of requests that the engine has taken, by the sequence that it gave them.
using Taken = std::map<SequenceId, std::size_t>;

Taken add_all(Engine& engine, const std::vector<GenerationRequest>& requests,
              ServingRecord& record) {
  Taken taken;
  for (const GenerationRequest& request : requests) {
    try {
      const int first = to_int(engine.add(request));
      for (int sample = 0; sample < request.samples; ++sample) {
        taken[SequenceId{first + sample}] = record.requests.size();
        record.requests.push_back({.prompt = request.prompt});
      }
    } catch (const Error& error) {
      record.requests.push_back({.prompt = request.prompt});
      record.requests.back().reason = "refused";
      record.requests.back().error = error.what();
    }
  }
  return taken;
}

// Notes what a step said; returns how many requests ended in it.
int note_outputs(std::span<const Output> outputs, const Taken& taken, ServingRecord& record) {
  int ended = 0;
  for (const Output& output : outputs) {
    ServedRequest& request = record.requests[taken.at(output.sequence)];
    if (output.token) request.tokens.push_back(*output.token);
    if (output.token && request.first_step < 0) request.first_step = record.steps;
    if (!output.finish) continue;
    request.reason = name_of(*output.finish);
    request.error = output.error;
    request.last_step = record.steps;
    ++ended;
  }
  return ended;
}

void note_plan(const Plan& plan, ServingRecord& record) {
  for (const Share& share : plan.shares) record.rows += share.rows;
  record.row_sequences += std::ssize(plan.shares);
  record.preemptions += static_cast<int>(plan.preempted.size());
}

double tokens_per_second(const ServingRecord& record) {
  return record.seconds > 0 ? static_cast<double>(record.tokens) / record.seconds : 0;
}

Cell count(Index value) {
  return {format_count(static_cast<std::uint64_t>(value)), static_cast<double>(value)};
}

Cell decimal(double value) {
  return {fmt::format("{:.1f}", value), value};
}

Cell milliseconds_a_token(const ServingRecord& record) {
  const double each =
      1000 * record.seconds / static_cast<double>(std::max<Index>(record.tokens, 1));
  return {fmt::format("{:.2f}", each), each};
}

std::string step_or_none(int step) {
  return step < 0 ? "" : std::to_string(step);
}

}  // namespace

ServingRecord serve(Engine& engine, const BlockManager& manager,
                    const std::vector<GenerationRequest>& requests,
                    const std::function<void(int)>& progress) {
  ServingRecord record{.requests = {}};
  const Taken taken = add_all(engine, requests, record);
  const auto start = Clock::now();
  while (!engine.idle()) {
    const int ended = note_outputs(engine.step(), taken, record);
    note_plan(engine.scheduler().plan(), record);
    ++record.steps;
    if (progress) progress(ended);
  }
  record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  record.most_blocks = manager.pool().most_held();
  for (const ServedRequest& request : record.requests) record.tokens += std::ssize(request.tokens);
  return record;
}

ServingRecord serve_in_batches(Decoder& decoder, SlabManager& manager, KvCache& cache,
                               const std::vector<GenerationRequest>& requests,
                               const BatchLimits& limits, StepLog* log) {
  std::vector<std::vector<TokenId>> prompts;
  std::vector<GenerationOptions> options;
  for (const GenerationRequest& request : requests) {
    for (int sample = 0; sample < request.samples; ++sample) {
      prompts.push_back(request.prompt);
      options.push_back(request.options);
      options.back().sampling.sample += sample;
    }
  }
  const auto start = Clock::now();
  const auto batches = generate_in_batches(decoder, manager, cache, prompts, options, limits, log);
  ServingRecord record{.requests = {}, .steps = static_cast<int>(batches.steps.size())};
  record.seconds = std::chrono::duration<double>(Clock::now() - start).count();
  for (const CountedStep& step : batches.steps) {
    record.rows += step.rows;
    record.row_sequences += step.running;
  }
  for (const Generation& text : batches.texts) {
    record.requests.push_back({.prompt = text.prompt,
                               .tokens = text.tokens,
                               .reason = std::string(name_of(text.finish))});
    record.tokens += std::ssize(text.tokens);
  }
  return record;
}

Table serving_table(const ServingRecords& records) {
  Table table({{.title = "requests", .align = Align::left},
               {.title = "steps"},
               {.title = "rows"},
               {.title = "sequences a step"},
               {.title = "tokens"},
               {.title = "preempted"},
               {.title = "most blocks"},
               {.title = "time", .unit = "s"},
               {.title = "tokens/s"},
               {.title = "a token", .unit = "ms"}});
  for (const auto& [name, record] : records) {
    const double steps = std::max(record.steps, 1);
    table.row({name, count(record.steps), count(record.rows),
               decimal(static_cast<double>(record.row_sequences) / steps), count(record.tokens),
               count(record.preemptions),
               record.most_blocks > 0 ? count(record.most_blocks) : Cell(""),
               decimal(record.seconds), decimal(tokens_per_second(record)),
               milliseconds_a_token(record)});
  }
  return table;
}

Table requests_table(const ServingRecord& record) {
  Table table({{.title = "request"},
               {.title = "prompt tokens"},
               {.title = "new tokens"},
               {.title = "first token in step"},
               {.title = "ended in step"},
               {.title = "ended by", .align = Align::left}});
  for (std::size_t i = 0; i < record.requests.size(); ++i) {
    const ServedRequest& request = record.requests[i];
    table.row({std::to_string(i), std::to_string(request.prompt.size()),
               std::to_string(request.tokens.size()), step_or_none(request.first_step),
               step_or_none(request.last_step), request.reason});
  }
  return table;
}

Json to_json(const ServingRecord& record) {
  return {{"steps", record.steps},
          {"rows", record.rows},
          {"tokens", record.tokens},
          {"preemptions", record.preemptions},
          {"most_blocks", record.most_blocks},
          {"seconds", record.seconds},
          {"tokens_per_second", tokens_per_second(record)}};
}

}  // namespace quire
