/// \file
/// \brief The text of a generation as it comes, up to a stop string.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "src/text/stop_matcher.h"
#include "src/text/streaming_decoder.h"

namespace quire {

/// \brief Tokens in, text out: never half a character, and nothing of a stop string or behind it.
///
/// Stop strings are looked for in the text and not in the tokens, since a model may spell a string
/// in many ways: over two tokens, or in the middle of one.
class TextStream {
 public:
  /// \brief A stream for one text.
  /// \param tokenizer  must outlive the stream
  /// \param stops      strings that end the text
  /// \throws Error as StopMatcher
  explicit TextStream(const Tokenizer& tokenizer, const std::vector<std::string>& stops = {})
      : characters_(tokenizer), stops_(stops) {}

  /// \brief Says what came before: the text goes on after it.
  /// \param tokens  as StreamingDecoder::skip takes them; they appear in no text
  void skip(std::span<const TokenId> tokens) { characters_.skip(tokens); }
  /// \brief Takes the next token.
  /// \param token  any id
  /// \return the text that is now certain, often none
  /// \throws Error if the id is negative
  std::string push(TokenId token) { return stops_.push(characters_.push(token)); }
  /// \brief Ends the text: what was held back appears, unless a stop string was found.
  std::string finish() {
    const std::string rest = stops_.push(characters_.finish());
    return rest + stops_.finish();
  }
  /// \brief Whether a stop string was found.
  bool stopped() const { return stops_.stopped(); }

 private:
  StreamingDecoder characters_;
  StopMatcher stops_;
};

}  // namespace quire
