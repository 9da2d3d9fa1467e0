#include "src/text/tokenizer_json.h"

#include <algorithm>
#include <string>
#include <utility>

#include "src/core/error.h"
#include "src/text/byte_level.h"

namespace quire {
namespace {

constexpr std::int64_t kMaxIds = 1 << 24;
// How many ids a file may leave out: some leave gaps, but a table of all ids must not be larger
// than the file can justify.
constexpr std::int64_t kMaxIdsLeftOut = 1 << 16;

std::int64_t size_of(const Json* container) {
  return container == nullptr ? 0 : static_cast<std::int64_t>(container->size());
}

std::int64_t highest_id(const JsonObject& file) {
  const std::int64_t tokens =
      size_of(file.object("model").find("vocab")) + size_of(file.find("added_tokens"));
  return std::min(kMaxIds, tokens + kMaxIdsLeftOut) - 1;
}

TokenId read_id(const Json& value, std::string_view where, std::int64_t highest) {
  return TokenId{static_cast<std::int32_t>(to_integer(value, where, 0, highest))};
}

// Refuses every value of a key but null and, where there is one, the harmless one.
void refuse(const JsonObject& object, std::string_view key, const Json& harmless = nullptr) {
  const Json* value = object.find(key);
  if (value == nullptr || *value == harmless) return;
  const bool named = value->is_object() && value->contains("type");
  fail("{} is {}, which Quire does not support: it reads byte-level BPE of the GPT-2 family only",
       object.name_of(key), shown(named ? value->at("type") : *value));
}

// A part of the pipeline that must be of one type, and is refused by name otherwise.
JsonObject part_of_type(const JsonObject& file, std::string_view key, std::string_view type) {
  JsonObject part = file.object(key);
  require(part.text("type") == type,
          "{} is {}, which Quire does not support; it must be \"{}\" (GPT-2 family)",
          file.name_of(key), in_quotes(part.text("type")), type);
  return part;
}

FirstWord read_pre_tokenizer(const JsonObject& file) {
  const JsonObject part = part_of_type(file, "pre_tokenizer", "ByteLevel");
  require(!part.boolean_or("add_prefix_space", true),
          "{} must be false: a space before the text is not supported",
          part.name_of("add_prefix_space"));
  require(part.boolean_or("use_regex", true),
          "{} must be true: text without words is not supported", part.name_of("use_regex"));
  return first_word_gpt2;
}

Vocabulary read_vocabulary(const JsonObject& model, std::int64_t highest) {
  Vocabulary vocabulary;
  const JsonObject entries = model.object("vocab");
  for (const auto& [spelling, id] : model.at("vocab").items()) {
    require(!spelling.empty(), "{}: a token is empty", entries.where());
    vocabulary.add(spelling, read_id(id, entries.name_of(spelling), highest), entries.where());
  }
  return vocabulary;
}

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

std::vector<MergeRule> read_merges(const JsonObject& model, const Vocabulary& vocabulary) {
  std::vector<MergeRule> rules;
  for (const Json& merge : model.array("merges")) {
    const std::string where = fmt::format("{}: \"merges\": entry {}", model.where(), rules.size());
    const auto token = [&](const std::string& spelling) {
      const std::optional<TokenId> id = vocabulary.id_of(spelling);
      if (id) return *id;
      fail("{} needs the token {}, which the vocabulary lacks", where, in_quotes(spelling));
    };
    const auto [left, right] = read_pair(merge, where);
    rules.push_back({token(left), token(right), token(left + right)});
  }
  return rules;
}

std::array<TokenId, 256> read_bytes(const JsonObject& model, const Vocabulary& vocabulary) {
  std::array<TokenId, 256> tokens{};
  for (std::size_t byte = 0; byte < tokens.size(); ++byte) {
    const std::string spelling = spell(std::string(1, static_cast<char>(byte)));
    const std::optional<TokenId> id = vocabulary.id_of(spelling);
    require(id.has_value(), "{} lacks {}, the token of byte {:#04x}; byte-level BPE needs all 256",
            model.name_of("vocab"), in_quotes(spelling), byte);
    tokens[byte] = *id;
  }
  return tokens;
}

TokensByBytes whole_words(const JsonObject& model, const Vocabulary& vocabulary) {
  TokensByBytes words;
  if (!model.boolean_or("ignore_merges", false)) return words;
  for (const auto& [spelling, id] : model.at("vocab").items()) {
    // What is not written in the alphabet is never the spelling of a word.
    if (const auto bytes = unspell(spelling)) words.emplace(*bytes, *vocabulary.id_of(spelling));
  }
  return words;
}

Bpe read_model(const JsonObject& model, const Vocabulary& vocabulary) {
  // Files from before the library had other models name no type.
  if (model.find("type") != nullptr) refuse(model, "type", "BPE");
  refuse(model, "byte_fallback", false);
  refuse(model, "continuing_subword_prefix", "");
  refuse(model, "end_of_word_suffix", "");
  refuse(model, "dropout", 0.0);
  const std::vector<MergeRule> rules = read_merges(model, vocabulary);
  return Bpe(read_bytes(model, vocabulary), rules, whole_words(model, vocabulary));
}

AddedToken read_added_token(const JsonObject& entry, std::int64_t highest) {
  for (const std::string_view key : {"single_word", "lstrip", "rstrip"}) refuse(entry, key, false);
  const std::string& text = entry.text("content");
  require(!text.empty(), "{} must not be empty", entry.name_of("content"));
  const bool special = entry.boolean_or("special", false);
  const std::string id_name = fmt::format("{} of {}", entry.name_of("id"), in_quotes(text));
  return {.text = text,
          .id = read_id(entry.at("id"), id_name, highest),
          .special = special,
          .normalized = entry.boolean_or("normalized", !special)};
}

// Adds the tokens to the vocabulary as well, where they are not in it already.
AddedTokens read_added_tokens(const JsonObject& file, Vocabulary& vocabulary,
                              std::int64_t highest) {
  std::vector<AddedToken> tokens;
  if (file.find("added_tokens") == nullptr) return AddedTokens(tokens);
  for (const Json& value : file.array("added_tokens")) {
    const JsonObject entry(
        value, fmt::format("{}: entry {}", file.name_of("added_tokens"), tokens.size()));
    const AddedToken& token = tokens.emplace_back(read_added_token(entry, highest));
    if (vocabulary.id_of(token.text) != token.id) {
      vocabulary.add(token.text, token.id, entry.where());
    }
    if (token.special) vocabulary.mark_special(token.id);
  }
  return AddedTokens(tokens);
}

std::vector<TokenId> template_ids(const JsonObject& part, const JsonObject& piece,
                                  const Vocabulary& vocabulary) {
  const JsonObject token = part.object("special_tokens").object(piece.text("id"));
  std::vector<TokenId> ids;
  for (const Json& value : token.array("ids")) {
    ids.push_back(read_id(value, token.name_of("ids"), kMaxIds - 1));
    require(to_int(ids.back()) < vocabulary.size(),
            "{}: id {} is not in the vocabulary, whose highest is {}", token.name_of("ids"),
            to_int(ids.back()), vocabulary.size() - 1);
  }
  return ids;
}

Frame read_template(const JsonObject& part, const Vocabulary& vocabulary) {
  Frame frame;
  int texts = 0;
  for (const Json& value : part.array("single")) {
    const JsonObject piece(value, part.name_of("single"));
    if (piece.find("Sequence") != nullptr) {
      ++texts;
    } else {
      std::vector<TokenId>& side = texts == 0 ? frame.before : frame.after;
      for (const TokenId id : template_ids(part, piece.object("SpecialToken"), vocabulary)) {
        side.push_back(id);
      }
    }
  }
  require(texts == 1, "{} must hold the text exactly once, not {} times", part.name_of("single"),
          texts);
  return frame;
}

// The frame of a post-processor. ByteLevel changes offsets only, which nobody asks for here.
Frame read_post_processor(const JsonObject& part, const Vocabulary& vocabulary) {
  const std::string& type = part.text("type");
  if (type == "ByteLevel") return {};
  if (type == "TemplateProcessing") return read_template(part, vocabulary);
  require(type == "Sequence", "{} is {}, which Quire does not support", part.name_of("type"),
          in_quotes(type));
  Frame frame;
  int templates = 0;
  for (const Json& value : part.array("processors")) {
    const JsonObject inner(value, part.name_of("processors"));
    if (inner.text("type") == "ByteLevel") continue;
    require(++templates == 1 && inner.text("type") == "TemplateProcessing",
            "{} may hold ByteLevel and one TemplateProcessing; there is also {}", inner.where(),
            in_quotes(inner.text("type")));
    frame = read_template(inner, vocabulary);
  }
  return frame;
}

}  // namespace

TokenizerParts read_tokenizer(const Json& json, std::string_view where) {
  const JsonObject file(json, std::string(where));
  for (const std::string_view key : {"truncation", "padding", "normalizer"}) refuse(file, key);
  refuse(file, "version", "1.0");
  part_of_type(file, "decoder", "ByteLevel");
  const FirstWord first_word = read_pre_tokenizer(file);
  const JsonObject model = file.object("model");
  const std::int64_t highest = highest_id(file);
  Vocabulary vocabulary = read_vocabulary(model, highest);
  Bpe bpe = read_model(model, vocabulary);
  AddedTokens added = read_added_tokens(file, vocabulary, highest);
  Frame frame;
  if (file.find("post_processor") != nullptr) {
    frame = read_post_processor(file.object("post_processor"), vocabulary);
  }
  return {std::move(vocabulary), std::move(added), first_word, std::move(bpe), std::move(frame)};
}

}  // namespace quire
