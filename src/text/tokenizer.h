/// \file
/// \brief Text to tokens and back, as the model's tokenizer.json says.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/ids.h"
#include "src/text/tokenizer_json.h"

namespace quire {

/// \brief How a text is encoded.
struct EncodeOptions {
  /// \brief Put the special tokens around the text that the file asks for, such as BOS.
  bool add_special = true;
  /// \brief Find special tokens that the text spells. Otherwise `<|eos|>` is seven characters: what
  /// a user types must not steer the model.
  bool parse_special = false;
};

/// \brief A byte-level BPE tokenizer of the GPT-2 family.
///
/// A text is cut at added tokens, then into words, then each word's bytes are merged. Every byte
/// has a token, so any bytes can be encoded, and decode(encode(text)) is text. The ids are those of
/// the `tokenizers` library. May be used by several threads at once.
class Tokenizer {
 public:
  /// \brief Reads a tokenizer.
  /// \param tokenizer_json  the file
  /// \throws Error if it is missing, broken, or asks for something that is not supported
  static Tokenizer load(const std::filesystem::path& tokenizer_json);
  /// \brief A tokenizer from parts that were read before.
  /// \param parts  what read_tokenizer returned
  explicit Tokenizer(TokenizerParts parts) : parts_(std::move(parts)) {}

  /// \brief The tokens of a text. O(n log n) for n bytes.
  /// \param text     any bytes, fewer than 2^31; bytes that are no UTF-8 become tokens too
  /// \param options  what to do about special tokens
  /// \throws Error if the text is too long
  std::vector<TokenId> encode(std::string_view text, EncodeOptions options = {}) const;
  /// \brief The bytes of some tokens, joined. Valid UTF-8 only where the tokens are whole
  /// characters.
  /// \param tokens any ids; those beyond the vocabulary are padding rows of an embedding, no bytes
  /// \param keep_special whether special tokens appear as they are spelled; otherwise they are left
  /// out
  /// \throws Error if an id is negative
  std::string decode(std::span<const TokenId> tokens, bool keep_special = false) const;

  /// \brief The bytes that a token stands for, which need not be whole characters; none for an id
  /// beyond the vocabulary.
  /// \param token  any id
  /// \throws Error if the id is negative
  std::string_view piece(TokenId token) const { return parts_.vocabulary.bytes(token); }
  /// \brief Whether a token steers the model and is no part of the text.
  /// \param token  any id
  /// \throws Error if the id is negative
  bool is_special(TokenId token) const { return parts_.vocabulary.is_special(token); }
  /// \brief One more than the highest id.
  int vocabulary_size() const { return parts_.vocabulary.size(); }
  /// \brief The token that encode() puts before a text, or none if the file asks for none.
  std::optional<TokenId> bos() const;
  /// \brief The id of a token.
  /// \param spelling  as tokenizer.json has it: `<|eos|>`, or `Ġthe` for " the"
  /// \return none if there is no such token
  std::optional<TokenId> id_of(const std::string& spelling) const {
    return parts_.vocabulary.id_of(spelling);
  }

 private:
  void encode_words(std::string_view text, std::vector<TokenId>& tokens) const;

  TokenizerParts parts_;
};

}  // namespace quire
