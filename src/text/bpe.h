/// \file
/// \brief Byte-pair encoding: a word becomes tokens by merging neighbours, the best pair first.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief A merge that training found worth making: two neighbours become one token.
struct MergeRule {
  TokenId left{};    ///< the first of the two
  TokenId right{};   ///< the second
  TokenId merged{};  ///< what they become
};

/// \brief Tokens by the bytes that they stand for.
using TokensByBytes = std::unordered_map<std::string, TokenId>;

/// \brief The merge loop of byte-level BPE.
///
/// A word begins as one token for each byte. Of all neighbours that a rule may merge, the pair
/// whose rule comes first is merged, the leftmost if there are several, and so on until no rule
/// applies. Source: Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with
/// Subword Units", 2016, applied to bytes by Radford et al., GPT-2, 2019.
class Bpe {
 public:
  /// \brief Takes over a vocabulary's rules.
  /// \param bytes        the token of each single byte
  /// \param rules        best first; of two rules for one pair the later one counts
  /// \param whole_words  words that are taken as they are, without merging; may be empty
  Bpe(const std::array<TokenId, 256>& bytes, std::span<const MergeRule> rules,
      TokensByBytes whole_words = {});

  /// \brief Adds the tokens of a word to a list.
  ///
  /// O(n log n) for n bytes: each merge removes a token, and puts at most two pairs into a heap.
  /// \param word    any bytes, fewer than 2^31
  /// \param tokens  the list; their bytes joined are the word
  void encode(std::string_view word, std::vector<TokenId>& tokens) const;

 private:
  friend class MergeLoop;

  struct Merge {
    int rank;        // of its rule; the lowest goes first
    TokenId merged;  // what the pair becomes
  };

  static std::uint64_t key_of(TokenId left, TokenId right);
  const Merge* find(TokenId left, TokenId right) const;

  std::array<TokenId, 256> bytes_;
  std::unordered_map<std::uint64_t, Merge> merges_;
  TokensByBytes whole_words_;
};

}  // namespace quire
