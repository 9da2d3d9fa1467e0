/// \file
/// \brief Tokens that stand beside the merges, such as `<|eos|>`, and finding them in text.
#pragma once

#include <bitset>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/ids.h"
#include "src/text/normalizer.h"

namespace quire {

/// \brief A token that is found in text as it is spelled, before any cutting into words.
struct AddedToken {
  std::string text;          ///< its spelling, not empty
  TokenId id{};              ///< its id
  bool special = false;      ///< it steers the model: found only when asked for
  bool normalized = true;    ///< it is looked for in the normalized text, after those that are not
  bool single_word = false;  ///< it is not found within a word
  bool lstrip = false;       ///< it takes the white space before it
  bool rstrip = false;       ///< it takes the white space after it
};

/// \brief A piece of text: an added token, or what lies between two of them.
struct Fragment {
  std::string text;              ///< a part of the whole text, normalized, not empty
  std::optional<TokenId> token;  ///< the added token that it spells
};

/// \brief The added tokens of a tokenizer.
class AddedTokens {
 public:
  /// \brief Takes over a list.
  /// \param tokens      with different spellings
  /// \param normalizer  changes the text between the tokens, and the tokens to be found in it
  explicit AddedTokens(const std::vector<AddedToken>& tokens,
                       std::vector<NormalizerStep> normalizer = {});

  /// \brief Cuts a text at the added tokens: the leftmost first, the longest of those that begin at
  /// one place. What lies between them is normalized.
  ///
  /// Cost: linear in the text, times the length of the tokens that begin as the text does.
  /// \param text           any bytes
  /// \param parse_special  whether special tokens are found as well; otherwise they stay text
  /// \return fragments that together are the text, but for what normalizing changes
  std::vector<Fragment> split(std::string_view text, bool parse_special) const;

 private:
  // The tokens of one pass, sorted by their text.
  class Pass {
   public:
    explicit Pass(std::vector<AddedToken> tokens);
    void split(std::string_view text, bool parse_special, std::vector<Fragment>& fragments) const;

   private:
    const AddedToken* longest_at(std::string_view text) const;

    std::vector<AddedToken> tokens_;
    std::bitset<256> first_bytes_;
  };

  std::vector<NormalizerStep> normalizer_;
  Pass plain_, normalized_;
};

}  // namespace quire
