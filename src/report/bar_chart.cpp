#include "src/report/bar_chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "src/core/error.h"
#include "src/report/svg.h"

namespace quire {
namespace {

constexpr double kWidth = 560, kTop = 58, kBar = 24, kPitch = 34, kMargin = 8;

void check(const Bar& bar) {
  require(std::isfinite(bar.value) && bar.value >= 0,
          "bar chart: '{}' is {}, bars need finite values from 0 on", bar.label, bar.value);
  require(1 <= bar.color && bar.color <= 4, "bar chart: color {} of '{}', 1 to 4 exist", bar.color,
          bar.label);
}

void draw_bar(Svg& svg, const Bar& bar, double left, double length, double top) {
  svg.text(left - 10, top + kBar / 2 + 5, bar.label, "", Anchor::end);
  svg.open_group(fmt::format("s{}", bar.color));
  // A hair of a bar says "almost nothing" where a missing one would say "not measured".
  svg.rectangle(left, top, std::max(length, 1.0), kBar, "bar", bar.label + ": " + bar.shown);
  svg.text(left + length + 8, top + kBar / 2 + 5, bar.shown, "label");
  svg.close_group();
}

}  // namespace

std::string BarChart::svg() const {
  double longest = 0, names = 0, values = 0;
  for (const Bar& bar : bars) {
    check(bar);
    longest = std::max(longest, bar.value);
    names = std::max(names, text_width(bar.label));
    values = std::max(values, text_width(bar.shown));
  }
  const double left = kMargin + std::min(names, 230.0) + 10;
  const double room = kWidth - kMargin - 8 - std::min(values, 150.0) - left;
  const double rows = static_cast<double>(std::max<std::size_t>(bars.size(), 1));
  Svg svg(title, description, kWidth, kTop + rows * kPitch + kMargin);
  svg.text(kMargin, 22, title, "heading").text(kMargin, 43, measure, "soft");
  if (bars.empty()) svg.text(kWidth / 2, kTop + kBar / 2, "no data", "soft", Anchor::middle);
  double top = kTop;
  for (const Bar& bar : bars) {
    draw_bar(svg, bar, left, longest > 0 ? room * bar.value / longest : 0, top);
    top += kPitch;
  }
  return svg.str();
}

}  // namespace quire
