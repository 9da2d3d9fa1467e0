#include "src/core/error.h"
#include "src/text/byte_fallback.h"
#include "src/text/tokenizer_json_parts.h"

namespace quire {
namespace {

// The parts of a Sequence, or the one part that there is; none if the key is absent.
std::vector<JsonObject> parts_of(const JsonObject& file, std::string_view key,
                                 std::string_view list) {
  if (file.find(key) == nullptr) return {};
  const JsonObject part = file.object(key);
  if (part.text("type") != "Sequence") return {part};
  std::vector<JsonObject> parts;
  for (const Json& value : part.array(list)) {
    parts.emplace_back(value, fmt::format("{}: entry {}", part.name_of(list), parts.size()));
  }
  return parts;
}

[[noreturn]] void refuse_type(const JsonObject& part, std::string_view right) {
  fail("{} is {}, which Quire does not support here; it reads {}", part.name_of("type"),
       in_quotes(part.text("type")), right);
}

void require_text(const JsonObject& part, std::string_view key, std::string_view right) {
  require(part.text(key) == right, "{} must be {}, not {}", part.name_of(key), in_quotes(right),
          in_quotes(part.text(key)));
}

void require_number(const JsonObject& part, std::string_view key, std::int64_t right) {
  part.integer(key, right, right);
}

void require_replacement(const JsonObject& part, std::string_view from, std::string_view to) {
  require_text(part.object("pattern"), "String", from);
  require_text(part, "content", to);
}

NormalizerStep read_normalizer_step(const JsonObject& part) {
  const std::string& type = part.text("type");
  if (type == "NFC") return NormalizerStep::nfc;
  if (type == "Prepend") {
    require_text(part, "prepend", kSpaceSign);
    return NormalizerStep::prepend_space;
  }
  if (type != "Replace") refuse_type(part, "NFC, Prepend, Replace");
  require_replacement(part, " ", kSpaceSign);
  return NormalizerStep::replace_spaces;
}

FirstWord read_split(const JsonObject& part) {
  require_text(part, "behavior", "Isolated");
  require(!part.boolean_or("invert", false), "{} must be false", part.name_of("invert"));
  const JsonObject pattern = part.object("pattern");
  const std::optional<FirstWord> rule = rule_of_regex(pattern.text("Regex"));
  require(rule.has_value(),
          "{} is {}, which Quire does not know; it knows those of GPT-2, Llama 3 and Qwen2",
          pattern.name_of("Regex"), Json(pattern.text("Regex")).dump());
  return *rule;
}

void read_byte_level_step(const JsonObject& part, PreTokenizer& result) {
  const std::string& type = part.text("type");
  if (type == "Split") {
    result.rules.push_back(read_split(part));
  } else if (type == "Digits") {
    require(part.boolean_or("individual_digits", false), "{} must be true",
            part.name_of("individual_digits"));
    result.rules.push_back(first_word_digits);
  } else {
    if (type != "ByteLevel") refuse_type(part, "Split, Digits, and ByteLevel at the end");
    require(!part.boolean_or("add_prefix_space", true),
            "{} must be false: a space before the text is not supported",
            part.name_of("add_prefix_space"));
    if (part.boolean_or("use_regex", true)) result.rules.push_back(first_word_gpt2);
  }
}

PreTokenizer read_byte_level(const std::vector<JsonObject>& parts, const JsonObject& file) {
  PreTokenizer result;
  for (const JsonObject& part : parts) {
    const bool last = &part == &parts.back();
    read_byte_level_step(part, result);
    require(last == (part.text("type") == "ByteLevel"),
            "{}: ByteLevel must be the last part, and the only one of its type",
            file.name_of("pre_tokenizer"));
  }
  require(!parts.empty(), "{} is missing; byte-level BPE needs ByteLevel",
          file.name_of("pre_tokenizer"));
  return result;
}

SpacePrefix read_prefix(const JsonObject& part) {
  if (part.find("prepend_scheme") == nullptr) {
    return part.boolean_or("add_prefix_space", true) ? SpacePrefix::always : SpacePrefix::never;
  }
  const std::string& scheme = part.text("prepend_scheme");
  if (scheme == "never") return SpacePrefix::never;
  if (scheme == "first") return SpacePrefix::first;
  require(scheme == "always", R"({} must be "always", "first" or "never", not {})",
          part.name_of("prepend_scheme"), in_quotes(scheme));
  return SpacePrefix::always;
}

PreTokenizer read_metaspace(const std::vector<JsonObject>& parts, const JsonObject& file) {
  PreTokenizer result;
  if (parts.empty()) return result;
  require(parts.size() == 1, "{} has {} parts; byte-fallback BPE takes Metaspace alone",
          file.name_of("pre_tokenizer"), parts.size());
  if (parts[0].text("type") != "Metaspace") refuse_type(parts[0], "Metaspace with this decoder");
  require_text(parts[0], "replacement", kSpaceSign);
  result.space_signs = read_prefix(parts[0]);
  if (parts[0].boolean_or("split", true)) result.rules = {first_word_signs};
  return result;
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

}  // namespace

std::vector<NormalizerStep> read_normalizer(const JsonObject& file) {
  std::vector<NormalizerStep> steps;
  for (const JsonObject& part : parts_of(file, "normalizer", "normalizers")) {
    steps.push_back(read_normalizer_step(part));
  }
  return steps;
}

PreTokenizer read_pre_tokenizer(const JsonObject& file, Alphabet alphabet) {
  const std::vector<JsonObject> parts = parts_of(file, "pre_tokenizer", "pretokenizers");
  return alphabet == Alphabet::byte_level ? read_byte_level(parts, file)
                                          : read_metaspace(parts, file);
}

Decoding read_decoder(const JsonObject& file) {
  const std::vector<JsonObject> parts = parts_of(file, "decoder", "decoders");
  require(!parts.empty(), "{} is missing", file.name_of("decoder"));
  if (parts.size() == 1 && parts[0].text("type") == "ByteLevel") return {};
  static constexpr std::string_view kTypes[] = {"Replace", "ByteFallback", "Fuse", "Strip"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i >= std::size(kTypes) || parts[i].text("type") != kTypes[i]) {
      refuse_type(parts[i], "ByteLevel alone, or Replace, ByteFallback, Fuse and perhaps Strip");
    }
  }
  require(parts.size() >= 3, "{} must be ByteLevel, or Replace, ByteFallback, Fuse and Strip",
          file.name_of("decoder"));
  require_replacement(parts[0], kSpaceSign, " ");
  if (parts.size() == 3) return {Alphabet::byte_fallback, false};
  require_text(parts[3], "content", " ");
  require_number(parts[3], "start", 1);
  require_number(parts[3], "stop", 0);
  return {Alphabet::byte_fallback, true};
}

// ByteLevel changes offsets only, which nobody asks for here.
Frame read_post_processor(const JsonObject& file, const Vocabulary& vocabulary) {
  Frame frame;
  int templates = 0;
  for (const JsonObject& part : parts_of(file, "post_processor", "processors")) {
    const std::string& type = part.text("type");
    if (type == "ByteLevel") continue;
    if (type != "TemplateProcessing") refuse_type(part, "ByteLevel and TemplateProcessing");
    require(++templates == 1, "{} may hold one TemplateProcessing, not two", part.where());
    frame = read_template(part, vocabulary);
  }
  return frame;
}

}  // namespace quire
