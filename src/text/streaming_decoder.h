/// \file
/// \brief Text from tokens as they come, never half a character.
#pragma once

#include <span>
#include <string>

#include "src/text/tokenizer.h"

namespace quire {

/// \brief Decodes tokens one at a time into text that is valid UTF-8 at every moment.
///
/// A character may be spread over several tokens: nothing of it appears before it is whole. Bytes
/// that can be no part of a character become U+FFFD. The texts joined, with that of finish(), are
/// `to_valid_utf8(tokenizer.decode(tokens))`.
class StreamingDecoder {
 public:
  /// \brief A decoder for one text.
  /// \param tokenizer     must outlive the decoder
  /// \param keep_special  whether special tokens appear in the text
  explicit StreamingDecoder(const Tokenizer& tokenizer, bool keep_special = false)
      : tokenizer_(&tokenizer), keep_special_(keep_special) {}

  /// \brief Takes the next token.
  /// \param token  any id; one beyond the vocabulary adds nothing
  /// \return the text that is now complete, often none
  /// \throws Error if the id is negative
  std::string push(TokenId token);
  /// \brief Takes tokens whose text is known already, such as a prompt's: what push() returns then
  /// goes on after it, with the space between two words.
  /// \param tokens  any ids, the first of the text
  /// \throws Error if an id is negative
  void skip(std::span<const TokenId> tokens);
  /// \brief Ends the text; the next token begins another one.
  /// \return one U+FFFD if the text ended within a character, else nothing
  std::string finish();

 private:
  const Tokenizer* tokenizer_;
  bool keep_special_;
  std::string pending_;  // the beginning of a character
  bool begun_ = false;   // some byte of the text has been seen
};

}  // namespace quire
