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

/// \brief The scale of one axis. Its ends are ticks.
struct Ruler {
  Scale scale = Scale::linear;  ///< how values are spread
  std::vector<double> ticks;    ///< ascending, at least two

  /// \brief Where a value lies.
  /// \param value  a value of the axis; above 0 on a logarithmic one
  /// \return 0 at the first tick, 1 at the last
  double fraction(double value) const;
};

/// \brief A scale that holds all values and has about the wanted number of ticks, each 1, 2 or 5
/// times a power of ten (powers of two on Scale::log2).
/// \param scale   how values are spread
/// \param values  what to hold; without any, the axis goes from 0 to 1, or from 1 to 10 (log2: 2)
/// \param wanted  about how many steps between ticks, at least 1
/// \throws Error if a value is not finite, or not above 0 on a logarithmic axis
Ruler make_ruler(Scale scale, std::span<const double> values, int wanted);

}  // namespace quire
