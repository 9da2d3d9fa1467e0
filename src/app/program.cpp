#include "src/app/program.h"

#include <fmt/format.h>

#include <csignal>
#include <cstdio>
#include <exception>
#include <new>
#include <string_view>

#include "src/app/output.h"
#include "src/core/error.h"

namespace quire {
namespace {

int report(std::string_view message) {
  // Not fmt::print: it throws where standard error is closed.
  const std::string line = fmt::format("error: {}\n", message);
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
