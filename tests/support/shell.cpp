#include "tests/support/shell.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "src/core/error.h"

namespace quire::test {
namespace {

// Starts a shell whose streams both go to a file.
pid_t start(const std::string& command, int file) {
  posix_spawn_file_actions_t streams;
  posix_spawn_file_actions_init(&streams);
  posix_spawn_file_actions_adddup2(&streams, file, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&streams, file, STDERR_FILENO);
  std::array<std::string, 3> words = {"sh", "-c", command};
  const std::array<char*, 4> arguments = {words[0].data(), words[1].data(), words[2].data(),
                                          nullptr};
  pid_t process = 0;
  const int error = posix_spawn(&process, "/bin/sh", &streams, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&streams);
  require(error == 0, "no shell can be started: error {}", error);
  return process;
}

}  // namespace

Result shell(const std::string& command) {
  std::array<int, 2> pipe{};
  require(pipe2(pipe.data(), O_CLOEXEC) == 0, "there is no pipe to be had");
  const pid_t process = start(command, pipe[1]);
  ::close(pipe[1]);
  Result result;
  std::array<char, 4096> part{};
  for (ssize_t n; (n = ::read(pipe[0], part.data(), part.size())) > 0;) {
    result.output.append(part.data(), static_cast<std::size_t>(n));
  }
  ::close(pipe[0]);
  int status = 0;
  rusage usage{};
  wait4(process, &status, 0, &usage);
  result.status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  result.peak_bytes = static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
  return result;
}

}  // namespace quire::test
