#include "src/report/markup.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace quire {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Bytes of the well-formed UTF-8 sequence at the beginning of `text`, 0 if there is none.
std::size_t sequence_length(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                                           : 4;
  if (length == 0 || lead > 0xF4 || length > text.size()) return 0;
  for (std::size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0u) != 0x80u) return 0;
  if (lead == 0xE0 && byte(1) < 0xA0) return 0;  // overlong
  if (lead == 0xED && byte(1) > 0x9F) return 0;  // a surrogate
  if (lead == 0xF0 && byte(1) < 0x90) return 0;  // overlong
  if (lead == 0xF4 && byte(1) > 0x8F) return 0;  // beyond U+10FFFF
  return length;
}

/// Control characters but tab and line feeds, U+FFFE and U+FFFF.
bool allowed_in_xml(std::string_view sequence) {
  if (sequence == "\xEF\xBF\xBE" || sequence == "\xEF\xBF\xBF") return false;
  const auto first = static_cast<unsigned char>(sequence[0]);
  return (first >= 0x20 && first != 0x7F) || first == '\t' || first == '\n' || first == '\r';
}

std::string_view escaped(std::string_view sequence) {
  if (sequence == "&") return "&amp;";
  if (sequence == "<") return "&lt;";
  if (sequence == ">") return "&gt;";
  if (sequence == "\"") return "&quot;";
  if (sequence == "'") return "&#39;";
  return allowed_in_xml(sequence) ? sequence : kReplacement;
}

}  // namespace

std::string escape_markup(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    out += length == 0 ? kReplacement : escaped(text.substr(0, length));
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

int display_width(std::string_view text) {
  const auto starts_character = [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0u) != 0x80u;
  };
  return static_cast<int>(std::count_if(text.begin(), text.end(), starts_character));
}

std::string coordinate(double value) {
  std::string text = fmt::format("{:.2f}", value);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

}  // namespace quire
