/// \file
/// \brief Files from outside: reading them whole, and JSON whose errors name the file and the key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

/// \brief A JSON value.
using Json = nlohmann::json;

/// \brief The most bytes of a JSON file: some thirty times the largest published tokenizer.json.
inline constexpr std::size_t kMaxJsonBytes = std::size_t{256} << 20;

/// \brief The bytes of a file. Whatever can be read to its end will do, such as a pipe.
/// \param file   anything but a folder
/// \param limit  the most bytes that are right
/// \throws Error if it is missing, a folder, larger than the limit, or cannot be read
std::string read_file(const std::filesystem::path& file, std::size_t limit = kMaxJsonBytes);

/// \brief Parses JSON strictly: no comments, no object that has a key twice, and no more than 64
/// arrays and objects within each other.
/// \param text   the whole text
/// \param where  what to call it in messages, usually the file's name
/// \throws Error if it is no JSON, with the byte at which it stops being JSON
Json parse_json(std::string_view text, std::string_view where);

/// \brief Reads and parses a JSON file.
/// \param file  a regular file
/// \throws Error if it is none, and as read_file and parse_json
Json read_json(const std::filesystem::path& file);

/// \brief A text from a file, fit for a message: in quotes, control characters escaped, cut if
/// long.
/// \param text any bytes
std::string in_quotes(std::string_view text);

/// \brief A JSON value, fit for a message: on one line, cut if long.
/// \param value  any value
std::string shown(const Json& value);

/// \brief A whole number of a JSON value.
/// \param value    what must be a whole number
/// \param where    what to call it in messages
/// \param lowest   the least value that is right
/// \param highest  the greatest value that is right
/// \throws Error unless `value` is a JSON integer in that range
std::int64_t to_integer(const Json& value, std::string_view where, std::int64_t lowest,
                        std::int64_t highest);

/// \brief An object of a JSON file, read key by key. A key that is null counts as absent.
///
/// Every getter throws an Error that names the file, the key, what is there and what would be
/// right. It looks into the Json that it was made from, which must outlive it.
class JsonObject {
 public:
  /// \brief Looks into an object.
  /// \param value  what must be an object
  /// \param where  what to call it in messages
  /// \throws Error if `value` is no object
  JsonObject(const Json& value, std::string where);

  /// \brief What this object is called in messages.
  const std::string& where() const { return where_; }
  /// \brief The value of a key, or none if it is absent or null.
  /// \param key  any key
  const Json* find(std::string_view key) const;
  /// \brief Whether a key is there with the value null, for the few that mean something by it.
  /// \param key  any key
  bool is_null(std::string_view key) const;
  /// \brief The value of a key.
  /// \param key  a key that must be there
  const Json& at(std::string_view key) const;
  /// \brief A key as messages call it: this object's name and the key.
  /// \param key  any key
  std::string name_of(std::string_view key) const;

  /// \brief A whole number.
  /// \param key       a key that must be there
  /// \param lowest    the least value that is right
  /// \param highest   the greatest value that is right
  std::int64_t integer(std::string_view key, std::int64_t lowest, std::int64_t highest) const;
  /// \brief A number, whole or not.
  /// \param key       a key that must be there
  /// \param lowest    the least value that is right
  /// \param highest   the greatest value that is right
  double number(std::string_view key, double lowest, double highest) const;
  /// \brief A number, whole or not.
  /// \param key       a key
  /// \param fallback  the value if it is absent
  /// \param lowest    the least value that is right
  /// \param highest   the greatest value that is right
  double number_or(std::string_view key, double fallback, double lowest, double highest) const;
  /// \brief True or false.
  /// \param key       a key
  /// \param fallback  the value if it is absent
  bool boolean_or(std::string_view key, bool fallback) const;
  /// \brief A text.
  /// \param key  a key that must be there
  const std::string& text(std::string_view key) const;
  /// \brief An array.
  /// \param key  a key that must be there
  const Json& array(std::string_view key) const;
  /// \brief An object within this one.
  /// \param key  a key that must be there
  JsonObject object(std::string_view key) const;

 private:
  const Json* value_;
  std::string where_;
};

}  // namespace quire
