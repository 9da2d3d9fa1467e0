#include "src/text/utf8.h"

#include <algorithm>
#include <cassert>

namespace quire {
namespace {

// What must follow a lead byte: so many bytes, the first of them in a range.
struct Trail {
  std::size_t bytes;
  unsigned lowest, highest;
};

// The ranges leave out overlong forms, surrogates and what lies beyond U+10FFFF.
// Source: the Unicode Standard, table 3-7.
Trail trail_of(unsigned lead) {
  if (lead < 0xc2 || lead > 0xf4) return {0, 0, 0};
  if (lead < 0xe0) return {1, 0x80, 0xbf};
  if (lead < 0xf0) return {2, lead == 0xe0 ? 0xa0u : 0x80u, lead == 0xed ? 0x9fu : 0xbfu};
  return {3, lead == 0xf0 ? 0x90u : 0x80u, lead == 0xf4 ? 0x8fu : 0xbfu};
}

}  // namespace

Utf8Unit first_unit(std::string_view text) {
  assert(!text.empty());
  const auto byte = [text](std::size_t i) { return unsigned{static_cast<unsigned char>(text[i])}; };
  if (byte(0) < 0x80) return {Utf8Kind::character, byte(0), 1};
  auto [trailing, lowest, highest] = trail_of(byte(0));
  if (trailing == 0) return {Utf8Kind::invalid, 0, 1};
  char32_t code = byte(0) & (0x3fu >> trailing);
  for (std::size_t i = 1; i <= trailing; ++i) {
    if (i == text.size()) return {Utf8Kind::unfinished, 0, i};
    if (byte(i) < lowest || byte(i) > highest) return {Utf8Kind::invalid, 0, i};
    code = code << 6 | (byte(i) & 0x3fu);
    lowest = 0x80, highest = 0xbf;
  }
  return {Utf8Kind::character, code, trailing + 1};
}

std::size_t finished_bytes(std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const Utf8Unit unit = first_unit(text.substr(done));
    if (unit.kind == Utf8Kind::unfinished) break;
    done += unit.bytes;
  }
  return done;
}

std::string to_valid_utf8(std::string_view text) {
  constexpr std::string_view kReplacement = "\xef\xbf\xbd";
  std::string valid;
  while (!text.empty()) {
    const Utf8Unit unit = first_unit(text);
    valid += unit.kind == Utf8Kind::character ? text.substr(0, unit.bytes) : kReplacement;
    text.remove_prefix(unit.bytes);
  }
  return valid;
}

std::size_t valid_bytes(std::string_view text) {
  std::size_t done = 0;
  while (done < text.size()) {
    const Utf8Unit unit = first_unit(text.substr(done));
    if (unit.kind != Utf8Kind::character) break;
    done += unit.bytes;
  }
  return done;
}

Utf8Unit last_unit(std::string_view text) {
  constexpr std::size_t kLongest = 4;
  for (std::size_t bytes = 1; bytes <= std::min(kLongest, text.size()); ++bytes) {
    const Utf8Unit unit = first_unit(text.substr(text.size() - bytes));
    if (unit.kind == Utf8Kind::character && unit.bytes == bytes) return unit;
  }
  return {Utf8Kind::invalid, 0, std::min<std::size_t>(text.size(), 1)};
}

void append_utf8(char32_t code, std::string& text) {
  assert(code <= 0x10ffff && (code < 0xd800 || code > 0xdfff));
  if (code < 0x80) {
    text += static_cast<char>(code);
    return;
  }
  const unsigned trailing = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  text += static_cast<char>((0xff00u >> (trailing + 1) & 0xffu) | code >> (6 * trailing));
  for (unsigned left = trailing; left-- > 0;) {
    text += static_cast<char>(0x80u | (code >> (6 * left) & 0x3fu));
  }
}

}  // namespace quire
