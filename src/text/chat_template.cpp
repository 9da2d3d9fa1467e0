#include "src/text/chat_template.h"

#include <optional>

#include <array>

#include "src/core/error.h"
#include "src/text/jinja_text.h"
#include "src/text/unicode.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

constexpr std::string_view kChatMl =
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
// The system's default stands between these two.
constexpr std::string_view kChatMlSystem =
    "{% for message in messages %}{% if loop.first and messages[0].role != 'system' %}"
    "{{ '<|im_start|>system\\n@<|im_end|>\\n' }}{% endif %}"
    "{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";
constexpr std::string_view kLlama3 =
    "{% set loop_messages = messages %}{% for message in loop_messages %}"
    "{% set content = '<|start_header_id|>' + message.role + '<|end_header_id|>\\n\\n'"
    " + message.content | trim + '<|eot_id|>' %}"
    "{% if loop.index0 == 0 %}{% set content = bos_token + content %}{% endif %}{{ content }}"
    "{% endfor %}";
constexpr std::string_view kLlama3Answer =
    "{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}";
constexpr std::string_view kAlternate =
    "{% if (message.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('') }}"
    "{% endif %}";
constexpr std::string_view kMistral =
    "{% if message.role == 'user' %}{{ '[INST] ' + message.content + ' [/INST]' }}"
    "{% elif message.role == 'assistant' %}{{ message.content + eos_token }}"
    "{% else %}{{ raise_exception('') }}{% endif %}{% endfor %}";
constexpr std::string_view kMistralSpace =
    "{% if message.role == 'user' %}{{ '[INST] ' + message.content + ' [/INST]' }}"
    "{% elif message.role == 'assistant' %}{{ message.content + eos_token + ' ' }}"
    "{% else %}{{ raise_exception('') }}{% endif %}{% endfor %}";
constexpr std::string_view kLlama2Before =
    "{% if messages[0].role == 'system' %}{% set loop_messages = messages[1:] %}"
    "{% set system_message = messages[0].content %}"
    "{% else %}{% set loop_messages = messages %}{% set system_message = false %}{% endif %}"
    "{% for message in loop_messages %}";
constexpr std::string_view kLlama2After =
    "{% if loop.index0 == 0 and system_message != false %}"
    "{% set content = '<<SYS>>\\n' + system_message + '\\n<</SYS>>\\n\\n' + message.content %}"
    "{% else %}{% set content = message.content %}{% endif %}"
    "{% if message.role == 'user' %}{{ bos_token + '[INST] ' + content.strip() + ' [/INST]' }}"
    "{% elif message.role == 'assistant' %}{{ ' ' + content.strip() + ' ' + eos_token }}{% endif %}"
    "{% endfor %}";

std::string canonical(std::initializer_list<std::string_view> parts) {
  std::string text;
  for (const std::string_view part : parts) text += part;
  return canonical_jinja(text, "a known template");
}

// White space as Python has it: Unicode's, and four control characters.
bool is_space(const Utf8Unit& unit) {
  if (unit.kind != Utf8Kind::character) return false;
  return kind_of(unit.code) == CharacterKind::space || (unit.code >= 0x1c && unit.code <= 0x1f);
}

std::string trimmed(std::string_view text) {
  while (!text.empty() && is_space(first_unit(text))) text.remove_prefix(first_unit(text).bytes);
  while (!text.empty() && is_space(last_unit(text))) text.remove_suffix(last_unit(text).bytes);
  return std::string(text);
}

// The default of the system in a template of kChatMlSystem's form.
std::optional<std::string> default_system(std::string_view known) {
  const std::string form = canonical({kChatMlSystem});
  const std::size_t hole = form.find('@');
  const std::string_view before = std::string_view(form).substr(0, hole);
  const std::string_view after = std::string_view(form).substr(hole + 1);
  if (known.size() < before.size() + after.size()) return std::nullopt;
  if (!known.starts_with(before) || !known.ends_with(after)) return std::nullopt;
  known.remove_prefix(before.size());
  known.remove_suffix(after.size());
  // Still within the quotes of a literal: then it is one.
  const Json literal = Json::parse("\"" + std::string(known) + "\"", nullptr, false);
  return literal.is_string() ? std::optional(literal.get<std::string>()) : std::nullopt;
}

std::string token_of(const JsonObject& config, std::string_view key) {
  const Json* value = config.find(key);
  if (value == nullptr) return "";
  return value->is_object() ? config.object(key).text("content") : config.text(key);
}

void expect_turns(const std::vector<ChatMessage>& messages, std::size_t first) {
  for (std::size_t i = first; i < messages.size(); ++i) {
    const std::string_view right = (i - first) % 2 == 0 ? "user" : "assistant";
    require(messages[i].role == right, "message {} is of {}; this model's template wants {} there",
            i, in_quotes(messages[i].role), right);
  }
}

}  // namespace

ChatTemplate ChatTemplate::load(const std::filesystem::path& model_dir) {
  const std::filesystem::path config_file = model_dir / "tokenizer_config.json";
  const Json json = read_json(config_file);
  const JsonObject config(json, config_file.string());
  const std::filesystem::path jinja_file = model_dir / "chat_template.jinja";
  const bool own_file = std::filesystem::exists(jinja_file);
  const std::string jinja = own_file ? read_file(jinja_file) : config.text("chat_template");
  return parse(jinja, token_of(config, "bos_token"), token_of(config, "eos_token"),
               own_file ? jinja_file.string() : config.name_of("chat_template"));
}

