/// \file
/// \brief Reading tokenizer.json, the format of the `tokenizers` library.
#pragma once

#include <string_view>
#include <vector>

#include "src/core/json.h"
#include "src/text/added_tokens.h"
#include "src/text/bpe.h"
#include "src/text/pre_tokenizer.h"
#include "src/text/vocabulary.h"

namespace quire {

/// \brief The special tokens that a file wants around a text.
struct Frame {
  std::vector<TokenId> before;  ///< usually BOS
  std::vector<TokenId> after;   ///< usually none
};

/// \brief All that a tokenizer.json says, ready for use.
struct TokenizerParts {
  Vocabulary vocabulary;  ///< of the model and of the added tokens
  AddedTokens added;      ///< found before the text is cut into words
  FirstWord first_word;   ///< cuts a text into words
  Bpe bpe;                ///< turns a word into tokens
  Frame frame;            ///< put around a whole text
};

/// \brief Reads a tokenizer.json.
///
/// What would change ids or text and is not supported is refused by name. Supported is byte-level
/// BPE of the GPT-2 family: no normalizer, the ByteLevel pre-tokenizer with its regular expression
/// and without a prefix space, the ByteLevel decoder, and a TemplateProcessing post-processor.
/// \param json   the parsed file
/// \param where  what to call it in messages
/// \throws Error if something is missing, contradicts itself, or is not supported
TokenizerParts read_tokenizer(const Json& json, std::string_view where);

}  // namespace quire
