/// \file
/// \brief The scale of an axis: its range, its ticks, and where a value lies on it.
#pragma once

#include <span>
#include <vector>

namespace quire {

/// \brief How values are spread along an axis.
enum class Scale {
  linear,  ///< equal differences are equal lengths; the axis includes 0
  log10,   ///< equal ratios are equal lengths; ticks at 1, 2 and 5 times a power of ten
  log2,    ///< equal ratios are equal lengths; ticks at powers of two
};

/// \brief Where an axis ends.
enum class Ends {
  at_ticks,   ///< at the first tick that holds all values: a round number
  at_values,  ///< at the least and the greatest value, so that lines end at the edge
};

/// \brief The scale of one axis.
struct Ruler {
  Scale scale = Scale::linear;  ///< how values are spread
  double low = 0;               ///< where the axis begins
  double high = 1;              ///< where it ends, above `low`
  std::vector<double> ticks;    ///< ascending, within low .. high

  /// \brief Where a value lies.
  /// \param value  a value of the axis; above 0 on a logarithmic one
  /// \return 0 at `low`, 1 at `high`
  double fraction(double value) const;
};

/// \brief A scale that holds all values and has about the wanted number of ticks, each 1, 2 or 5
/// times a power of ten (powers of two on Scale::log2).
/// \param scale   how values are spread
/// \param values  what to hold; without any, the axis goes from 0 to 1, or from 1 to 2
/// \param wanted  about how many steps between ticks, at least 1
/// \param ends    where the axis ends; values that are all equal get an axis that ends at ticks
/// \throws Error if a value is not finite, or not above 0 on a logarithmic axis
Ruler make_ruler(Scale scale, std::span<const double> values, int wanted,
                 Ends ends = Ends::at_ticks);

}  // namespace quire
