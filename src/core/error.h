/// \file
/// \brief The one kind of error that Quire throws, and the two ways to throw it.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

/// \brief Everything of Quire.
namespace quire {

/// \brief A failure that a user can mend: the message says what is wrong, where, and what would be
/// right. Programs print it after `error: ` and exit with status 2.
class Error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// \brief Throws an Error with a formatted message.
/// \param format  a libfmt format string
/// \param args    what it formats
/// \throws Error always
template <class... Args>
[[noreturn]] void fail(fmt::format_string<Args...> format, Args&&... args) {
  throw Error(fmt::format(format, std::forward<Args>(args)...));
}

/// \brief Throws an Error unless a precondition holds.
/// \param holds   the precondition
/// \param format  a libfmt format string: what is wrong, where, what would be right
/// \param args    what it formats
/// \throws Error if `holds` is false
template <class... Args>
void require(bool holds, fmt::format_string<Args...> format, Args&&... args) {
  if (!holds) fail(format, std::forward<Args>(args)...);
}

}  // namespace quire
