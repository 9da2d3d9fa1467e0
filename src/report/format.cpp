#include "src/report/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

namespace quire {
namespace {

void separate_thousands(std::string& number) {
  const std::size_t point = std::min(number.find('.'), number.size());
  const std::size_t first = number.starts_with('-') ? 1 : 0;
  for (std::size_t at = point; at > first + 3;) number.insert(at -= 3, 1, ',');
}

void drop_trailing_zeros(std::string& number) {
  if (number.find('.') == std::string::npos) return;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.ends_with('.')) number.pop_back();
}

/// The value rounded to its significant digits, so that 999.7 becomes 1,000 before a unit is
/// chosen.
double round_to_digits(double value, int digits) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(value))));
  const double unit = std::pow(10.0, digits - 1 - exponent);
  return std::isfinite(unit) && unit > 0 ? std::round(value * unit) / unit : value;
}

}  // namespace

std::string format_number(double value, int digits) {
  if (std::isnan(value)) return "not a number";
  if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
  const double rounded = round_to_digits(value, digits);
  if (rounded == 0) return "0";
  const int exponent = static_cast<int>(std::floor(std::log10(std::fabs(rounded))));
  std::string text = fmt::format("{:.{}f}", rounded, std::max(0, digits - 1 - exponent));
  drop_trailing_zeros(text);
  separate_thousands(text);
  return text;
}

std::string format_count(std::uint64_t value) {
  std::string text = fmt::format("{}", value);
  separate_thousands(text);
  return text;
}

std::string format_si(double value, int digits) {
  constexpr std::array<std::string_view, 7> suffixes{"", "k", "M", "G", "T", "P", "E"};
  double scaled = round_to_digits(value, digits);
  std::size_t power = 0;
  for (; std::fabs(scaled) >= 1000 && power + 1 < suffixes.size(); ++power) scaled /= 1000;
  return format_number(scaled, digits) + std::string(suffixes[power]);
}

std::string format_bytes(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 7> units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
  double scaled = static_cast<double>(bytes);
  std::size_t power = 0;
  // 1,023.6 KiB would be written as 1,024 KiB.
  for (; std::round(scaled) >= 1024 && power + 1 < units.size(); ++power) scaled /= 1024;
  return format_number(scaled, scaled < 1000 ? 3 : 4) + " " + std::string(units[power]);
}

std::string format_seconds(double seconds) {
  const double size = std::fabs(round_to_digits(seconds, 3));
  if (size >= 1 || size == 0 || !std::isfinite(seconds)) return format_number(seconds) + " s";
  if (size >= 1e-3) return format_number(seconds * 1e3) + " ms";
  if (size >= 1e-6) return format_number(seconds * 1e6) + " µs";
  return format_number(seconds * 1e9) + " ns";
}

}  // namespace quire
