/// \file
/// \brief How fast a tokenizer is, and how many bytes a token of it has.
#pragma once

#include <string_view>

#include "src/report/table.h"
#include "src/text/tokenizer.h"

namespace quire {

/// \brief Encodes a megabyte each of several texts: a text repeated, one letter repeated, random
/// letters without a space, and random bytes. The time is the processor's, the least of three.
/// \param tokenizer  what to measure
/// \param text       a text, at least one byte
/// \throws Error if there is none
Table measure(const Tokenizer& tokenizer, std::string_view text);

}  // namespace quire
