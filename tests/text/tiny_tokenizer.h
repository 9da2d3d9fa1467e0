/// \file
/// \brief A tokenizer.json with a token for each byte, to add rules to.
#pragma once

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "src/core/json.h"
#include "src/text/byte_fallback.h"
#include "src/text/byte_level.h"
#include "src/text/tokenizer.h"

namespace quire::test {

/// \brief The file of a tokenizer whose byte b has id b, and merge i has id 256 + i.
/// \param merges  pairs of tokens in the byte-level alphabet, best first
inline Json tiny_file(const std::vector<std::pair<std::string, std::string>>& merges = {}) {
  Json vocabulary = Json::object(), pairs = Json::array();
  for (int byte = 0; byte < 256; ++byte) {
    vocabulary[spell(std::string(1, static_cast<char>(byte)))] = byte;
  }
  for (const auto& [left, right] : merges) {
    if (!vocabulary.contains(left + right)) {
      const std::size_t next = vocabulary.size();
      vocabulary[left + right] = next;
    }
    pairs.push_back({left, right});
  }
  return {{"added_tokens", Json::array()},
          {"normalizer", nullptr},
          {"pre_tokenizer", {{"type", "ByteLevel"}, {"add_prefix_space", false}}},
          {"post_processor", nullptr},
          {"decoder", {{"type", "ByteLevel"}}},
          {"model", {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", pairs}}}};
}

/// \brief The file of a tokenizer with byte fallback: byte b has id b, the sign of a space 256, the
/// letters a to e have 257 to 261, and merge i has id 262 + i. It puts a space before a text.
/// \param merges  pairs of tokens, U+2581 for a space, best first
inline Json fallback_file(const std::vector<std::pair<std::string, std::string>>& merges = {}) {
  Json vocabulary = Json::object(), pairs = Json::array();
  for (int byte = 0; byte < 256; ++byte) {
    vocabulary[byte_piece(static_cast<std::uint8_t>(byte))] = byte;
  }
  vocabulary["\u2581"] = 256;
  for (int i = 0; i < 5; ++i) vocabulary[std::string(1, static_cast<char>('a' + i))] = 257 + i;
  for (const auto& [left, right] : merges) {
    const std::size_t next = vocabulary.size();
    vocabulary.emplace(left + right, next);
    pairs.push_back({left, right});
  }
  const Json replace = {{"type", "Replace"}, {"pattern", {{"String", " "}}}, {"content", "\u2581"}};
  const Json unreplace = {
      {"type", "Replace"}, {"pattern", {{"String", "\u2581"}}}, {"content", " "}};
  const Json steps = {{{"type", "Prepend"}, {"prepend", "\u2581"}}, replace};
  const Json decoders = {unreplace,
                         {{"type", "ByteFallback"}},
                         {{"type", "Fuse"}},
                         {{"type", "Strip"}, {"content", " "}, {"start", 1}, {"stop", 0}}};
  return {{"added_tokens", Json::array()},
          {"normalizer", {{"type", "Sequence"}, {"normalizers", steps}}},
          {"pre_tokenizer", nullptr},
          {"post_processor", nullptr},
          {"decoder", {{"type", "Sequence"}, {"decoders", decoders}}},
          {"model",
           {{"type", "BPE"}, {"byte_fallback", true}, {"vocab", vocabulary}, {"merges", pairs}}}};
}

/// \brief An entry of "added_tokens".
/// \param id       its id
/// \param text     its spelling
/// \param special  whether it steers the model
inline Json added_token(int id, const std::string& text, bool special) {
  return {{"id", id},        {"content", text}, {"special", special}, {"single_word", false},
          {"lstrip", false}, {"rstrip", false}, {"normalized", false}};
}

/// \brief The tokenizer of a file.
/// \param file  what tiny_file made, or a variation
inline Tokenizer tokenizer_of(const Json& file) {
  return Tokenizer(read_tokenizer(file, "file"));
}

/// \brief Token ids from numbers.
/// \param numbers  ids
inline std::vector<TokenId> ids(std::initializer_list<int> numbers) {
  std::vector<TokenId> result;
  for (const int number : numbers) result.push_back(TokenId{number});
  return result;
}

/// \brief Numbers from token ids, which print well.
/// \param tokens  ids
inline std::vector<int> numbers(const std::vector<TokenId>& tokens) {
  std::vector<int> result;
  for (const TokenId token : tokens) result.push_back(to_int(token));
  return result;
}

}  // namespace quire::test
