/// \file
/// \brief Expecting an Error, and that its message says the salient words.
#pragma once

#include <gtest/gtest.h>

#include <initializer_list>
#include <string>
#include <string_view>

#include "src/core/error.h"

namespace quire::test {

/// \brief The message of the Error that a function throws; a failure if it throws none.
/// \param function  called without arguments
template <class Function>
std::string error_of(Function function) {
  try {
    function();
  } catch (const Error& error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

/// \brief Expects a function to throw an Error whose message has every one of some words.
/// \param function  called without arguments
/// \param words     parts of the message
template <class Function>
void expect_error(Function function, std::initializer_list<std::string_view> words) {
  const std::string message = error_of(function);
  for (const std::string_view word : words) {
    EXPECT_NE(message.find(word), std::string::npos)
        << "the message lacks \"" << word << "\": " << message;
  }
}

}  // namespace quire::test
