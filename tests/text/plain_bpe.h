/// \file
/// \brief Merging over plain bytes, and the definition of it as an oracle.
#pragma once

#include <string_view>
#include <vector>

#include "src/text/bpe.h"
#include "tests/text/tiny_tokenizer.h"

namespace quire::test {

/// \brief Symbols in which byte b is token b.
inline Symbols byte_symbols() {
  Symbols symbols;
  for (int b = 0; b < 256; ++b) symbols.bytes[static_cast<std::size_t>(b)] = TokenId{b};
  return symbols;
}

/// \brief The tokens of a word as numbers.
/// \param bpe   any
/// \param word  bytes
inline std::vector<int> encode(const Bpe& bpe, std::string_view word) {
  std::vector<TokenId> tokens;
  bpe.encode(word, tokens);
  return numbers(tokens);
}

/// \brief The definition of encoding: look at all pairs, merge the best, look again.
/// \param rules  best first, no pair twice
/// \param word   bytes
inline std::vector<int> by_definition(const std::vector<MergeRule>& rules, std::string_view word) {
  std::vector<int> tokens;
  for (const char c : word) tokens.push_back(static_cast<unsigned char>(c));
  for (;;) {
    std::size_t best = rules.size(), place = 0;
    for (std::size_t i = 0; i + 1 < tokens.size(); ++i) {
      for (std::size_t rank = 0; rank < best; ++rank) {
        const MergeRule& rule = rules[rank];
        if (to_int(rule.left) == tokens[i] && to_int(rule.right) == tokens[i + 1]) {
          best = rank;
          place = i;
        }
      }
    }
    if (best == rules.size()) return tokens;
    tokens[place] = to_int(rules[best].merged);
    tokens.erase(tokens.begin() + static_cast<std::ptrdiff_t>(place) + 1);
  }
}

}  // namespace quire::test
