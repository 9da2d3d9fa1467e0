#include "src/core/json.h"

#include <array>
#include <cmath>
#include <fstream>
#include <unordered_set>
#include <vector>

#include "src/core/error.h"

namespace quire {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kShownBytes = 60;
constexpr int kMaxDepth = 64;

std::string cut(std::string text) {
  if (text.size() <= kShownBytes) return text;
  std::size_t end = kShownBytes;
  while ((static_cast<unsigned char>(text[end]) & 0xc0u) == 0x80u) --end;
  return text.substr(0, end) + "...";
}

std::string dumped(const Json& value) {
  return value.dump(-1, ' ', /*ensure_ascii=*/false, Json::error_handler_t::replace);
}

// Sees every key while the parser works, since the finished object has each key only once; and how
// deep it is, since whoever walks through the values may need stack for each level.
class StrictParsing {
 public:
  explicit StrictParsing(std::string_view where) : where_(where) {}

  bool operator()(int depth, Json::parse_event_t event, const Json& parsed) {
    if (event == Json::parse_event_t::object_start || event == Json::parse_event_t::array_start) {
      require(depth < kMaxDepth, "{}: arrays and objects are nested deeper than the limit of {}",
              where_, kMaxDepth);
    }
    if (event == Json::parse_event_t::object_start) seen_.emplace_back();
    if (event == Json::parse_event_t::object_end) seen_.pop_back();
    if (event == Json::parse_event_t::key) check(parsed.get_ref<const std::string&>());
    return true;
  }

 private:
  void check(const std::string& key) {
    if (seen_.back().insert(key).second) return;
    fail("{}: the key {} appears twice in one object", where_, in_quotes(key));
  }

  std::string_view where_;
  std::vector<std::unordered_set<std::string>> seen_;
};

// The type of a file that is there, also at the end of links.
fs::file_type type_of(const fs::path& file) {
  std::error_code error, ignored;
  const fs::file_type type = fs::status(file, error).type();
  if (type == fs::file_type::not_found) {
    const bool link = fs::is_symlink(file, ignored);
    fail("{} {}", file.string(), link ? "is a link to what does not exist" : "does not exist");
  }
  require(type != fs::file_type::none, "{} cannot be read: {}", file.string(), error.message());
  return type;
}

// At most one chunk more than the limit. What the system calls the size does not count: it is 0 for
// pipes and for what the kernel makes up as it is read.
std::string read_beyond(std::istream& stream, std::size_t limit) {
  std::array<char, 1 << 16> chunk{};
  std::string bytes;
  do {
    stream.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    bytes.append(chunk.data(), static_cast<std::size_t>(stream.gcount()));
  } while (stream && bytes.size() <= limit);
  return bytes;
}

}  // namespace

std::string read_file(const std::filesystem::path& file, std::size_t limit) {
  require(!file.empty(), "a file without a name cannot be read; name one");
  const fs::file_type type = type_of(file);
  require(type != fs::file_type::directory, "{} is a folder, not a regular file", file.string());
  if (type == fs::file_type::regular) {
    std::error_code unknown;
    const std::uintmax_t size = fs::file_size(file, unknown);
    require(unknown || size <= limit, "{} has {} bytes; the limit is {}", file.string(), size,
            limit);
  }
  std::ifstream stream(file, std::ios::binary);
  require(stream.is_open(), "{} cannot be opened for reading", file.string());
  std::string bytes = read_beyond(stream, limit);
  require(!stream.bad(), "{} cannot be read", file.string());
  require(bytes.size() <= limit, "{} has more than {} bytes, the limit", file.string(), limit);
  return bytes;
}

Json parse_json(std::string_view text, std::string_view where) {
  try {
    StrictParsing strict(where);
    return Json::parse(text, [&strict](int depth, Json::parse_event_t event, Json& parsed) {
      return strict(depth, event, parsed);
    });
  } catch (const Json::parse_error& error) {
    require(error.byte <= text.size(), "{} is not JSON: it ends too early, after {} bytes", where,
            text.size());
    fail("{} is not JSON: it goes wrong at byte {} of {}", where, error.byte, text.size());
  } catch (const Json::out_of_range&) {
    fail("{}: a number is too large for any number type", where);
  }
}

Json read_json(const std::filesystem::path& file) {
  require(type_of(file) == fs::file_type::regular, "{} is not a regular file", file.string());
  return parse_json(read_file(file), file.string());
}

std::string in_quotes(std::string_view text) {
  return cut(dumped(Json(text)));
}

std::string shown(const Json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return "an array";
  return cut(dumped(value));
}

std::int64_t to_integer(const Json& value, std::string_view where, std::int64_t lowest,
                        std::int64_t highest) {
  const bool small = value.is_number_unsigned() ? value.get<std::uint64_t>() <= INT64_MAX
                                                : value.is_number_integer();
  const std::int64_t number = small ? value.get<std::int64_t>() : 0;
  if (small && lowest <= number && number <= highest) return number;
  fail("{} must be a whole number of {} to {}, not {}", where, lowest, highest, shown(value));
}

JsonObject::JsonObject(const Json& value, std::string where)
    : value_(&value), where_(std::move(where)) {
  require(value.is_object(), "{} must be a JSON object, not {}", where_, shown(value));
}

const Json* JsonObject::find(std::string_view key) const {
  const auto found = value_->find(key);
  return found == value_->end() || found->is_null() ? nullptr : &*found;
}

bool JsonObject::is_null(std::string_view key) const {
  const auto found = value_->find(key);
  return found != value_->end() && found->is_null();
}

const Json& JsonObject::at(std::string_view key) const {
  const Json* value = find(key);
  require(value != nullptr, "{} is missing", name_of(key));
  return *value;
}

std::string JsonObject::name_of(std::string_view key) const {
  return fmt::format("{}: {}", where_, in_quotes(key));
}

std::int64_t JsonObject::integer(std::string_view key, std::int64_t lowest,
                                 std::int64_t highest) const {
  return to_integer(at(key), name_of(key), lowest, highest);
}

double JsonObject::number(std::string_view key, double lowest, double highest) const {
  const Json& value = at(key);
  const double number = value.is_number() ? value.get<double>() : std::nan("");
  require(lowest <= number && number <= highest, "{} must be a number of {} to {}, not {}",
          name_of(key), lowest, highest, shown(value));
  return number;
}

double JsonObject::number_or(std::string_view key, double fallback, double lowest,
                             double highest) const {
  return find(key) == nullptr ? fallback : number(key, lowest, highest);
}

bool JsonObject::boolean_or(std::string_view key, bool fallback) const {
  const Json* value = find(key);
  if (value == nullptr) return fallback;
  require(value->is_boolean(), "{} must be true or false, not {}", name_of(key), shown(*value));
  return value->get<bool>();
}

const std::string& JsonObject::text(std::string_view key) const {
  const Json& value = at(key);
  require(value.is_string(), "{} must be a text, not {}", name_of(key), shown(value));
  return value.get_ref<const std::string&>();
}

const Json& JsonObject::array(std::string_view key) const {
  const Json& value = at(key);
  require(value.is_array(), "{} must be an array, not {}", name_of(key), shown(value));
  return value;
}

JsonObject JsonObject::object(std::string_view key) const {
  return {at(key), name_of(key)};
}

}  // namespace quire
