#include "chapters/05_memory_and_roofline/charts.h"
#include "chapters/05_memory_and_roofline/measure.h"
#include "chapters/05_memory_and_roofline/names.h"
#include "chapters/05_memory_and_roofline/request.h"
#include "chapters/05_memory_and_roofline/tables.h"
#include "src/app/output.h"
#include "src/app/program.h"

namespace quire {
namespace {

constexpr int kMeasuredTokens = 64, kMostThreads = 1024;

struct ProgramOptions {
  PlanOptions plan;
  bool json = false, measure = false;
  int threads = 0;
  std::string csv, report, figures;
};

std::string csv_of(const Plan& plan, const std::string& name) {
  struct Named {
    std::string_view name;
    Table (*table)(const Plan&);
  };
  const std::vector<Named> tables = {
      {"weights", weights_table}, {"lengths", lengths_table}, {"steps", steps_table}};
  return find_named("--csv", name, tables).table(plan).csv();
}

void show_measured(const ProgramOptions& options) {
  std::filesystem::path folder = options.plan.model;
  if (folder.empty()) folder = data_folder() / "model";
  LoadedModel model = load_model(folder, {.threads = options.threads});
  const std::vector<MeasuredStep> steps =
      measure(model, shape_of(folder), options.plan.length.value_or(kMeasuredTokens));
  if (options.json) return write_json({{"steps", to_json(steps)}});
  write_out(measured_table(steps).text());
}

void show_plan(const ProgramOptions& options) {
  const Plan plan = make_plan(request_of(options.plan));
  const std::string csv = options.csv.empty() ? "" : csv_of(plan, options.csv);
  if (!options.report.empty()) write_file(options.report, page_of(plan), "--report");
  if (!options.figures.empty()) {
    write_file(std::filesystem::path(options.figures) / "kv.svg", kv_chart(plan).svg(),
               "--figures");
    write_file(std::filesystem::path(options.figures) / "roofline.svg", roofline_chart(plan).svg(),
               "--figures");
  }
  if (options.json) return write_json(to_json(plan));
  write_out(csv.empty() ? text_of(plan) : csv);
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments(
      "Plans a model on a card: bytes of weights, keys and values, what fits, and whether "
      "arithmetic or reading limits prefill and decode.");
  quire::ProgramOptions options;
  quire::add_plan_options(arguments, options.plan);
  arguments.flag("--json", options.json, "print one JSON object and nothing else");
  arguments.text("--csv", "TABLE", options.csv,
                 "print one table as CSV, with exact numbers: weights, lengths or steps");
  arguments.exclude("--csv", "--json");
  arguments.text("--report", "FILE", options.report, "an HTML page with tables and charts");
  arguments.text("--figures", "DIR", options.figures,
                 "a folder that gets each chart as an SVG file");
  arguments.flag("--measure", options.measure,
                 "run the model of --model, or the built-in one, and show what its operators count "
                 "for --length tokens and one more");
  arguments.integer("--threads", options.threads, 0, quire::kMostThreads,
                    "threads of --measure; 0 means one for each core");
  arguments.exclude("--measure", "shape");
  return quire::run(arguments, argc, argv, [&] {
    options.measure ? quire::show_measured(options) : quire::show_plan(options);
  });
}
