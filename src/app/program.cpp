#include "src/app/program.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string>
#include <string_view>

#include "src/app/output.h"
#include "src/core/error.h"

namespace quire {
namespace {

bool is_control(unsigned char c) {
  return c < 0x20 || c == 0x7f;
}

// The text with control characters escaped: a name from a file or a command line can neither break
// the line nor steer the terminal. U+0080 to U+009F are two bytes, of which the first is C2.
std::string one_line(std::string_view text) {
  std::string line;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const auto c = static_cast<unsigned char>(text[at]);
    const auto next = static_cast<unsigned char>(at + 1 < text.size() ? text[at + 1] : '\0');
    if (c == '\n') {
      line += "\\n";
    } else if (is_control(c)) {
      line += fmt::format("\\x{:02x}", c);
    } else if (c == 0xc2 && 0x80 <= next && next < 0xa0) {
      line += fmt::format("\\u{:04x}", next);
      ++at;
    } else {
      line += text[at];
    }
  }
  return line;
}

int report(std::string_view message) {
  // Not fmt::print: it throws where standard error is closed.
  const std::string line = fmt::format("error: {}\n", one_line(message));
  std::fwrite(line.data(), 1, line.size(), stderr);
  return kFailure;
}

void parse_and_run(Arguments& arguments, int argc, char** argv, const std::function<void()>& body) {
  if (!arguments.parse(argc, argv)) return write_out(arguments.help());
  body();
  flush_out();
}

}  // namespace

int run(Arguments& arguments, int argc, char** argv, const std::function<void()>& body) {
  // A closed pipe becomes an error of the write that meets it, which knows what to do.
  std::signal(SIGPIPE, SIG_IGN);
  try {
    parse_and_run(arguments, argc, argv, body);
    return kSuccess;
  } catch (const OutputClosed&) {
    return kSuccess;
  } catch (const Error& error) {
    return report(error.what());
  } catch (const std::bad_alloc&) {
    return report("there is not enough memory for this; try a smaller model, context or batch");
  } catch (const std::exception& error) {
    return report(fmt::format("something unforeseen: {}", error.what()));
  }
}

}  // namespace quire
