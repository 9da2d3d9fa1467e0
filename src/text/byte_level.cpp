#include "src/text/byte_level.h"

#include <array>

#include "src/text/utf8.h"

namespace quire {
namespace {

constexpr bool is_printable(unsigned byte) {
  return (byte >= '!' && byte <= '~') || (byte >= 0xa1 && byte != 0xad);
}

// The unprintable bytes take the code points from 256 on, in order.
constexpr std::array<char32_t, 256> make_alphabet() {
  std::array<char32_t, 256> alphabet{};
  char32_t next = 256;
  for (unsigned byte = 0; byte < 256; ++byte) alphabet[byte] = is_printable(byte) ? byte : next++;
  return alphabet;
}

constexpr std::array<char32_t, 256> kAlphabet = make_alphabet();
constexpr std::size_t kCodes = 256 + 68;
constexpr int kNoByte = -1;

constexpr std::array<int, kCodes> make_inverse() {
  std::array<int, kCodes> inverse{};
  inverse.fill(kNoByte);
  for (unsigned byte = 0; byte < 256; ++byte) inverse[kAlphabet[byte]] = static_cast<int>(byte);
  return inverse;
}

constexpr std::array<int, kCodes> kInverse = make_inverse();

}  // namespace

char32_t spelling_of(std::uint8_t byte) {
  return kAlphabet[byte];
}

std::string spell(std::string_view bytes) {
  std::string spelled;
  for (const char byte : bytes) append_utf8(spelling_of(static_cast<std::uint8_t>(byte)), spelled);
  return spelled;
}

std::optional<std::string> unspell(std::string_view spelled) {
  std::string bytes;
  while (!spelled.empty()) {
    const Utf8Unit unit = first_unit(spelled);
    if (unit.code >= kCodes || kInverse[unit.code] == kNoByte) return std::nullopt;
    bytes += static_cast<char>(kInverse[unit.code]);
    spelled.remove_prefix(unit.bytes);
  }
  return bytes;
}

}  // namespace quire
