/// \file
/// \brief Tokens as people read them, and lists of ids as people write them.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/ids.h"
#include "src/report/table.h"
#include "src/text/tokenizer.h"

namespace quire {

/// \brief A table of tokens: id, bytes, and the piece of text that they are.
/// \param tokenizer  names them
/// \param tokens     any ids
Table pieces_table(const Tokenizer& tokenizer, std::span<const TokenId> tokens);

/// \brief Tokens on one line: their pieces with a bar between two of them. Control characters and
/// bytes that are no UTF-8 are escaped.
/// \param tokenizer  names them
/// \param tokens     any ids
std::string pieces_line(const Tokenizer& tokenizer, std::span<const TokenId> tokens);

/// \brief The merges of a text, word by word: after each merge the rank of its rule and the tokens.
/// \param tokenizer  whose rules
/// \param text       a short text
std::string merges_of(const Tokenizer& tokenizer, std::string_view text);

/// \brief Reads a list of ids: numbers with spaces or commas between them, perhaps in brackets.
/// \param text   the list; nothing in it is an empty list
/// \param where  what to call it in messages
/// \throws Error if something is no id
std::vector<TokenId> parse_ids(std::string_view text, std::string_view where);

}  // namespace quire
