#include <algorithm>
#include <fstream>

#include "chapters/00_tour/ladder.h"
#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/app/progress.h"
#include "src/core/error.h"
#include "src/text/streaming_decoder.h"

namespace quire {
namespace {

struct TourOptions {
  Options shared;
  int repeats = 3;
  std::filesystem::path report = QUIRE_REPORT_FILE;
  std::string figures;
};

// Runs the stage again, and keeps the least time of each step: what other work on the machine took
// away does not count.
void repeat(const TourOptions& options, LoadedModel& model, StageResult& result) {
  Progress progress("measuring chapter " + result.stage.chapter, std::max(1, options.repeats - 1));
  for (int i = 1; i < options.repeats; ++i) {
    RunRecord record;
    continue_prompt(model, result.stage.make_memory, result.generation.prompt,
                    generation_of(options.shared), record);
    for (std::size_t step = 0; step < result.steps.size(); ++step) {
      result.steps[step].seconds =
          std::min(result.steps[step].seconds, record.steps()[step].seconds);
    }
    progress.advance();
  }
}

StageResult run_stage(const TourOptions& options, LoadedModel& model, const Stage& stage,
                      const std::vector<TokenId>& prompt, std::string& text) {
  const bool quiet = options.shared.json;
  StreamingDecoder pieces(model.tokenizer);
  pieces.skip(prompt);
  const auto show = [&](const std::string& piece) {
    text += piece;
    if (!quiet) write_out(piece);
  };
  RunRecord record([&](TokenId token) { show(pieces.push(token)); });
  if (!quiet)
    write_out("[chapter " + stage.chapter + ": " + stage.name + "]\n" + options.shared.prompt);
  StageResult result{.stage = stage, .generation = {}, .steps = {}};
  result.generation = continue_prompt(model, stage.make_memory, prompt,
                                      generation_of(options.shared), record, &result.kv_bytes);
  show(pieces.finish());
  if (!quiet) write_out("\n\n");
  result.steps = record.steps();
  repeat(options, model, result);
  return result;
}

// Fails before the work is done rather than after it.
void expect_writable(const std::filesystem::path& file) {
  require(std::ofstream(file, std::ios::app).good(),
          "cannot write {}; name another place with --report or --figures", file.string());
}

void write_file(const std::filesystem::path& file, const std::string& content) {
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  require(!out.fail(), "cannot write all of {}: is the disk full?", file.string());
}

void write_files(const TourOptions& options, const std::vector<StageResult>& results,
                 const std::string& text) {
  write_file(options.report, report_page(results, options.shared.prompt, text));
  if (options.figures.empty()) return;
  for (const LadderChart& figure : ladder_charts(results)) {
    write_file(std::filesystem::path(options.figures) / (figure.name + ".svg"), figure.chart.svg());
  }
}

void show(const TourOptions& options, const std::vector<StageResult>& results,
          const std::string& text) {
  if (options.shared.json) {
    Json json = to_json(results);
    json["prompt"] = options.shared.prompt;
    json["text"] = text;
    json["device"] = options.shared.device.name;
    return write_json(json);
  }
  write_out(ladder_table(results).text());
  write_out("\nCharts: " + std::filesystem::proximate(options.report).string() + "\n");
}

void tour(const TourOptions& options) {
  expect_writable(options.report);
  if (!options.figures.empty())
    expect_writable(std::filesystem::path(options.figures) / "time.svg");
  LoadedModel model = load_model(options.shared.model, options.shared.device);
  const std::vector<TokenId> prompt = model.tokenizer.encode(options.shared.prompt);
  token_limit(model.config(), prompt.size(), options.shared.max_tokens);  // refuses at once
  std::vector<StageResult> results;
  std::string first_text;
  for (const Stage& stage : all_stages()) {
    std::string text;
    results.push_back(run_stage(options, model, stage, prompt, text));
    if (results.size() == 1) first_text = text;
    results.back().identical =
        results.back().generation.tokens == results.front().generation.tokens;
  }
  write_files(options, results, first_text);
  show(options, results, first_text);
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments("Runs every stage on one prompt, and shows what each idea buys.");
  quire::TourOptions options;
  quire::add_all_options(arguments, options.shared);
  arguments.integer("--repeat", options.repeats, 1, 1000,
                    "runs of each stage; the least time of a step counts");
  arguments.custom(
      "--report", "FILE", options.report.string(),
      [&](const std::string& file) { options.report = file; },
      "where the page with the charts goes");
  arguments.text("--figures", "DIR", options.figures,
                 "a folder that gets each chart as an SVG file too");
  return quire::run(arguments, argc, argv, [&] { quire::tour(options); });
}
