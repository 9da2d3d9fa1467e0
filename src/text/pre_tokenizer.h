/// \file
/// \brief Cutting text into words, before any merging: no token ever spans two of them.
#pragma once

#include <cstddef>
#include <string_view>

namespace quire {

/// \brief How a family of models cuts text: the length in bytes of its first word.
///
/// A rule looks at the beginning of a text only, so that a text is cut from left to right in time
/// linear in its length. The text is not empty, and neither is the word.
using FirstWord = std::size_t (*)(std::string_view text);

/// \brief GPT-2's rule: a contraction, or letters, or digits, or signs, each with at most one space
/// before it, or white space.
///
/// A run of white space leaves its last character to the word that follows, which takes it if it is
/// a space. The rule is the regular expression
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`, where Unicode says
/// what a letter (L), a digit (N) and white space (White_Space) is. A byte that is no UTF-8 counts
/// as a sign. Source: Radford et al., GPT-2, 2019 (its encoder).
/// \param text  any bytes, at least one
/// \return the length of the first word, at least 1
std::size_t first_word_gpt2(std::string_view text);

}  // namespace quire
