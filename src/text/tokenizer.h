/// \file
/// \brief Text to tokens and back, as the model's tokenizer.json says.
#pragma once

#include <filesystem>
#include <functional>
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

/// \brief A BPE tokenizer: byte-level, as GPT-2, Llama 3, Qwen and SmolLM2 have it, or with byte
/// fallback, as Llama 2 and Mistral.
///
/// A text is cut at added tokens, normalized, cut into words, and each word's symbols are merged.
/// Any bytes can be encoded, and decode(encode(text)) is text, unless the file asks for NFC, has an
/// unknown token in place of bytes, or lacks the tokens of rare bytes, which are left out then. The
/// ids are those of the `tokenizers` library. May be used by several threads at once.
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
  /// \param text     any bytes, fewer than 2^29; bytes that are no UTF-8 become tokens too
  /// \param options  what to do about special tokens
  /// \throws Error if the text is too long
  std::vector<TokenId> encode(std::string_view text, EncodeOptions options = {}) const;
  /// \brief The bytes of some tokens, joined; without a space at the beginning if the tokenizer
  /// puts one there. Valid UTF-8 only where the tokens are whole characters.
  ///
  /// Where single bytes are no UTF-8, the `tokenizers` library has a U+FFFD for each of them.
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
  /// \brief Whether decoding leaves out a space at the beginning of a text, which encoding put
  /// there.
  bool drops_first_space() const { return parts_.drops_first_space; }
  /// \brief One more than the highest id.
  int vocabulary_size() const { return parts_.vocabulary.size(); }
  /// \brief The token that encode() puts before a text, or none if the file asks for none.
  std::optional<TokenId> bos() const;
  /// \brief Says step by step how a text becomes tokens: for each word its text as the merges see
  /// it, and each merge. For short texts.
  /// \param text      any bytes; special tokens in it stay text
  /// \param on_word   called with each word
  /// \param on_merge  called after each merge in that word
  void explain(std::string_view text, const std::function<void(std::string_view)>& on_word,
               const std::function<void(const MergeEvent&)>& on_merge) const;
  /// \brief The id of a token.
  /// \param spelling  as tokenizer.json has it: `<|eos|>`, or `Ġthe` for " the"
  /// \return none if there is no such token
  std::optional<TokenId> id_of(const std::string& spelling) const {
    return parts_.vocabulary.id_of(spelling);
  }

 private:
  std::vector<Fragment> fragments_of(std::string_view text, bool parse_special) const;

  TokenizerParts parts_;
};

}  // namespace quire
