/// \file
/// \brief The parts of a tokenizer.json, each read by itself; for tokenizer_json.cpp.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "src/text/tokenizer_json.h"

namespace quire {

/// \brief A limit for ids: more than any published vocabulary has.
inline constexpr std::int64_t kMaxIds = 1 << 24;

/// \brief Refuses every value of a key but null and, where there is one, the harmless one.
/// \param object    the object that may have the key
/// \param key       any key
/// \param harmless  a value that changes nothing
/// \throws Error that names the key and its value, or the "type" of its value
void refuse(const JsonObject& object, std::string_view key, const Json& harmless = nullptr);

/// \brief Reads a token id.
/// \param value    what should be one
/// \param where    what to call it in messages
/// \param highest  the greatest id that is right
/// \throws Error unless it is a whole number of 0 to `highest`
TokenId read_id(const Json& value, std::string_view where, std::int64_t highest);

/// \brief Reads "normalizer".
/// \param file  a tokenizer.json
/// \throws Error if it is not NFC, Prepend or Replace of a space by U+2581, or a Sequence of them
std::vector<NormalizerStep> read_normalizer(const JsonObject& file);

/// \brief Reads "pre_tokenizer".
/// \param file      a tokenizer.json
/// \param alphabet  how the vocabulary is written, which it must suit
/// \throws Error if it is of a type that is not supported, or that does not suit the alphabet
PreTokenizer read_pre_tokenizer(const JsonObject& file, Alphabet alphabet);

/// \brief What "decoder" says.
struct Decoding {
  Alphabet alphabet = Alphabet::byte_level;  ///< how tokens are written
  bool drops_first_space = false;            ///< a text loses a space at its beginning
};

/// \brief Reads "decoder".
/// \param file  a tokenizer.json
/// \throws Error if it is of a type that is not supported
Decoding read_decoder(const JsonObject& file);

/// \brief Reads "post_processor".
/// \param file        a tokenizer.json
/// \param vocabulary  complete
/// \throws Error if it is of a type that is not supported, or names tokens that are not there
Frame read_post_processor(const JsonObject& file, const Vocabulary& vocabulary);

/// \brief Reads the tokens of "model".
/// \param model     the object
/// \param alphabet  how they are written
/// \param highest   the greatest id that is right
/// \throws Error if a token is empty, malformed, or there twice
Vocabulary read_vocabulary(const JsonObject& model, Alphabet alphabet, std::int64_t highest);

/// \brief Reads the merges of "model", and what words begin as.
/// \param model       the object
/// \param alphabet    how the tokens are written
/// \param vocabulary  its tokens
/// \throws Error if a rule names a token that is not there, or if the tokens of bytes are not there
Bpe read_bpe(const JsonObject& model, Alphabet alphabet, const Vocabulary& vocabulary);

}  // namespace quire
