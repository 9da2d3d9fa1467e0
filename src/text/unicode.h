/// \file
/// \brief What Unicode says about characters and texts, as far as tokenizers ask.
#pragma once

#include <string>
#include <string_view>

namespace quire {

/// \brief The kinds of characters that rules of cutting tell apart.
enum class CharacterKind {
  letter,  ///< general category L
  digit,   ///< general category N
  space,   ///< White_Space
  sign,    ///< everything else, also bytes that are no UTF-8
};

/// \brief The kind of a character.
/// \param code  a code point
CharacterKind kind_of(char32_t code);

/// \brief Whether a character may be part of a word of a regular expression (`\w`): alphabetic,
/// marks, decimal digits, connectors, joiners. Source: Unicode Technical Standard 18, annex C.
/// \param code  a code point
bool is_word_character(char32_t code);

/// \brief Normalization Form C: what can be one character is one, and marks are in their order.
///
/// O(n log n) for n bytes, whatever they are: only a run of marks is sorted. Source: Unicode
/// Standard Annex 15.
/// \param text  any bytes; those that are no UTF-8 stay as they are
std::string to_nfc(std::string_view text);

}  // namespace quire
