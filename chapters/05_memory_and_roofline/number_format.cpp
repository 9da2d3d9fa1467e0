#include "chapters/05_memory_and_roofline/number_format.h"

#include <array>

#include "chapters/05_memory_and_roofline/exact.h"
#include "chapters/05_memory_and_roofline/names.h"
#include "src/app/arguments.h"
#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

constexpr std::uint64_t kScaleBytes = 2;
constexpr std::int64_t kLargestGroup = 1 << 20;

struct NamedBits {
  std::string_view name;
  std::uint64_t bits;
};

constexpr std::array<NamedBits, 6> kFormats{
    {{"F32", 32}, {"F16", 16}, {"BF16", 16}, {"INT8", 8}, {"FP8", 8}, {"INT4", 4}}};

}  // namespace

std::string NumberFormat::text() const {
  return group == 0 ? name : fmt::format("{}:{}", name, group);
}

std::uint64_t NumberFormat::row_bytes(std::uint64_t numbers) const {
  const std::uint64_t groups = group == 0 ? 0 : divided_up(numbers, group);
  return divided_up(exact_product({numbers, bits}), 8) + groups * kScaleBytes;
}

NumberFormat parse_format(std::string_view option, std::string_view text) {
  const std::size_t colon = text.find(':');
  const NamedBits& found = find_named(option, text.substr(0, colon), kFormats);
  NumberFormat format{.name = std::string(found.name), .bits = found.bits};
  if (colon == std::string_view::npos) return format;
  require(!format.is_wide(), "{} is {}: {} needs no scales, so no group", option, in_quotes(text),
          format.name);
  format.group = static_cast<std::uint64_t>(parse_integer(
      fmt::format("the group of {}", option), text.substr(colon + 1), 1, kLargestGroup));
  return format;
}

}  // namespace quire
