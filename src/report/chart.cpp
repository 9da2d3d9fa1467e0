#include "src/report/chart.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "src/core/error.h"
#include "src/report/format.h"
#include "src/report/markup.h"
#include "src/report/svg.h"

namespace quire {
namespace {

constexpr double kWidth = 560, kHeight = 350, kTop = 60, kBottom = 292, kRight = 552;
constexpr double kMargin = 8, kLineHeight = 19;

/// The rectangle that the data fills, and the way into it.
struct Plot {
  Ruler x_ruler, y_ruler;
  double left, right;

  double x(double value) const { return left + (right - left) * x_ruler.fraction(value); }
  double y(double value) const { return kBottom - (kBottom - kTop) * y_ruler.fraction(value); }
  std::string at(double px, double py) const { return coordinate(x(px)) + ' ' + coordinate(y(py)); }
};

std::string with_unit(double value, const Axis& axis) {
  const std::string number = format_number(value, 4);
  return axis.unit.empty() ? number : number + ' ' + axis.unit;
}

std::string axis_title(const Axis& axis) {
  return axis.unit.empty() ? axis.label : fmt::format("{} ({})", axis.label, axis.unit);
}

void check(const Series& series) {
  require(series.spread.empty() || series.spread.size() == series.points.size(),
          "chart: series '{}' has {} points but {} intervals", series.label, series.points.size(),
          series.spread.size());
  require(0 <= series.color && series.color <= 4, "chart: color {} of series '{}', 0 to 4 exist",
          series.color, series.label);
}

Plot make_plot(const Chart& chart) {
  std::vector<double> xs, ys;
  double label_width = 0;
  for (const Series& series : chart.series) {
    check(series);
    for (const Point& point : series.points) xs.push_back(point.x), ys.push_back(point.y);
    for (const Interval& range : series.spread) ys.push_back(range.low), ys.push_back(range.high);
    if (!series.points.empty())
      label_width = std::max({label_width, text_width(series.label), text_width(series.note)});
  }
  Plot plot{make_ruler(chart.x.scale, xs, 6, Ends::at_values), make_ruler(chart.y.scale, ys, 5), 0,
            0};
  double tick_width = 0;
  for (double tick : plot.y_ruler.ticks)
    tick_width = std::max(tick_width, text_width(format_si(tick, 6)));
  plot.left = kMargin + tick_width + 6;
  plot.right = kRight - std::clamp(label_width + 14, 16.0, 230.0);
  return plot;
}

void draw_frame(Svg& svg, const Chart& chart, const Plot& plot) {
  svg.text(kMargin, 22, chart.title, "heading").text(kMargin, 43, axis_title(chart.y), "soft");
  const double base = chart.y.scale == Scale::linear ? 0 : plot.y_ruler.low;
  for (double tick : plot.y_ruler.ticks) {
    const double y = plot.y(tick);
    svg.path(fmt::format("M{} {}H{}", coordinate(plot.left), coordinate(y), coordinate(plot.right)),
             tick == base ? "axis" : "grid");
    svg.text(plot.left - 8, y + 5, format_si(tick, 6), "soft", Anchor::end);
  }
  for (double tick : plot.x_ruler.ticks)
    svg.text(plot.x(tick), kBottom + 21, format_si(tick, 6), "soft", Anchor::middle);
  svg.text((plot.left + plot.right) / 2, kBottom + 44, axis_title(chart.x), "soft", Anchor::middle);
}

std::string line_through(const std::vector<Point>& points, const Plot& plot) {
  std::string data;
  for (const Point& point : points) data += (data.empty() ? 'M' : 'L') + plot.at(point.x, point.y);
  return data;
}

std::string band_around(const Series& series, const Plot& plot) {
  std::string data;
  for (std::size_t i = 0; i < series.points.size(); ++i)
    data += (i == 0 ? 'M' : 'L') + plot.at(series.points[i].x, series.spread[i].high);
  for (std::size_t i = series.points.size(); i-- > 0;)
    data += 'L' + plot.at(series.points[i].x, series.spread[i].low);
  return data + 'Z';
}

// Where a line rises to the right, there is room left above a point and right below it.
void draw_point_label(Svg& svg, const Series& series, const Point& point, const Plot& plot) {
  const double x = plot.x(point.x), y = plot.y(point.y);
  if (series.labels_below) {
    svg.text(x + 6, y + 19, point.label, "label");
  } else {
    svg.text(x - 5, y - 8, point.label, "label", Anchor::end);
  }
}

void draw_series(Svg& svg, const Chart& chart, const Series& series, const Plot& plot) {
  if (!series.spread.empty()) svg.path(band_around(series, plot), "band");
  if (series.joined)
    svg.path(line_through(series.points, plot), series.dashed ? "curve dashed" : "curve");
  const bool dots = !series.joined || (!series.dashed && series.points.size() <= 24);
  for (const Point& point : series.points) {
    if (dots) svg.circle(plot.x(point.x), plot.y(point.y), series.joined ? 3.5 : 5, "dot");
    svg.circle(plot.x(point.x), plot.y(point.y), 9, "hover",
               fmt::format("{}: {} at {}", series.label, with_unit(point.y, chart.y),
                           with_unit(point.x, chart.x)));
    if (!point.label.empty()) draw_point_label(svg, series, point, plot);
  }
}

/// The label stands right of the plot; a thin line leads to it unless it stands beside its end, or
/// there is no end, as the points are not joined.
void draw_label(Svg& svg, const Series& series, const Plot& plot, double top) {
  const Point& end = series.points.back();
  const double x = plot.x(end.x), y = plot.y(end.y), middle = top + kLineHeight / 2;
  if (series.joined && (plot.right - x > 6 || std::abs(middle - y) > 6))
    svg.path(fmt::format("M{} {}L{} {}", coordinate(x), coordinate(y), coordinate(plot.right + 7),
                         coordinate(middle)),
             "leader");
  svg.text(plot.right + 10, top + 14, series.label, "label");
  if (!series.note.empty()) svg.text(plot.right + 10, top + 14 + kLineHeight, series.note, "soft");
}

std::vector<double> label_tops(const std::vector<Series>& drawn, const Plot& plot) {
  std::vector<double> wanted, heights;
  for (const Series& series : drawn) {
    wanted.push_back(plot.y(series.points.back().y) - kLineHeight / 2);
    heights.push_back(series.note.empty() ? kLineHeight : 2 * kLineHeight);
  }
  return spread_labels(wanted, heights, kTop - kLineHeight / 2, kBottom + 9);
}

/// The series that have points, each with its colour.
std::vector<Series> series_to_draw(const Chart& chart) {
  std::vector<Series> drawn;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    if (chart.series[i].points.empty()) continue;
    drawn.push_back(chart.series[i]);
    if (drawn.back().color == 0) drawn.back().color = static_cast<int>(i % 4) + 1;
  }
  return drawn;
}

}  // namespace

