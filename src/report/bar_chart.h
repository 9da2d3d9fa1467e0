/// \file
/// \brief Horizontal bars as SVG: names on the left, values at the ends of bars.
#pragma once

#include <string>
#include <vector>

namespace quire {

/// \brief One bar.
struct Bar {
  std::string label;  ///< up to about 24 characters
  double value = 0;   ///< its length
  std::string shown;  ///< the value as people read it: "1.5 MiB"
  int color = 2;      ///< 1 to 4
};

/// \brief A bar chart; bars begin at 0. Equal charts give equal bytes.
struct BarChart {
  std::string title;        ///< what one should see, up to about 60 characters
  std::string description;  ///< the same in a sentence, for those who cannot see it
  std::string measure;      ///< what the lengths are, with the unit; stands under the title
  std::vector<Bar> bars;    ///< from the top

  /// \brief The chart as an SVG document that also works inside a page.
  /// \return one `<svg>` element
  /// \throws Error if a value is negative or not finite, or if a color is not 1 to 4
  std::string svg() const;
};

}  // namespace quire
