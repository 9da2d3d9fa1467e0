#include <fmt/format.h>

#include <new>
#include <string>

#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/core/error.h"

namespace {

using namespace quire;

void act(const std::string& deed, const Options& options) {
  if (deed == "fail") fail("the moon is {}, expected cheese", "rock");
  if (deed == "allocate") throw std::bad_alloc();
  if (deed == "surprise") throw std::length_error("a vector of -1");
  if (deed == "flood") {
    for (int line = 0; line < 1000000; ++line) write_out("a line of text\n");
  }
  if (deed == "wave") write_out(std::string(1 << 20, 'x'));
  if (deed == "print") std::fputs("a line of text\n", stdout);
  if (deed == "show") {
    write_json({{"model", options.model.string()},
                {"prompt", options.prompt},
                {"max_tokens", options.max_tokens.value_or(-1)},
                {"temperature", options.sampling.temperature},
                {"seed", options.sampling.seed},
                {"threads", options.device.threads}});
  }
}

}  // namespace

int main(int argc, char** argv) {
  Arguments arguments("Shows how programs behave");
  Options options;
  add_all_options(arguments, options);
  std::string deed = "show";
  arguments.text("--deed", "WHAT", deed, "what to do");
  return run(arguments, argc, argv, [&] { act(deed, options); });
}
