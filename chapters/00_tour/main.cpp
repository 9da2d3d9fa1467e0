#include <algorithm>
#include <fstream>

#include "chapters/00_tour/crowd.h"
#include "chapters/00_tour/ladder.h"
#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/app/progress.h"
#include "src/core/error.h"
#include "src/text/streaming_decoder.h"

namespace quire {
namespace {

// What all stages did.
struct Tour {
  std::vector<StageResult> ladder;
  std::string text;  // of the first stage
  std::vector<CrowdResult> crowd;
  std::uint64_t bytes_per_row = 0;
};

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

void write_files(const TourOptions& options, const Tour& tour) {
  write_file(options.report,
             report_page(tour.ladder, crowd_table(tour.crowd, tour.bytes_per_row),
                         crowd_chart(tour.crowd), options.shared.prompt, tour.text),
             "--report");
  if (options.figures.empty()) return;
  const std::filesystem::path folder = options.figures;
  for (const LadderChart& figure : ladder_charts(tour.ladder)) {
    write_file(folder / (figure.name + ".svg"), figure.chart.svg(), "--figures");
  }
  write_file(folder / "crowd.svg", crowd_chart(tour.crowd).svg(), "--figures");
}

void show(const TourOptions& options, const Tour& tour) {
  if (options.shared.json) {
    Json json = to_json(tour.ladder);
    json["requests"] = to_json(tour.crowd, tour.bytes_per_row);
    json["prompt"] = options.shared.prompt;
    json["text"] = tour.text;
    json["device"] = options.shared.device.name;
    return write_json(json);
  }
  write_out(ladder_table(tour.ladder).text());
  write_out("\n" + crowd_table(tour.crowd, tour.bytes_per_row).text());
  write_out("\nCharts: " + std::filesystem::proximate(options.report).string() + "\n");
}

void climb(const TourOptions& options, LoadedModel& model, const std::vector<TokenId>& prompt,
           Tour& tour) {
  for (const Stage& stage : all_stages()) {
    std::string text;
    tour.ladder.push_back(run_stage(options, model, stage, prompt, text));
    if (tour.ladder.size() == 1) tour.text = text;
    StageResult& result = tour.ladder.back();
    result.identical = result.generation.tokens == tour.ladder.front().generation.tokens;
  }
}

// Sixteen greedy texts would all be the same, so those who ask for none get a temperature.
GenerationOptions options_of_crowd(const TourOptions& options) {
  GenerationOptions crowd = generation_of(options.shared);
  if (crowd.sampling.temperature == 0) crowd.sampling.temperature = 0.8;
  return crowd;
}

void run_tour(const TourOptions& options) {
  expect_writable(options.report);
  if (!options.figures.empty())
    expect_writable(std::filesystem::path(options.figures) / "time.svg");
  LoadedModel model = load_model(options.shared.model, options.shared.device);
  const std::vector<TokenId> prompt = model.tokenizer.encode(options.shared.prompt);
  token_limit(model.config(), prompt.size(), options.shared.max_tokens);  // refuses at once
  Tour tour;
  tour.bytes_per_row = kv_shape_of(model.config()).bytes_per_token();
  climb(options, model, prompt, tour);
  tour.crowd = serve_crowd(model, prompt, options_of_crowd(options));
  write_files(options, tour);
  show(options, tour);
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
  return quire::run(arguments, argc, argv, [&] { quire::run_tour(options); });
}
