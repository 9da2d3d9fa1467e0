/// \file
/// \brief The alphabet in which byte-level tokenizers write bytes as printable characters.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

/// \brief The character that stands for a byte: itself where it is printable, else one from U+0100
/// on, so that a space is U+0120, "Ġ".
///
/// A byte-level vocabulary is a JSON object of texts, and most single bytes are no text. Source:
/// Radford et al., "Language Models are Unsupervised Multitask Learners" (GPT-2), 2019,
/// section 2.2.
/// \param byte any byte
/// \return a code point below 0x144
char32_t spelling_of(std::uint8_t byte);

/// \brief Writes bytes in the alphabet: " the" becomes "Ġthe".
/// \param bytes  any bytes
/// \return valid UTF-8, a character for each byte
std::string spell(std::string_view bytes);

/// \brief Reads what spell() wrote.
/// \param spelled  UTF-8
/// \return the bytes, or none if a character does not belong to the alphabet
std::optional<std::string> unspell(std::string_view spelled);

}  // namespace quire
