/// \file
/// \brief Chapter 05: looking up what a user named, and listing what there is.
#pragma once

#include <fmt/ranges.h>

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {

/// \brief A name as names are compared: small letters, spaces as hyphens.
/// \param name  any text
inline std::string plain_name(std::string_view name) {
  std::string plain;
  for (const char c : name) {
    plain += c == ' ' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return plain;
}

/// \brief The element of a list that has a name.
/// \tparam List   of elements with a member `name`
/// \param option  what gave the name, for messages
/// \param name    in letters of any size
/// \param list    what there is; must outlive the result
/// \throws Error that lists the names
template <class List>
const auto& find_named(std::string_view option, std::string_view name, const List& list) {
  std::vector<std::string_view> names;
  for (const auto& element : list) {
    if (plain_name(element.name) == plain_name(name)) return element;
    names.push_back(element.name);
  }
  fail("{} is {}; there are {}", option, in_quotes(name), fmt::join(names, ", "));
}

}  // namespace quire
