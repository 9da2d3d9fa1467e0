/// \file
/// \brief How byte-fallback tokenizers write their tokens: U+2581 for a space, `<0x0A>` for a byte.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

/// \brief The character that stands for a space, U+2581, "▁".
inline constexpr std::string_view kSpaceSign = "\u2581";

/// \brief The token of a byte that is no part of a known character: byte 10 is "<0x0A>".
///
/// Source: Kudo and Richardson, "SentencePiece", 2018, and its option byte_fallback.
/// \param byte  any byte
std::string byte_piece(std::uint8_t byte);

/// \brief The byte of a piece that byte_piece wrote.
/// \param spelling  a token as tokenizer.json has it
/// \return none if it is anything else
std::optional<std::uint8_t> byte_of_piece(std::string_view spelling);

/// \brief The bytes that a token of a byte-fallback vocabulary stands for: the byte of a byte
/// piece, else the spelling with spaces for their signs.
/// \param spelling  a token as tokenizer.json has it
/// \return none if it begins with "<0x" and ends with ">" but is no byte piece: "<0xG1>", "<0x1>"
std::optional<std::string> read_fallback(std::string_view spelling);

}  // namespace quire
