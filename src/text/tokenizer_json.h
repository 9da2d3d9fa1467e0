/// \file
/// \brief Reading tokenizer.json, the format of the `tokenizers` library.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "src/core/json.h"
#include "src/text/added_tokens.h"
#include "src/text/bpe.h"
#include "src/text/normalizer.h"
#include "src/text/pre_tokenizer.h"
#include "src/text/vocabulary.h"

namespace quire {

/// \brief The special tokens that a file wants around a text.
struct Frame {
  std::vector<TokenId> before;  ///< usually BOS
  std::vector<TokenId> after;   ///< usually none
};

/// \brief How the fragments between added tokens become words.
struct PreTokenizer {
  std::optional<SpacePrefix> space_signs = {};  ///< spaces become signs first
  std::vector<FirstWord> rules = {};            ///< in order; none: a fragment is one word
};

/// \brief All that a tokenizer.json says, ready for use.
struct TokenizerParts {
  Vocabulary vocabulary;           ///< of the model and of the added tokens
  AddedTokens added;               ///< found before the text is cut into words; normalizes the rest
  PreTokenizer pre_tokenizer;      ///< cuts the rest into words
  Bpe bpe;                         ///< turns a word into tokens
  Frame frame;                     ///< put around a whole text
  bool drops_first_space = false;  ///< decoding leaves out a space at the beginning
};

/// \brief Reads a tokenizer.json.
///
/// What would change ids or text and is not supported is refused by name. Supported are
///
/// - byte-level BPE: the pre-tokenizer ByteLevel, by itself or after Digits or after a Split by the
///   regular expression of GPT-2, Llama 3 or Qwen2;
/// - byte-fallback BPE, its spaces written U+2581 by the normalizers Prepend and Replace, or by the
///   pre-tokenizer Metaspace;
/// - the normalizer NFC, added tokens of all kinds, and a TemplateProcessing post-processor.
/// \param json   the parsed file
/// \param where  what to call it in messages
/// \throws Error if something is missing, contradicts itself, or is not supported
TokenizerParts read_tokenizer(const Json& json, std::string_view where);

}  // namespace quire
