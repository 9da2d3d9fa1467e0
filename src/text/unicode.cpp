#include "src/text/unicode.h"

#include <unicode/normalizer2.h>
#include <unicode/uchar.h>
#include <unicode/unorm2.h>

#include <algorithm>
#include <vector>

#include "src/core/error.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

const icu::Normalizer2& nfc() {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Normalizer2* normalizer = icu::Normalizer2::getNFCInstance(error);
  require(U_SUCCESS(error), "ICU has no data for NFC: {}", u_errorName(error));
  return *normalizer;
}

struct Mark {
  UChar32 code;
  std::uint8_t order;  // its canonical combining class, 0 for what is no mark
};

// Appends a character, decomposed; a mark goes to its place later.
void decompose(char32_t code, std::vector<Mark>& marks) {
  const auto c = static_cast<UChar32>(code);
  icu::UnicodeString parts;
  if (!nfc().getDecomposition(c, parts)) {
    return marks.push_back({c, nfc().getCombiningClass(c)});
  }
  for (std::int32_t i = 0; i < parts.length(); i = parts.moveIndex32(i, 1)) {
    const UChar32 part = parts.char32At(i);
    marks.push_back({part, nfc().getCombiningClass(part)});
  }
}

// Sorts each run of marks by its order, equals staying as they are.
void order(std::vector<Mark>& marks) {
  const auto is_mark = [](const Mark& mark) { return mark.order != 0; };
  for (auto begin = marks.begin(); begin != marks.end();) {
    begin = std::find_if(begin, marks.end(), is_mark);
    const auto end = std::find_if_not(begin, marks.end(), is_mark);
    std::stable_sort(begin, end, [](const Mark& a, const Mark& b) { return a.order < b.order; });
    begin = end;
  }
}

// Joins characters to the last one that is no mark, unless something of the same or a higher order
// stands between them.
std::size_t compose(std::vector<Mark>& marks) {
  constexpr int kNothingBetween = -1;
  std::size_t size = 0, base = marks.size();
  int between = kNothingBetween;
  for (const Mark mark : marks) {
    const bool near = base < size && between < int{mark.order};
    const UChar32 both = near ? nfc().composePair(marks[base].code, mark.code) : U_SENTINEL;
    if (both >= 0) {
      marks[base].code = both;
      continue;
    }
    if (mark.order == 0) base = size;
    between = mark.order == 0 ? kNothingBetween : int{mark.order};
    marks[size++] = mark;
  }
  return size;
}

// Whether a text is normalized for certain: ICU's own answer for a text may take quadratic time.
bool is_nfc(std::string_view text) {
  int last = 0;
  while (!text.empty()) {
    const Utf8Unit unit = first_unit(text);
    text.remove_prefix(unit.bytes);
    const auto c = static_cast<UChar32>(unit.code);
    const int order = u_getCombiningClass(c);
    if (order != 0 && order < last) return false;
    if (u_getIntPropertyValue(c, UCHAR_NFC_QUICK_CHECK) != UNORM_YES) return false;
    last = order;
  }
  return true;
}

void append_nfc(std::string_view text, std::string& result) {
  if (is_nfc(text)) {
    result += text;
    return;
  }
  std::vector<Mark> marks;
  while (!text.empty()) {
    const Utf8Unit unit = first_unit(text);
    decompose(unit.code, marks);
    text.remove_prefix(unit.bytes);
  }
  order(marks);
  marks.resize(compose(marks));
  for (const Mark& mark : marks) append_utf8(static_cast<char32_t>(mark.code), result);
}

}  // namespace

CharacterKind kind_of(char32_t code) {
  const auto c = static_cast<UChar32>(code);
  const std::uint32_t category = U_GET_GC_MASK(c);
  if ((category & U_GC_L_MASK) != 0) return CharacterKind::letter;
  if ((category & U_GC_N_MASK) != 0) return CharacterKind::digit;
  return u_isUWhiteSpace(c) ? CharacterKind::space : CharacterKind::sign;
}

bool is_word_character(char32_t code) {
  const auto c = static_cast<UChar32>(code);
  const std::uint32_t category = U_GET_GC_MASK(c);
  return (category & (U_GC_M_MASK | U_GC_ND_MASK | U_GC_PC_MASK)) != 0 || u_isUAlphabetic(c) ||
         u_hasBinaryProperty(c, UCHAR_JOIN_CONTROL);
}

std::string to_nfc(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t valid = valid_bytes(text);
    append_nfc(text.substr(0, valid), result);
    text.remove_prefix(valid);
    if (text.empty()) break;
    const std::size_t invalid = first_unit(text).bytes;
    result += text.substr(0, invalid);
    text.remove_prefix(invalid);
  }
  return result;
}

}  // namespace quire
