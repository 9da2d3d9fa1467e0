/// \file
/// \brief Text that goes into HTML and SVG.
#pragma once

#include <string>
#include <string_view>

namespace quire {

/// \brief Text as the content of an element or of a quoted attribute.
///
/// Replaces the five characters that mean something in markup. Control characters that no XML
/// document may contain become U+FFFD; bytes that are not UTF-8 do too.
/// \param text  any bytes, meant as UTF-8
std::string escape_markup(std::string_view text);

/// \brief How many character cells a terminal needs for some UTF-8 text, one for each code point.
///
/// True for Latin, Greek, arrows and mathematical signs; East Asian text and emoji need more.
/// \param text  UTF-8
int display_width(std::string_view text);

/// \brief A coordinate of a drawing: at most two decimals, the same on every machine.
/// \param value  a finite number
std::string coordinate(double value);

}  // namespace quire
