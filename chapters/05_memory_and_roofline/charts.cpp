#include "chapters/05_memory_and_roofline/charts.h"

#include <fmt/format.h>

#include <algorithm>

#include "chapters/05_memory_and_roofline/exact.h"
#include "chapters/05_memory_and_roofline/tables.h"
#include "src/report/format.h"
#include "src/report/html.h"

namespace quire {
namespace {

using u64 = std::uint64_t;

constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr u64 kLongest = 16384, kSteps = 16;

double gib(u64 bytes) {
  return static_cast<double>(bytes) / kGiB;
}

Series kv_line(const std::string& label, const Plan& plan, const ModelShape& shape,
               const NumberFormat& format) {
  Series line{.label = label, .points = {}};
  const u64 of_token = kv_bytes_per_token(shape, format);
  const auto window = static_cast<u64>(shape.config.window);
  const u64 end = std::max(kLongest, plan.request.longest());
  for (u64 i = 0; i <= kSteps; ++i) {
    const u64 length = end * i / kSteps;
    const u64 seen = window == 0 ? length : std::min(length, window);
    line.points.push_back({static_cast<double>(length), gib(exact_product({seen, of_token}))});
  }
  const u64 at_end = window == 0 ? end : std::min(end, window);
  line.note = format_bytes(exact_product({at_end, of_token}));
  return line;
}

Series free_line(const Plan& plan, double end) {
  const double room = gib(*plan.free);
  return {.label = "left on the card",
          .points = {{0, room}, {end, room}},
          .note = format_bytes(*plan.free),
          .dashed = true};
}

// The roof between two intensities: reading first, arithmetic from the ridge on.
Series roof(const Card& card, double low, double high) {
  Series line{.label = card.name, .points = {}, .note = "the roof", .color = 3, .dashed = true};
  const auto at = [&](double intensity) {
    return Point{intensity, std::min(intensity * card.bandwidth, card.flops) / 1e12};
  };
  line.points.push_back(at(low));
  if (low < card.ridge() && card.ridge() < high) line.points.push_back(at(card.ridge()));
  line.points.push_back(at(high));
  return line;
}

Point on_roof(const Plan& plan, const EqualSpans& span, std::string label) {
  const StepCost cost = step_cost(plan.shape, plan.request.formats, {&span, 1});
  const double seconds = time_of(cost, plan.request.card).seconds();
  return {cost.intensity(), static_cast<double>(cost.flops()) / seconds / 1e12, std::move(label)};
}

Series decode_points(const Plan& plan) {
  Series line{.label = "decode",
              .points = {},
              .note = fmt::format("1 to 256 × {}", format_count(plan.request.longest())),
              .color = 2,
              .joined = false};
  for (const u64 sequences : {1, 4, 16, 64, 256}) {
    const EqualSpans span{sequences, plan.request.longest() - 1, 1};
    line.points.push_back(on_roof(plan, span, fmt::format("{}", sequences)));
  }
  return line;
}

Series prefill_points(const Plan& plan) {
  Series line{.label = "prefill",
              .points = {},
              .note = "32 to 2,048 tokens",
              .color = 1,
              .joined = false,
              .labels_below = true};
  for (const u64 tokens : {32, 128, 512, 2048}) {
    line.points.push_back(on_roof(plan, {1, 0, tokens}, fmt::format("{}", tokens)));
  }
  return line;
}

}  // namespace

Chart kv_chart(const Plan& plan) {
  Chart chart{.title = fmt::format("{}: keys and values of one sequence", plan.shape.name),
              .description =
                  "The cache grows by the same bytes for every token; fewer KV heads and "
                  "fewer bits lower the line.",
              .x = {.label = "tokens in the sequence"},
              .y = {.label = "keys and values", .unit = "GiB"},
              .series = {}};
  ModelShape every_head = plan.shape;
  every_head.config.kv_heads = every_head.config.heads;
  const NumberFormat& format = plan.request.formats.kv;
  if (every_head.config.kv_heads != plan.shape.config.kv_heads) {
    chart.series.push_back(
        kv_line(fmt::format("{} KV heads", every_head.config.kv_heads), plan, every_head, format));
  }
  chart.series.push_back(
      kv_line(fmt::format("{} KV heads", plan.shape.config.kv_heads), plan, plan.shape, format));
  if (format.bits > 8) {
    const NumberFormat int8{.name = "INT8", .bits = 8, .group = 128};
    chart.series.push_back(kv_line("the same in INT8", plan, plan.shape, int8));
  }
  const double end = chart.series.front().points.back().x;
  const double highest = chart.series.front().points.back().y;
  // A line far above all others would flatten them.
  if (plan.free && gib(*plan.free) < 3 * highest) chart.series.push_back(free_line(plan, end));
  return chart;
}

Chart roofline_chart(const Plan& plan) {
  const Series decode = decode_points(plan), prefill = prefill_points(plan);
  std::vector<double> intensities = {plan.request.card.ridge()};
  for (const Series* line : {&decode, &prefill}) {
    for (const Point& point : line->points) intensities.push_back(point.x);
  }
  const auto [low, high] = std::minmax_element(intensities.begin(), intensities.end());
  return {.title = fmt::format("{} on {}", plan.shape.name, plan.request.card.name),
          .description =
              "Below the ridge reading limits and speed grows with intensity; beyond it "
              "arithmetic limits. Decode stands on the slope, prefill of long prompts on "
              "the flat part.",
          .x = {.label = "FLOPs a byte", .scale = Scale::log10},
          .y = {.label = "attainable", .unit = "TFLOP/s", .scale = Scale::log10},
          .series = {roof(plan.request.card, *low / 1.5, *high * 4), decode, prefill}};
}

std::string page_of(const Plan& plan) {
  HtmlPage page(fmt::format("{} on {}", plan.shape.name, plan.request.card.name),
                "How many bytes, how many FLOPs, and which one is the limit. All numbers are "
                "arithmetic: lower bounds of time and memory, by the model's sizes and the card's "
                "data sheet.");
  page.section("Weights").table(weights_table(plan));
  page.section("Keys and values")
      .figure(kv_chart(plan).svg(), "One sequence, in tokens.")
      .table(lengths_table(plan));
  page.section("Arithmetic and reading")
      .figure(roofline_chart(plan).svg(),
              "Numbers above the roof: sequences that decode together; below: tokens of a prompt.")
      .table(steps_table(plan));
  page.section("The plan in words").preformatted(text_of(plan));
  return page.str();
}

}  // namespace quire
