#include "src/text/tokenizer_json.h"

#include <algorithm>
#include <string>
#include <utility>

#include "src/core/error.h"
#include "src/text/byte_fallback.h"
#include "src/text/tokenizer_json_parts.h"

namespace quire {
namespace {

// How many ids a file may leave out: some leave gaps, but a table of all ids must not be larger
// than the file can justify.
constexpr std::int64_t kMaxIdsLeftOut = 1 << 16;
// Where many tokens begin alike, looking for them takes time for each of their bytes.
constexpr std::size_t kMaxAddedBytes = 1024;

std::int64_t size_of(const Json* container) {
  return container == nullptr ? 0 : static_cast<std::int64_t>(container->size());
}

std::int64_t highest_id(const JsonObject& file) {
  const std::int64_t tokens =
      size_of(file.object("model").find("vocab")) + size_of(file.find("added_tokens"));
  return std::min(kMaxIds, tokens + kMaxIdsLeftOut) - 1;
}

AddedToken read_added_token(const JsonObject& entry, std::int64_t highest) {
  const std::string& text = entry.text("content");
  require(!text.empty(), "{} must not be empty", entry.name_of("content"));
  require(text.size() <= kMaxAddedBytes, "{} has {} bytes; the limit is {}",
          entry.name_of("content"), text.size(), kMaxAddedBytes);
  const bool special = entry.boolean_or("special", false);
  const std::string id_name = fmt::format("{} of {}", entry.name_of("id"), in_quotes(text));
  return {.text = text,
          .id = read_id(entry.at("id"), id_name, highest),
          .special = special,
          .normalized = entry.boolean_or("normalized", !special),
          .single_word = entry.boolean_or("single_word", false),
          .lstrip = entry.boolean_or("lstrip", false),
          .rstrip = entry.boolean_or("rstrip", false)};
}

// Adds the tokens to the vocabulary as well, where they are not in it already.
std::vector<AddedToken> read_added_tokens(const JsonObject& file, Vocabulary& vocabulary,
                                          std::int64_t highest) {
  std::vector<AddedToken> tokens;
  if (file.find("added_tokens") == nullptr) return tokens;
  for (const Json& value : file.array("added_tokens")) {
    const JsonObject entry(
        value, fmt::format("{}: entry {}", file.name_of("added_tokens"), tokens.size()));
    const AddedToken& token = tokens.emplace_back(read_added_token(entry, highest));
    if (vocabulary.id_of(token.text) != token.id) {
      vocabulary.add(token.text, token.id, entry.where());
    }
    if (token.special) vocabulary.mark_special(token.id);
  }
  return tokens;
}

// Cuts a text into words where that changes no token, so that words can be remembered.
void cut_at_spaces(const Vocabulary& vocabulary, const Bpe& bpe, PreTokenizer& pre_tokenizer) {
  const std::optional<TokenId> space = vocabulary.id_of(std::string(kSpaceSign));
  if (space && bpe.begins_words(*space)) pre_tokenizer.rules.push_back(first_word_sign_runs);
}

}  // namespace

void refuse(const JsonObject& object, std::string_view key, const Json& harmless) {
  const Json* value = object.find(key);
  if (value == nullptr || *value == harmless) return;
  const bool named = value->is_object() && value->contains("type");
  fail("{} is {}, which Quire does not support", object.name_of(key),
       shown(named ? value->at("type") : *value));
}

TokenId read_id(const Json& value, std::string_view where, std::int64_t highest) {
  return TokenId{static_cast<std::int32_t>(to_integer(value, where, 0, highest))};
}

TokenizerParts read_tokenizer(const Json& json, std::string_view where) {
  const JsonObject file(json, std::string(where));
  for (const std::string_view key : {"truncation", "padding"}) refuse(file, key);
  refuse(file, "version", "1.0");
  const auto [alphabet, drops_first_space] = read_decoder(file);
  std::vector<NormalizerStep> normalizer = read_normalizer(file);
  PreTokenizer pre_tokenizer = read_pre_tokenizer(file, alphabet);
  const JsonObject model = file.object("model");
  const std::int64_t highest = highest_id(file);
  Vocabulary vocabulary = read_vocabulary(model, alphabet, highest);
  Bpe bpe = read_bpe(model, alphabet, vocabulary);
  if (alphabet == Alphabet::byte_fallback) cut_at_spaces(vocabulary, bpe, pre_tokenizer);
  AddedTokens added(read_added_tokens(file, vocabulary, highest), std::move(normalizer));
  Frame frame = read_post_processor(file, vocabulary);
  return {std::move(vocabulary), std::move(added), std::move(pre_tokenizer),
          std::move(bpe),        std::move(frame), drops_first_space};
}

}  // namespace quire
