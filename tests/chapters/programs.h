/// \file
/// \brief Running the chapters' programs as a reader does.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "src/core/json.h"
#include "tests/support/shell.h"

namespace quire::test {

/// \brief What a program reports with `--json`; a failure if it does not end well.
/// \param program    the program
/// \param arguments  its other arguments
inline Json run_json(const std::string& program, const std::string& arguments) {
  const Result result = shell(fmt::format("{} {} --json", program, arguments));
  EXPECT_EQ(result.status, 0) << result.output;
  return Json::parse(result.output);
}

/// \brief A text as one word of the shell.
/// \param text  any
inline std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

}  // namespace quire::test