std::vector<double> spread_labels(const std::vector<double>& wanted,
                                  const std::vector<double>& heights, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return wanted[a] < wanted[b]; });
  std::vector<double> tops = wanted;
  // Upwards from the bottom first, then downwards: the top edge wins where both cannot be kept.
  double limit = high;
  for (auto i = order.rbegin(); i != order.rend(); ++i) {
    tops[*i] = std::min(tops[*i], limit - heights[*i]);
    limit = tops[*i];
  }
  limit = low;
  for (std::size_t i : order) {
    tops[i] = std::max(tops[i], limit);
    limit = tops[i] + heights[i];
  }
  return tops;
}

std::string Chart::svg() const {
  const Plot plot = make_plot(*this);
  const std::vector<Series> drawn = series_to_draw(*this);
  Svg svg(title, description, kWidth, kHeight);
  draw_frame(svg, *this, plot);
  if (drawn.empty())
    svg.text((plot.left + plot.right) / 2, (kTop + kBottom) / 2, "no data", "soft", Anchor::middle);
  const std::vector<double> tops = label_tops(drawn, plot);
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    svg.open_group(fmt::format("s{}", drawn[i].color));
    draw_series(svg, *this, drawn[i], plot);
    draw_label(svg, drawn[i], plot, tops[i]);
    svg.close_group();
  }
  return svg.str();
}

}  // namespace quire
