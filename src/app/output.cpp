#include "src/app/output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iostream>

#include "src/core/error.h"

namespace quire {
namespace {

[[noreturn]] void fail_to_write(int reason) {
  if (reason == EPIPE) throw OutputClosed();
  fail("standard output cannot be written: {}", std::strerror(reason));
}

}  // namespace

void write_out(std::string_view text) {
  // A text beyond the buffer is written here, and fails here: the stream would keep no reason.
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stdout) < text.size()) {
    fail_to_write(errno != 0 ? errno : EIO);
  }
  flush_out();
}

void write_json(const Json& object) {
  write_out(object.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

void write_file(const std::filesystem::path& file, std::string_view content,
                std::string_view option) {
  std::ofstream out(file, std::ios::binary);
  out << content;
  out.close();
  require(!out.fail(), "cannot write {}; name another place with {}", in_quotes(file.string()),
          option);
}

void flush_out() {
  errno = 0;
  std::cout.flush();
  const bool flushed = std::fflush(stdout) == 0;
  if (flushed && std::cout && std::ferror(stdout) == 0) return;
  // An earlier write met the error; the stream keeps the fact but not the reason.
  fail_to_write(errno != 0 ? errno : EIO);
}

}  // namespace quire
