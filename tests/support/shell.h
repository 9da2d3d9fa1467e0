/// \file
/// \brief Running programs as a user would.
#pragma once

#include <cstdint>
#include <string>

namespace quire::test {

/// \brief What came of a command.
struct Result {
  int status = -1;               ///< its exit status, -1 if it crashed
  std::string output;            ///< standard output, then or mixed with standard error
  std::uint64_t peak_bytes = 0;  ///< the most resident memory of one of its processes
};

/// \brief Runs a command in a shell.
/// \param command  both its streams are caught unless it redirects them
Result shell(const std::string& command);

}  // namespace quire::test
