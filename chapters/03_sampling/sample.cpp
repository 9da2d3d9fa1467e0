#include "chapters/03_sampling/sample.h"

#include <fmt/format.h>

#include <cmath>

#include "chapters/02_decoder/no_cache.h"
#include "src/text/text_stream.h"

namespace quire {
namespace {

std::string shown(const Tokenizer& tokenizer, const TokenLogprob& one) {
  return fmt::format("{} {:.1f} %", shown_token(tokenizer, one.token), 100 * std::exp(one.logprob));
}

// By how many nats the tokens of a generation surprised the model.
double surprise(const Generation& generation) {
  double nats = 0;
  for (const ChoiceLogprobs& choice : generation.logprobs) nats -= choice.chosen.logprob;
  return nats;
}

Json to_json(const TokenLogprob& one, const Tokenizer& tokenizer) {
  return {
      {"id", to_int(one.token)}, {"token", tokenizer.piece(one.token)}, {"logprob", one.logprob}};
}

Json to_json(const ChoiceLogprobs& choice, const Tokenizer& tokenizer) {
  Json json = to_json(choice.chosen, tokenizer);
  json["top"] = Json::array();
  for (const TokenLogprob& one : choice.top) json["top"].push_back(to_json(one, tokenizer));
  return json;
}

}  // namespace

// [take_sample]
Sample take_sample(LoadedModel& model, const std::vector<TokenId>& prompt, const Options& options,
                   int explain, const std::function<void(const std::string&)>& show) {
  TextStream stream(model.tokenizer, options.stop);
  stream.skip(prompt);
  std::string text;
  const auto add = [&](const std::string& piece) {
    text += piece;
    show(piece);
  };
  StageRecord record(explain, [&](TokenId token) { add(stream.push(token)); });
  GenerationOptions request = generation_of(options);
  request.stop_when = [&] { return stream.stopped(); };
  Generation generation = continue_prompt(model, memory_of<NoCache>, prompt, request, record);
  add(stream.finish());
  return {std::move(generation), std::move(text), std::move(record)};
}
// [take_sample]

Table logprobs_table(const Sample& sample, const Tokenizer& tokenizer) {
  std::vector<Column> columns = {
      {.title = "token", .align = Align::left}, {.title = "probability"}, {.title = "logprob"}};
  const std::vector<ChoiceLogprobs>& choices = sample.generation.logprobs;
  for (std::size_t i = 0; i < choices.front().top.size(); ++i) {
    columns.push_back({.title = i == 0 ? "likeliest" : "next", .align = Align::left});
  }
  Table table(std::move(columns));
  for (const ChoiceLogprobs& choice : choices) {
    const auto& [token, logprob] = choice.chosen;
    std::vector<Cell> cells = {
        shown_token(tokenizer, token),
        {fmt::format("{:.1f} %", 100 * std::exp(logprob)), std::exp(logprob)},
        {fmt::format("{:.3f}", logprob), logprob}};
    for (const TokenLogprob& one : choice.top) cells.emplace_back(shown(tokenizer, one));
    table.row(std::move(cells));
  }
  return table;
}

Table samples_table(const std::vector<Sample>& samples) {
  Table table(
      {{.title = "sample"}, {.title = "tokens"}, {.title = "reason"}, {.title = "nats/token"}});
  double tokens = 0, nats = 0;
  for (std::size_t k = 0; k < samples.size(); ++k) {
    const Generation& one = samples[k].generation;
    const auto count = static_cast<double>(one.tokens.size());
    const double per_token = surprise(one) / count;
    tokens += count;
    nats += surprise(one);
    table.row({fmt::format("{}", k),
               fmt::format("{}", one.tokens.size()),
               std::string(name_of(one.finish)),
               {fmt::format("{:.3f}", per_token), per_token}});
  }
  const double mean = tokens / static_cast<double>(samples.size());
  table.row({"mean",
             {fmt::format("{:.1f}", mean), mean},
             "",
             {fmt::format("{:.3f}", nats / tokens), nats / tokens}});
  return table;
}

Json to_json(const Sample& sample, const Tokenizer& tokenizer) {
  Json json = {{"ids", to_json(sample.generation.tokens)},
               {"text", sample.text},
               {"finish_reason", name_of(sample.generation.finish)},
               {"seconds", sample.record.tokens().back().seconds}};
  if (sample.generation.logprobs.empty()) return json;
  json["logprobs"] = Json::array();
  for (const ChoiceLogprobs& choice : sample.generation.logprobs) {
    json["logprobs"].push_back(to_json(choice, tokenizer));
  }
  return json;
}

}  // namespace quire
