/// \file
/// \brief Chapter 05: how many bytes numbers take in a format, scales included.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace quire {

/// \brief How numbers are stored: the bits of one, and how many share a 16-bit scale.
struct NumberFormat {
  std::string name = "BF16";  ///< F32, F16, BF16, INT8, FP8 or INT4
  std::uint64_t bits = 16;    ///< of one number
  std::uint64_t group = 0;    ///< consecutive numbers of a row that share a scale; 0: no scales

  /// \brief Whether the numbers are floating-point numbers of at least 16 bits.
  bool is_wide() const { return bits >= 16; }
  /// \brief The format as it is written on the command line: "INT4:64".
  std::string text() const;
  /// \brief The bytes of a row, its scales included. A row begins on a byte; its last group may be
  /// smaller.
  /// \param numbers  how many the row has
  std::uint64_t row_bytes(std::uint64_t numbers) const;
};

/// \brief A format as it is given on a command line: a name, and for those of 8 and 4 bits
/// optionally a colon and the size of a group: `bf16`, `int8:128`, `INT4:64`.
/// \param option  what gave it, for messages
/// \param text    what was given
/// \throws Error that lists the names
NumberFormat parse_format(std::string_view option, std::string_view text);

}  // namespace quire
