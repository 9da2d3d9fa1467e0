/// \file
/// \brief Numbers as people read them: a few significant digits and a unit that fits.
#pragma once

#include <cstdint>
#include <string>

namespace quire {

/// \brief A number with a few significant digits, without an exponent: 0.0123, 12.3, 12,300.
///
/// Trailing zeros are dropped; from 1,000 on, thousands are separated.
/// \param value   any finite number; infinities and NaN are written as words
/// \param digits  significant digits, at least 1
std::string format_number(double value, int digits = 3);

/// \brief A whole number with its thousands separated: 12,345,678.
/// \param value  any number
std::string format_count(std::uint64_t value);

/// \brief A number with an SI suffix and no space before it: 950, 12.3k, 4.5M, 7G, 1.2T.
/// \param value   any finite number; below 1,000 it has no suffix
/// \param digits  significant digits, at least 1
std::string format_si(double value, int digits = 3);

/// \brief A size in the largest binary unit that leaves at least 1: 512 B, 1.5 KiB, 3.2 MiB.
/// \param bytes  any size
std::string format_bytes(std::uint64_t bytes);

/// \brief A duration in the unit that leaves at least 1: 820 ns, 1.5 µs, 12.3 ms, 4.2 s.
/// \param seconds  any duration, negative ones included
std::string format_seconds(double seconds);

}  // namespace quire
