#include "tests/support/shell.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <array>
#include <cstdio>

namespace quire::test {

Result shell(const std::string& command) {
  FILE* pipe = popen(fmt::format("{{ {}; }} 2>&1", command).c_str(), "r");
  Result result;
  std::array<char, 4096> part{};
  while (const std::size_t n = std::fread(part.data(), 1, part.size(), pipe)) {
    result.output.append(part.data(), n);
  }
  const int status = pclose(pipe);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return result;
}

}  // namespace quire::test
