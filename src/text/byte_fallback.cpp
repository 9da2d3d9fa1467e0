#include "src/text/byte_fallback.h"

#include <fmt/format.h>

namespace quire {
namespace {

constexpr std::string_view kDigits = "0123456789ABCDEF";
constexpr std::string_view kBegin = "<0x";

bool looks_like_a_byte(std::string_view spelling) {
  return spelling.starts_with(kBegin) && spelling.ends_with('>');
}

}  // namespace

std::string byte_piece(std::uint8_t byte) {
  return fmt::format("<0x{:02X}>", byte);
}

std::optional<std::uint8_t> byte_of_piece(std::string_view spelling) {
  if (!looks_like_a_byte(spelling) || spelling.size() != 6) return std::nullopt;
  const std::size_t high = kDigits.find(spelling[3]), low = kDigits.find(spelling[4]);
  if (high == std::string_view::npos || low == std::string_view::npos) return std::nullopt;
  return static_cast<std::uint8_t>(high << 4 | low);
}

std::optional<std::string> read_fallback(std::string_view spelling) {
  if (const auto byte = byte_of_piece(spelling)) return std::string(1, static_cast<char>(*byte));
  if (looks_like_a_byte(spelling)) return std::nullopt;
  std::string bytes;
  while (!spelling.empty()) {
    const bool space = spelling.starts_with(kSpaceSign);
    bytes += space ? ' ' : spelling.front();
    spelling.remove_prefix(space ? kSpaceSign.size() : 1);
  }
  return bytes;
}

}  // namespace quire
