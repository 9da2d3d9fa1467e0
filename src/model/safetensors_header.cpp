#include "src/model/safetensors_header.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <limits>
#include <utility>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

constexpr std::uint64_t kMaxHeaderBytes = 100'000'000;
constexpr std::int64_t kMaxInteger = std::numeric_limits<std::int64_t>::max();

struct KnownDtype {
  std::string_view name;
  unsigned bits;
};

constexpr std::array kKnownDtypes = {
    KnownDtype{"F64", 64},    KnownDtype{"F32", 32},    KnownDtype{"F16", 16},
    KnownDtype{"BF16", 16},   KnownDtype{"I64", 64},    KnownDtype{"I32", 32},
    KnownDtype{"I16", 16},    KnownDtype{"I8", 8},      KnownDtype{"U64", 64},
    KnownDtype{"U32", 32},    KnownDtype{"U16", 16},    KnownDtype{"U8", 8},
    KnownDtype{"BOOL", 8},    KnownDtype{"F8_E4M3", 8}, KnownDtype{"F8_E5M2", 8},
    KnownDtype{"F8_E8M0", 8}, KnownDtype{"F6_E2M3", 6}, KnownDtype{"F6_E3M2", 6},
    KnownDtype{"F4", 4},      KnownDtype{"C64", 64},
};

unsigned bits_of(const std::string& dtype, std::string_view where) {
  const auto known = std::find_if(kKnownDtypes.begin(), kKnownDtypes.end(),
                                  [&](const KnownDtype& d) { return d.name == dtype; });
  require(known != kKnownDtypes.end(), "{} has the unknown dtype {}", where, in_quotes(dtype));
  return known->bits;
}

// The product, or none beyond 64 bits.
std::optional<std::uint64_t> product(std::uint64_t a, std::uint64_t b) {
  if (b != 0 && a > std::numeric_limits<std::uint64_t>::max() / b) return std::nullopt;
  return a * b;
}

// How many bytes a shape takes; none if they end within a byte, or if the extents other than 0
// multiply to more than 64 bits hold: whoever multiplies them in another order is safe then.
std::optional<std::uint64_t> bytes_of(const std::vector<Index>& shape, unsigned bits) {
  std::optional<std::uint64_t> all_bits = bits;
  for (const Index extent : shape) {
    all_bits = product(*all_bits, static_cast<std::uint64_t>(std::max<Index>(extent, 1)));
    if (!all_bits) return std::nullopt;
  }
  if (std::find(shape.begin(), shape.end(), 0) != shape.end()) return 0;
  return *all_bits % 8 == 0 ? std::optional(*all_bits / 8) : std::nullopt;
}

std::string shown_shape(const std::vector<Index>& shape) {
  constexpr std::size_t kShownExtents = 8;
  const auto shown = std::span(shape).first(std::min(shape.size(), kShownExtents));
  return fmt::format("[{}{}]", fmt::join(shown, ", "), shown.size() < shape.size() ? ", ..." : "");
}

void check_size(const TensorEntry& entry, std::string_view where) {
  const std::optional<std::uint64_t> bytes = bytes_of(entry.shape, bits_of(entry.dtype, where));
  require(bytes == entry.end - entry.begin,
          "{}: its shape {} of {} contradicts its {} bytes (data_offsets {} to {})", where,
          shown_shape(entry.shape), entry.dtype, entry.end - entry.begin, entry.begin, entry.end);
}

TensorEntry read_entry(const Json& value, const std::string& where) {
  const JsonObject object(value, where);
  TensorEntry entry;
  entry.dtype = object.text("dtype");
  for (const Json& extent : object.array("shape")) {
    entry.shape.push_back(to_integer(extent, object.name_of("shape"), 0, kMaxInteger));
  }
  const Json& offsets = object.array("data_offsets");
  const std::string name = object.name_of("data_offsets");
  require(offsets.size() == 2, "{} must be two numbers, begin and end", name);
  entry.begin = static_cast<std::uint64_t>(to_integer(offsets[0], name, 0, kMaxInteger));
  entry.end = static_cast<std::uint64_t>(to_integer(offsets[1], name, 0, kMaxInteger));
  require(entry.begin <= entry.end, "{} are reversed: they begin at {} and end at {}", name,
          entry.begin, entry.end);
  check_size(entry, where);
  return entry;
}

// Free text about the file, which changes nothing; but it must be text.
void check_metadata(const Json& value, std::string_view where) {
  const JsonObject metadata(value, fmt::format("{}: \"__metadata__\"", where));
  for (const auto& [key, text] : value.items()) {
    require(text.is_string(), "{} must be a text, not {}", metadata.name_of(key), shown(text));
  }
}

// The tensors in the order of their data must follow each other from the first byte to the last.
void check_layout(const TensorEntries& entries, std::uint64_t data_bytes, std::string_view where) {
  using Place = std::pair<std::uint64_t, std::uint64_t>;
  std::vector<std::pair<Place, std::string_view>> order;
  for (const auto& [name, entry] : entries) order.push_back({{entry.begin, entry.end}, name});
  std::sort(order.begin(), order.end());
  std::uint64_t filled = 0;
  std::string_view before = "the header";
  for (const auto& [place, name] : order) {
    require(place.first >= filled,
            "{}: tensor {} begins at byte {} and overlaps {}, which ends at {}", where,
            in_quotes(name), place.first, in_quotes(before), filled);
    require(place.first == filled, "{}: there is a gap of {} bytes before tensor {}", where,
            place.first - filled, in_quotes(name));
    filled = place.second;
    before = name;
  }
  require(filled <= data_bytes, "{} is cut short: its header promises {} bytes of data, it has {}",
          where, filled, data_bytes);
  require(filled == data_bytes, "{}: {} bytes after the last tensor belong to none", where,
          data_bytes - filled);
}

}  // namespace

std::optional<DType> computable_dtype(std::string_view dtype) {
  for (const DType type : {DType::f32, DType::f16, DType::bf16}) {
    if (name_of(type) == dtype) return type;
  }
  return std::nullopt;
}

std::size_t header_bytes(std::span<const std::byte> file, std::string_view where) {
  static_assert(std::endian::native == std::endian::little, "safetensors files are little-endian");
  std::uint64_t length = 0;
  require(file.size() >= sizeof(length),
          "{} has {} bytes; a safetensors file begins with 8 bytes, the length of its header",
          where, file.size());
  std::memcpy(&length, file.data(), sizeof(length));
  require(length <= kMaxHeaderBytes,
          "{} is no safetensors file: it promises a header of {} bytes; the limit is {}", where,
          length, kMaxHeaderBytes);
  require(length <= file.size() - sizeof(length),
          "{} is cut short: it promises a header of {} bytes, and has {} after its length", where,
          length, file.size() - sizeof(length));
  return sizeof(length) + static_cast<std::size_t>(length);
}

TensorEntries read_entries(std::string_view header, std::uint64_t data_bytes,
                           std::string_view where) {
  const Json json = parse_json(header, fmt::format("{}: the header", where));
  const JsonObject object(json, fmt::format("{}: the header", where));
  TensorEntries entries;
  for (const auto& [name, value] : json.items()) {
    if (name == "__metadata__") {
      check_metadata(value, where);
    } else {
      entries.emplace(name,
                      read_entry(value, fmt::format("{}: tensor {}", where, in_quotes(name))));
    }
  }
  check_layout(entries, data_bytes, where);
  return entries;
}

}  // namespace quire
