/// \file
/// \brief UTF-8, one character at a time, for bytes that may not be UTF-8 at all.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace quire {

/// \brief What the first bytes of a text are.
enum class Utf8Kind {
  character,   ///< a whole character
  invalid,     ///< bytes that begin no character, whatever follows
  unfinished,  ///< the text ends within a character
};

/// \brief The first character of a text, or what is there in place of one.
struct Utf8Unit {
  Utf8Kind kind = Utf8Kind::invalid;  ///< what it is
  char32_t code = 0;                  ///< the code point of a character, 0 otherwise
  std::size_t bytes = 0;              ///< how long it is, 1 to 4
};

/// \brief Looks at the beginning of a text.
///
/// Invalid and unfinished bytes go together as far as they could begin a character, which is the
/// rule of the Unicode Standard for replacing them (chapter 3.9, "maximal subparts").
/// \param text  any bytes, at least one
Utf8Unit first_unit(std::string_view text);

/// \brief How many bytes of a text are there before a character that it ends within.
/// \param text  any bytes
/// \return the length of `text`, less 1 to 3 if its last character is unfinished
std::size_t finished_bytes(std::string_view text);

/// \brief How many bytes of a text are there before the first that are no character.
/// \param text  any bytes
std::size_t valid_bytes(std::string_view text);

/// \brief The character that a text ends with.
/// \param text  any bytes
/// \return an invalid unit of 0 or 1 bytes if the text is empty or does not end with a character
Utf8Unit last_unit(std::string_view text);

/// \brief The same text with U+FFFD for every invalid or unfinished unit: always valid UTF-8.
/// \param text  any bytes
std::string to_valid_utf8(std::string_view text);

/// \brief Adds a character to a text.
/// \param code  a code point up to U+10FFFF that is no surrogate
/// \param text  what it is added to
void append_utf8(char32_t code, std::string& text);

}  // namespace quire
