/// \file
/// \brief Byte-pair encoding: a word becomes tokens by merging neighbours, the best pair first.
#pragma once

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/core/ids.h"
#include "src/text/pair_table.h"

namespace quire {

/// \brief A merge that training found worth making: two neighbours become one token.
struct MergeRule {
  TokenId left{};    ///< the first of the two
  TokenId right{};   ///< the second
  TokenId merged{};  ///< what they become
};

/// \brief Tokens by the bytes that they stand for.
using TokensByBytes = std::unordered_map<std::string, TokenId>;

/// \brief The tokens that a word begins as, before any merging.
///
/// A character that has a token of its own becomes that token; all others become one token for each
/// of their bytes, or the unknown token. In byte-level BPE no character has a token, and all go by
/// their bytes.
struct Symbols {
  std::array<std::optional<TokenId>, 256> bytes{};   ///< the token of each byte; those of a byte
                                                     ///< without one are left out of a text
  std::unordered_map<char32_t, TokenId> characters;  ///< the token of each known character
  std::optional<TokenId> unknown = {};  ///< stands for characters without a token; then there are
                                        ///< no tokens of bytes
  bool fuse_unknown = false;            ///< one unknown token for a run of unknown characters

  /// \brief Adds the tokens of a word to a list. Linear in the word.
  /// \param word    any bytes
  /// \param tokens  the list
  void append(std::string_view word, std::vector<TokenId>& tokens) const;
};

/// \brief What happened in one merge of a word.
struct MergeEvent {
  int rank = 0;                     ///< of the rule: the lowest goes first
  std::span<const TokenId> tokens;  ///< the word after it; valid during the call only
};

/// \brief The merge loop of byte-pair encoding.
///
/// A word begins as its symbols. Of all neighbours that a rule may merge, the pair whose rule comes
/// first is merged, the leftmost if there are several, and so on until no rule applies. Source:
/// Sennrich, Haddow and Birch, "Neural Machine Translation of Rare Words with Subword Units", 2016,
/// applied to bytes by Radford et al., GPT-2, 2019.
class Bpe {
 public:
  /// \brief Takes over a vocabulary's rules.
  /// \param symbols      what words begin as
  /// \param rules        best first; of two rules for one pair the later one counts
  /// \param whole_words  words that are taken as they are, without merging; may be empty
  Bpe(Symbols symbols, std::span<const MergeRule> rules, TokensByBytes whole_words = {});

  /// \brief Adds the tokens of a word to a list.
  ///
  /// O(n log n) for n bytes: each merge removes a token, and puts at most two pairs into a heap.
  /// \param word    any bytes, fewer than 2^31
  /// \param tokens  the list; their bytes joined are the word, unless some are unknown
  /// \throws Error if the word is too long
  void encode(std::string_view word, std::vector<TokenId>& tokens) const;
  /// \brief Says step by step how a word becomes tokens. O(n^2): for short words.
  /// \param word      any bytes
  /// \param on_merge  called after each merge
  void explain(std::string_view word, const std::function<void(const MergeEvent&)>& on_merge) const;

  /// \brief Whether a symbol always begins anew: no merge lies across a place before it, unless
  /// the same symbol stands there too, nor is a text looked up as a whole.
  ///
  /// Such a symbol begins words, as U+2581 does in vocabularies that were trained on words: cutting
  /// a text before it changes no token.
  /// \param symbol  what a known character begins as
  bool begins_words(TokenId symbol) const;

 private:
  friend class MergeLoop;

  std::size_t until_seam(std::span<const TokenId> symbols) const;

  Symbols symbols_;
  PairTable merges_;
  PairTable joints_;  // neighbouring symbols that a merge may lie across
  TokensByBytes whole_words_;
};

}  // namespace quire
