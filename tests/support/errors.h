/// \file
/// \brief Checking that a call is refused, and with what words.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "src/core/error.h"

namespace quire::test {

/// \brief What a call says when it throws an Error; a failure and nothing if it does not.
/// \tparam Call  callable without arguments
/// \param call   what should throw
template <class Call>
std::string error_of(Call call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return {};
}

/// \brief Expects that a call throws an Error whose message has all of some parts.
/// \tparam Call  callable without arguments
/// \param call   what should throw
/// \param parts  what the message must name
template <class Call>
void expect_error(Call call, std::initializer_list<std::string_view> parts) {
  const std::string message = error_of(call);
  for (const std::string_view part : parts) {
    EXPECT_NE(message.find(part), std::string::npos)
        << "\"" << part << "\" is missing in: " << message;
  }
}

}  // namespace quire::test
