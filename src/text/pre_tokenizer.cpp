#include "src/text/pre_tokenizer.h"

#include <unicode/uchar.h>

#include "src/text/utf8.h"

namespace quire {
namespace {

enum class Kind { letter, digit, space, sign };

struct Character {
  Kind kind;
  std::size_t bytes;
};

Kind kind_of(char32_t code) {
  const auto c = static_cast<UChar32>(code);
  const std::uint32_t category = U_GET_GC_MASK(c);
  if ((category & U_GC_L_MASK) != 0) return Kind::letter;
  if ((category & U_GC_N_MASK) != 0) return Kind::digit;
  return u_isUWhiteSpace(c) ? Kind::space : Kind::sign;
}

Character first_character(std::string_view text) {
  const Utf8Unit unit = first_unit(text);
  const bool valid = unit.kind == Utf8Kind::character;
  return {valid ? kind_of(unit.code) : Kind::sign, unit.bytes};
}

std::size_t contraction(std::string_view text) {
  for (const std::string_view ending : {"'s", "'t", "'re", "'ve", "'m", "'ll", "'d"}) {
    if (text.starts_with(ending)) return ending.size();
  }
  return 0;
}

struct Run {
  std::size_t bytes = 0;
  std::size_t last = 0;  // bytes of its last character
};

// The characters of one kind that a text begins with.
Run run_of(Kind kind, std::string_view text) {
  Run run;
  while (run.bytes < text.size()) {
    const Character next = first_character(text.substr(run.bytes));
    if (next.kind != kind) break;
    run = {run.bytes + next.bytes, next.bytes};
  }
  return run;
}

std::size_t white_space(std::string_view text) {
  const Run run = run_of(Kind::space, text);
  const bool alone = run.bytes == run.last;
  const bool at_the_end = run.bytes == text.size();
  return alone || at_the_end ? run.bytes : run.bytes - run.last;
}

}  // namespace

std::size_t first_word_gpt2(std::string_view text) {
  if (const std::size_t bytes = contraction(text); bytes > 0) return bytes;
  const std::size_t space = text[0] == ' ' && text.size() > 1 ? 1 : 0;
  const Kind kind = first_character(text.substr(space)).kind;
  if (kind == Kind::space) return white_space(text);
  return space + run_of(kind, text.substr(space)).bytes;
}

}  // namespace quire
