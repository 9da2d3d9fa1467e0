/// \file
/// \brief Cutting text into words, before any merging: no token ever spans two of them.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>

namespace quire {

/// \brief How a family of models cuts text: the length in bytes of its first word.
///
/// A rule looks at the beginning of a text only, so that a text is cut from left to right in time
/// linear in its length. The text is not empty, and neither is the word. A byte that is no UTF-8
/// counts as a sign.
using FirstWord = std::size_t (*)(std::string_view text);

/// \brief GPT-2's rule: a contraction, or letters, or digits, or signs, each with at most one space
/// before it, or white space.
///
/// A run of white space leaves its last character to the word that follows, which takes it if it is
/// a space. The rule is the regular expression
/// `'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+`, where Unicode says
/// what a letter (L), a digit (N) and white space (White_Space) is. Source: Radford et al., GPT-2,
/// 2019 (its encoder).
/// \param text  any bytes, at least one
/// \return the length of the first word, at least 1
std::size_t first_word_gpt2(std::string_view text);

/// \brief Llama 3's rule: contractions in any case; letters after any one character that is no
/// digit and ends no line; digits by threes; signs with the ends of lines after them; ends of lines
/// with the white space before them.
///
/// Source: the tokenizer.json of Llama 3, after tiktoken's cl100k_base.
/// \param text  any bytes, at least one
/// \return the length of the first word, at least 1
std::size_t first_word_llama3(std::string_view text);

/// \brief Qwen2's and Qwen3's rule: as Llama 3's, but each digit is a word.
/// \param text  any bytes, at least one
/// \return the length of the first word, at least 1
std::size_t first_word_qwen2(std::string_view text);

/// \brief Each digit is a word, and so is what lies between two of them. SmolLM2 cuts by this rule
/// first, and then what is left by GPT-2's.
/// \param text  any bytes, at least one
/// \return the length of the first word, at least 1
std::size_t first_word_digits(std::string_view text);

/// \brief Each U+2581, the sign of a space, begins a word.
/// \param text  any bytes, at least one
/// \return the length of the first word, at least 1
std::size_t first_word_signs(std::string_view text);

/// \brief Each run of U+2581 begins a word.
/// \param text  any bytes, at least one
/// \return the length of the first word, at least 1
std::size_t first_word_sign_runs(std::string_view text);

/// \brief The rule of a regular expression, which is known by its text.
/// \param regex  as tokenizer.json has it
/// \return none if it is not known
std::optional<FirstWord> rule_of_regex(std::string_view regex);

/// \brief Cuts a text by several rules, each cutting the words of the one before.
/// \param text   any bytes
/// \param rules  may be empty; then the text is one word
/// \param take   receives each word, in order
void cut(std::string_view text, std::span<const FirstWord> rules,
         const std::function<void(std::string_view)>& take);

}  // namespace quire
