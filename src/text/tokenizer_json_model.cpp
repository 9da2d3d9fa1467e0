#include <algorithm>
#include <string>
#include <utility>

#include "src/core/error.h"
#include "src/text/byte_fallback.h"
#include "src/text/byte_level.h"
#include "src/text/tokenizer_json_parts.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

// A merge is written "a b" or ["a", "b"].
std::pair<std::string, std::string> read_pair(const Json& merge, std::string_view where) {
  if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
    return {merge[0].get<std::string>(), merge[1].get<std::string>()};
  }
  const std::string text = merge.is_string() ? merge.get<std::string>() : "";
  const std::size_t space = text.find(' ');
  require(space != std::string::npos && text.find(' ', space + 1) == std::string::npos,
          "{} must be two tokens, \"a b\" or [\"a\", \"b\"], not {}", where, shown(merge));
  return {text.substr(0, space), text.substr(space + 1)};
}

MergeRule read_rule(const Json& merge, std::string_view where, Alphabet alphabet,
                    const Vocabulary& vocabulary) {
  const auto token = [&](const std::string& spelling) {
    const std::optional<TokenId> id = vocabulary.id_of(spelling);
    if (id) return *id;
    fail("{} needs the token {}, which the vocabulary lacks", where, in_quotes(spelling));
  };
  const auto [left, right] = read_pair(merge, where);
  require(alphabet == Alphabet::byte_level || (!byte_of_piece(left) && !byte_of_piece(right)),
          "{} merges a byte piece, which is not supported: {} {}", where, in_quotes(left),
          in_quotes(right));
  return {token(left), token(right), token(left + right)};
}

std::vector<MergeRule> read_merges(const JsonObject& model, Alphabet alphabet,
                                   const Vocabulary& vocabulary) {
  std::vector<MergeRule> rules;
  for (const Json& merge : model.array("merges")) {
    const std::string where = fmt::format("{}: \"merges\": entry {}", model.where(), rules.size());
    rules.push_back(read_rule(merge, where, alphabet, vocabulary));
  }
  return rules;
}

std::string spelling_of_byte(std::size_t byte, Alphabet alphabet) {
  if (alphabet == Alphabet::byte_fallback) return byte_piece(static_cast<std::uint8_t>(byte));
  return spell(std::string(1, static_cast<char>(byte)));
}

// A byte-level vocabulary may lack bytes that its training text did not have: SmolLM2's lacks 21.
void read_bytes(const JsonObject& model, Alphabet alphabet, const Vocabulary& vocabulary,
                Symbols& symbols) {
  for (std::size_t byte = 0; byte < symbols.bytes.size(); ++byte) {
    const std::string spelling = spelling_of_byte(byte, alphabet);
    const std::optional<TokenId> id = vocabulary.id_of(spelling);
    require(id.has_value() || alphabet == Alphabet::byte_level,
            "{} lacks {}, the token of byte {:#04x}; byte fallback needs all 256",
            model.name_of("vocab"), in_quotes(spelling), byte);
    symbols.bytes[byte] = id;
  }
}

bool has_any_byte_piece(const Vocabulary& vocabulary) {
  for (std::size_t byte = 0; byte < 256; ++byte) {
    if (vocabulary.id_of(spelling_of_byte(byte, Alphabet::byte_fallback))) return true;
  }
  return false;
}

// A vocabulary without any byte pieces has an unknown token instead.
void read_unknown(const JsonObject& model, const Vocabulary& vocabulary, Symbols& symbols) {
  const std::string& spelling = model.text("unk_token");
  symbols.unknown = vocabulary.id_of(spelling);
  symbols.fuse_unknown = model.boolean_or("fuse_unk", false);
  require(symbols.unknown.has_value(), "{} is {}, which the vocabulary lacks",
          model.name_of("unk_token"), in_quotes(spelling));
}

void read_characters(const JsonObject& model, const Vocabulary& vocabulary, Symbols& symbols) {
  for (const auto& [spelling, id] : model.at("vocab").items()) {
    const Utf8Unit unit = first_unit(spelling);
    if (unit.kind != Utf8Kind::character || unit.bytes != spelling.size()) continue;
    symbols.characters.emplace(unit.code, *vocabulary.id_of(spelling));
  }
}

Symbols read_symbols(const JsonObject& model, Alphabet alphabet, const Vocabulary& vocabulary) {
  Symbols symbols;
  if (alphabet == Alphabet::byte_fallback) read_characters(model, vocabulary, symbols);
  if (alphabet == Alphabet::byte_level || has_any_byte_piece(vocabulary)) {
    read_bytes(model, alphabet, vocabulary, symbols);
  } else {
    read_unknown(model, vocabulary, symbols);
  }
  return symbols;
}

TokensByBytes read_whole_words(const JsonObject& model, Alphabet alphabet,
                               const Vocabulary& vocabulary) {
  TokensByBytes words;
  if (!model.boolean_or("ignore_merges", false)) return words;
  for (const auto& [spelling, id] : model.at("vocab").items()) {
    // What is not written in the byte-level alphabet is never the spelling of a word.
    const auto word = alphabet == Alphabet::byte_level ? unspell(spelling) : spelling;
    if (word) words.emplace(*word, *vocabulary.id_of(spelling));
  }
  return words;
}

}  // namespace

Vocabulary read_vocabulary(const JsonObject& model, Alphabet alphabet, std::int64_t highest) {
  Vocabulary vocabulary(alphabet);
  const JsonObject entries = model.object("vocab");
  for (const auto& [spelling, id] : model.at("vocab").items()) {
    require(!spelling.empty(), "{}: a token is empty", entries.where());
    vocabulary.add(spelling, read_id(id, entries.name_of(spelling), highest), entries.where());
  }
  return vocabulary;
}

Bpe read_bpe(const JsonObject& model, Alphabet alphabet, const Vocabulary& vocabulary) {
  // Files from before the library had other models name no type.
  if (model.find("type") != nullptr) refuse(model, "type", "BPE");
  refuse(model, "continuing_subword_prefix", "");
  refuse(model, "end_of_word_suffix", "");
  refuse(model, "dropout", 0.0);
  const bool fallback = alphabet == Alphabet::byte_fallback;
  require(model.boolean_or("byte_fallback", false) == fallback,
          "{} must be {}, as the decoder is {}", model.name_of("byte_fallback"), fallback,
          fallback ? "ByteFallback" : "ByteLevel");
  Symbols symbols = read_symbols(model, alphabet, vocabulary);
  const std::vector<MergeRule> rules = read_merges(model, alphabet, vocabulary);
  return Bpe(std::move(symbols), rules, read_whole_words(model, alphabet, vocabulary));
}

}  // namespace quire
