/// \file
/// \brief Tokens that stand beside the merges, such as `<|eos|>`, and finding them in text.
#pragma once

#include <bitset>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief A token that is found in text as it is spelled, before any cutting into words.
struct AddedToken {
  std::string text;        ///< its spelling, not empty
  TokenId id{};            ///< its id
  bool special = false;    ///< it steers the model: found only when asked for
  bool normalized = true;  ///< it is looked for in a second pass, after those that are not
};

/// \brief A piece of text: an added token, or what lies between two of them.
struct Fragment {
  std::string_view text;         ///< a part of the whole text, not empty
  std::optional<TokenId> token;  ///< the added token that it spells
};

/// \brief The added tokens of a tokenizer.
class AddedTokens {
 public:
  /// \brief Takes over a list.
  /// \param tokens  with different spellings
  explicit AddedTokens(const std::vector<AddedToken>& tokens);

  /// \brief Cuts a text at the added tokens: the leftmost first, the longest of those that begin at
  /// one place.
  ///
  /// Cost: linear in the text, times the number of different token lengths where a byte begins one.
  /// \param text           any bytes
  /// \param parse_special  whether special tokens are found as well; otherwise they stay text
  /// \return fragments that together are the text
  std::vector<Fragment> split(std::string_view text, bool parse_special) const;

 private:
  struct Match {
    TokenId id{};
    bool special = false;
    std::size_t bytes = 0;
  };

  // The tokens of one pass, the longest first.
  class Pass {
   public:
    void add(const AddedToken& token);
    void split(std::string_view text, bool parse_special, std::vector<Fragment>& fragments) const;

   private:
    std::optional<Match> longest_at(std::string_view text) const;

    std::map<std::size_t, std::unordered_map<std::string, Match>, std::greater<>> by_length_;
    std::bitset<256> first_bytes_;
  };

  Pass plain_, normalized_;
};

}  // namespace quire