ChatTemplate ChatTemplate::parse(std::string_view jinja, std::string bos, std::string eos,
                                 std::string_view where) {
  constexpr std::string_view kAsked = "{% if add_generation_prompt %}", kEnd = "{% endif %}";
  constexpr std::string_view kBos = "{{ bos_token }}{% for message in messages %}";
  const std::string text = canonical_jinja(jinja, where);
  ChatTemplate result;
  result.bos_ = std::move(bos);
  result.eos_ = std::move(eos);
  if (const auto system = default_system(text)) {
    result.system_ = *system;
  } else if (text == canonical({kChatMl})) {
    result.format_ = ChatFormat::chatml;
  } else if (text == canonical({kLlama3, kAsked, kLlama3Answer, kEnd})) {
    result.format_ = ChatFormat::llama3;
  } else if (text == canonical({kLlama3, kLlama3Answer})) {
    result.format_ = ChatFormat::llama3;
    result.always_answers_ = true;
  } else if (text == canonical({kBos, kAlternate, kMistral})) {
    result.format_ = ChatFormat::mistral;
  } else if (text == canonical({kBos, kAlternate, kMistralSpace})) {
    result.format_ = ChatFormat::mistral;
    result.after_answer_ = " ";
  } else if (text == canonical({kLlama2Before, kAlternate, kLlama2After})) {
    result.format_ = ChatFormat::llama2;
  } else {
    fail(
        "{} is a template that Quire does not know; it knows the plain ones of ChatML, Llama 2, "
        "Llama 3 and Mistral: {}",
        where, in_quotes(jinja));
  }
  return result;
}

std::vector<ChatTemplate::Part> ChatTemplate::parts(const std::vector<ChatMessage>& messages,
                                                    bool answer) const {
  require(!messages.empty(), "a conversation needs at least one message");
  switch (format_) {
    case ChatFormat::chatml:
      return chatml(messages, answer);
    case ChatFormat::llama2:
      return llama2(messages);
    case ChatFormat::llama3:
      return llama3(messages, answer || always_answers_);
    case ChatFormat::mistral:
      return mistral(messages);
  }
  return {};
}

std::vector<ChatTemplate::Part> ChatTemplate::chatml(const std::vector<ChatMessage>& messages,
                                                     bool answer) const {
  std::vector<Part> parts;
  if (!system_.empty() && messages[0].role != "system") {
    parts.push_back({"<|im_start|>system\n" + system_ + "<|im_end|>\n"});
  }
  for (const ChatMessage& message : messages) {
    parts.push_back({"<|im_start|>"});
    parts.push_back({message.role, true});
    parts.push_back({"\n"});
    parts.push_back({message.content, true});
    parts.push_back({"<|im_end|>\n"});
  }
  if (answer) parts.push_back({"<|im_start|>assistant\n"});
  return parts;
}

std::vector<ChatTemplate::Part> ChatTemplate::llama2(
    const std::vector<ChatMessage>& messages) const {
  const std::size_t first = messages[0].role == "system" ? 1 : 0;
  expect_turns(messages, first);
  std::vector<Part> parts;
  for (std::size_t i = first; i < messages.size(); ++i) {
    std::string content = messages[i].content;
    if (i == 1 && first == 1) {
      content = "<<SYS>>\n" + messages[0].content + "\n<</SYS>>\n\n" + content;
    }
    const bool user = messages[i].role == "user";
    parts.push_back({user ? bos_ + "[INST] " : " "});
    parts.push_back({trimmed(content), true});
    parts.push_back({user ? " [/INST]" : " " + eos_});
  }
  return parts;
}

std::vector<ChatTemplate::Part> ChatTemplate::llama3(const std::vector<ChatMessage>& messages,
                                                     bool answer) const {
  std::vector<Part> parts{{bos_}};
  for (const ChatMessage& message : messages) {
    parts.push_back({"<|start_header_id|>"});
    parts.push_back({message.role, true});
    parts.push_back({"<|end_header_id|>\n\n"});
    parts.push_back({trimmed(message.content), true});
    parts.push_back({"<|eot_id|>"});
  }
  if (answer) parts.push_back({"<|start_header_id|>assistant<|end_header_id|>\n\n"});
  return parts;
}

std::vector<ChatTemplate::Part> ChatTemplate::mistral(
    const std::vector<ChatMessage>& messages) const {
  expect_turns(messages, 0);
  std::vector<Part> parts{{bos_}};
  for (const ChatMessage& message : messages) {
    const bool user = message.role == "user";
    if (user) parts.push_back({"[INST] "});
    parts.push_back({message.content, true});
    parts.push_back({user ? " [/INST]" : eos_ + after_answer_});
  }
  return parts;
}

std::string ChatTemplate::render(const std::vector<ChatMessage>& messages, bool answer) const {
  std::string text;
  for (const Part& part : parts(messages, answer)) text += part.text;
  return text;
}

std::vector<TokenId> ChatTemplate::encode(const Tokenizer& tokenizer,
                                          const std::vector<ChatMessage>& messages,
                                          bool answer) const {
  const auto ids = [&](const std::string& text, bool steers) {
    return tokenizer.encode(text, {.add_special = false, .parse_special = steers});
  };
  std::vector<TokenId> apart;
  bool steered = false;  // by what was said
  for (const Part& part : parts(messages, answer)) {
    const std::vector<TokenId> tokens = ids(part.text, !part.said);
    apart.insert(apart.end(), tokens.begin(), tokens.end());
    steered = steered || (part.said && ids(part.text, true) != tokens);
  }
  return steered ? apart : ids(render(messages, answer), true);
}

std::vector<ChatMessage> read_messages(const Json& json, std::string_view where) {
  require(json.is_array(), "{} must be an array of messages, not {}", where, shown(json));
  std::vector<ChatMessage> messages;
  for (const Json& value : json) {
    const JsonObject message(value, fmt::format("{}: message {}", where, messages.size()));
    messages.push_back({message.text("role"), message.text("content")});
  }
  return messages;
}

}  // namespace quire
