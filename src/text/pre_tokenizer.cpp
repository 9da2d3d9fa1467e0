#include "src/text/pre_tokenizer.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "src/text/byte_fallback.h"
#include "src/text/unicode.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

using Kind = CharacterKind;

struct Character {
  Kind kind;
  std::size_t bytes;
};

Character first_character(std::string_view text) {
  const Utf8Unit unit = first_unit(text);
  const bool valid = unit.kind == Utf8Kind::character;
  return {valid ? kind_of(unit.code) : Kind::sign, unit.bytes};
}

bool ends_a_line(char c) {
  return c == '\r' || c == '\n';
}

constexpr std::array<std::string_view, 7> kContractions = {"'s", "'t",  "'re", "'ve",
                                                           "'m", "'ll", "'d"};

std::size_t contraction(std::string_view text) {
  for (const std::string_view ending : kContractions) {
    if (text.starts_with(ending)) return ending.size();
  }
  return 0;
}

// In any case. U+017F, the long s, is an s to whoever ignores case.
std::size_t contraction_in_any_case(std::string_view text) {
  constexpr std::string_view kLongS = "'\u017f";
  if (text.front() != '\'') return 0;
  if (text.starts_with(kLongS)) return kLongS.size();
  std::string lower(text.substr(0, 3));
  for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  return contraction(lower);
}

struct Run {
  std::size_t bytes = 0;
  std::size_t last = 0;  // bytes of its last character
};

// The characters of one kind that a text begins with, at most so many.
Run run_of(Kind kind, std::string_view text, std::size_t most = std::string_view::npos) {
  Run run;
  for (std::size_t count = 0; count < most && run.bytes < text.size(); ++count) {
    const Character next = first_character(text.substr(run.bytes));
    if (next.kind != kind) break;
    run = {run.bytes + next.bytes, next.bytes};
  }
  return run;
}

// A run of white space, less its last character if a word follows that it may belong to.
std::size_t white_space(std::string_view text) {
  const Run run = run_of(Kind::space, text);
  const bool alone = run.bytes == run.last;
  const bool at_the_end = run.bytes == text.size();
  return alone || at_the_end ? run.bytes : run.bytes - run.last;
}

// White space up to the last end of a line in it; without one, as above.
std::size_t lines_or_space(std::string_view text) {
  std::size_t bytes = run_of(Kind::space, text).bytes;
  while (bytes > 0 && !ends_a_line(text[bytes - 1])) --bytes;
  return bytes > 0 ? bytes : white_space(text);
}

std::size_t signs_and_lines(std::string_view text) {
  std::size_t bytes = run_of(Kind::sign, text).bytes;
  while (bytes < text.size() && ends_a_line(text[bytes])) ++bytes;
  return bytes;
}

// The rules of Llama 3 and Qwen2, which differ in how many digits a word has.
std::size_t first_word(std::string_view text, std::size_t most_digits) {
  if (const std::size_t bytes = contraction_in_any_case(text); bytes > 0) return bytes;
  const auto [kind, bytes] = first_character(text);
  if (kind == Kind::letter) return run_of(Kind::letter, text).bytes;
  if (kind == Kind::digit) return run_of(Kind::digit, text, most_digits).bytes;
  const std::string_view rest = text.substr(bytes);
  const Kind next = rest.empty() ? kind : first_character(rest).kind;
  if (next == Kind::letter && !ends_a_line(text.front())) {
    return bytes + run_of(Kind::letter, rest).bytes;
  }
  if (kind == Kind::sign) return signs_and_lines(text);
  if (text.front() == ' ' && next == Kind::sign) return 1 + signs_and_lines(rest);
  return lines_or_space(text);
}

}  // namespace

std::size_t first_word_gpt2(std::string_view text) {
  if (const std::size_t bytes = contraction(text); bytes > 0) return bytes;
  const std::size_t space = text[0] == ' ' && text.size() > 1 ? 1 : 0;
  const Kind kind = first_character(text.substr(space)).kind;
  if (kind == Kind::space) return white_space(text);
  return space + run_of(kind, text.substr(space)).bytes;
}

std::size_t first_word_llama3(std::string_view text) {
  return first_word(text, 3);
}

std::size_t first_word_qwen2(std::string_view text) {
  return first_word(text, 1);
}

std::size_t first_word_digits(std::string_view text) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Character next = first_character(text.substr(bytes));
    if (next.kind == Kind::digit) return bytes == 0 ? next.bytes : bytes;
    bytes += next.bytes;
  }
  return bytes;
}

std::size_t first_word_signs(std::string_view text) {
  return std::min(text.find(kSpaceSign, 1), text.size());
}

std::size_t first_word_sign_runs(std::string_view text) {
  std::size_t bytes = 0;
  while (text.substr(bytes).starts_with(kSpaceSign)) bytes += kSpaceSign.size();
  return std::min(text.find(kSpaceSign, bytes), text.size());
}

std::optional<FirstWord> rule_of_regex(std::string_view regex) {
  static constexpr std::pair<std::string_view, FirstWord> kKnown[] = {
      {R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)",
       first_word_gpt2},
      {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}|)"
       R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
       first_word_llama3},
      {R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}|)"
       R"( ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)",
       first_word_qwen2},
  };
  for (const auto& [text, rule] : kKnown) {
    if (text == regex) return rule;
  }
  return std::nullopt;
}

void cut(std::string_view text, std::span<const FirstWord> rules,
         const std::function<void(std::string_view)>& take) {
  if (rules.empty()) return take(text);
  while (!text.empty()) {
    const std::size_t bytes = rules.front()(text);
    cut(text.substr(0, bytes), rules.subspan(1), take);
    text.remove_prefix(bytes);
  }
}

}  // namespace quire
