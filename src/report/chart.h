/// \file
/// \brief Line charts as SVG: labels at the ends of lines, light and dark, readable on a phone.
#pragma once

#include <string>
#include <vector>

#include "src/report/ruler.h"

namespace quire {

/// \brief One axis.
struct Axis {
  std::string label;            ///< what is counted: "time per token"
  std::string unit = {};        ///< in what: "ms"; empty for plain numbers
  Scale scale = Scale::linear;  ///< how values are spread
};

/// \brief One measured point.
struct Point {
  double x = 0;            ///< on the horizontal axis
  double y = 0;            ///< on the vertical axis
  std::string label = {};  ///< beside its dot, a few characters; none if empty
};

/// \brief A range of values: the fastest and the slowest run.
struct Interval {
  double low = 0;   ///< the least
  double high = 0;  ///< the greatest
};

/// \brief One line of a chart.
struct Series {
  std::string label;                  ///< at the line's end, up to about 20 characters
  std::vector<Point> points;          ///< in drawing order
  std::vector<Interval> spread = {};  ///< none, or one interval around each point, drawn as a band
  std::string note = {};              ///< a second, softer line under the label: "17.9 ms at 512"
  int color = 0;                      ///< 1 to 4; 0 takes the series' own place in the chart
  bool dashed = false;                ///< for bounds and predictions, as opposed to measurements
  bool joined = true;                 ///< whether a line joins the points; if not, dots mark them
  bool labels_below = false;          ///< labels of points stand right below them, not left above
};

/// \brief A line chart. Equal charts give equal bytes.
struct Chart {
  std::string title;           ///< what one should see, up to about 60 characters
  std::string description;     ///< the same in a sentence, for those who cannot see it
  Axis x;                      ///< the horizontal axis
  Axis y;                      ///< the vertical axis; label and unit stand under the title
  std::vector<Series> series;  ///< at most a handful, or labels run out of room

  /// \brief The chart as an SVG document that also works inside a page.
  ///
  /// Series without points are left out; a chart without any says "no data".
  /// \return one `<svg>` element
  /// \throws Error if a value is not finite, or not above 0 on a logarithmic axis, if a spread does
  /// not fit its points, or if a color is not 0 to 4
  std::string svg() const;
};

/// \brief Moves labels apart that would overlap, as little as the order allows.
/// \param wanted   where each label's top would like to be, in any order
/// \param heights  the height of each label
/// \param low      no label begins above
/// \param high     no label ends below, if they fit at all
/// \return the top of each label, in the order of `wanted`
std::vector<double> spread_labels(const std::vector<double>& wanted,
                                  const std::vector<double>& heights, double low, double high);

}  // namespace quire
