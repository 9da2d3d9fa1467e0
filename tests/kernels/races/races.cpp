#include "tests/kernels/races/races.h"

#include <gtest/gtest.h>
#include <sanitizer/common_interface_defs.h>

#include <array>
#include <cstring>
#include <utility>

namespace quire::test {
namespace {

using Stack = std::array<void*, 16>;
using Race = std::array<Stack, 2>;

// A report must not allocate: memory that another thread gave back would be a race of its own, which
// waits for this report to end.
struct Races {
  std::array<Race, 256> found;
  std::size_t count = 0;  // those beyond the array are not kept
};

Races& races() {
  static Races all;
  return all;
}

// The innermost frame of a stack that is in a kernel file, "races.cu:23".
std::string kernel_line(const Stack& stack) {
  for (void* const frame : stack) {
    if (!frame) break;
    char line[512] = "";
    // Of a return address, the call before it.
    __sanitizer_symbolize_pc(static_cast<char*>(frame) - 1, "%s:%l", line, sizeof line);
    const char* slash = std::strrchr(line, '/');
    if (std::strstr(line, ".cu")) return slash ? slash + 1 : line;
  }
  return "?";
}

class FailOnRaces : public testing::EmptyTestEventListener {
  void OnTestEnd(const testing::TestInfo&) override {
    for (const std::string& race : take_races()) ADD_FAILURE() << "a data race: " << race;
  }
};

}  // namespace

std::vector<std::string> take_races() {
  std::vector<std::string> lines;
  const std::size_t count = std::exchange(races().count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    const Race& race = races().found[i];
    lines.push_back(kernel_line(race[0]) + " " + kernel_line(race[1]));
  }
  return lines;
}

}  // namespace quire::test

// What ThreadSanitizer calls, and what it lets one ask about a report.
extern "C" {
int __tsan_get_report_mop(void* report, unsigned long index, int* thread, void** address, int* size,
                          int* write, int* atomic, void** trace, unsigned long trace_size);

void __tsan_on_report(void* report) {
  quire::test::Races& races = quire::test::races();
  if (races.count == races.found.size()) return;
  quire::test::Race& race = races.found[races.count++];
  race = {};
  for (unsigned long i = 0; i < race.size(); ++i) {
    int thread = 0, size = 0, write = 0, atomic = 0;
    void* address = nullptr;
    __tsan_get_report_mop(report, i, &thread, &address, &size, &write, &atomic, race[i].data(),
                          race[i].size());
  }
}

// The listener says what is a failure.
const char* __tsan_default_options() {
  return "exitcode=0";
}
}

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::UnitTest::GetInstance()->listeners().Append(new quire::test::FailOnRaces);
  return RUN_ALL_TESTS();
}
