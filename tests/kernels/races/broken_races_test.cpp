// What ThreadSanitizer sees of kernels with data races: the lines, whatever the values.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <string>
#include <vector>

#include "kernels/simt/device_array.h"
#include "tests/kernels/races/races.h"
#include "tests/kernels/simt/broken/broken.h"

namespace quire::test {
namespace {

using namespace simt_kernels;

// The line of races.cu that has some text, as a race names it.
std::string line_with(const std::string& text) {
  std::ifstream in(QUIRE_SOURCE_DIR "/tests/kernels/simt/broken/races.cu");
  std::string line;
  for (int number = 1; std::getline(in, line); ++number) {
    if (line.find(text) != std::string::npos) return "races.cu:" + std::to_string(number);
  }
  ADD_FAILURE() << "no line with " << text;
  return {};
}

std::vector<std::string> races_of(void (*kernel)(float*, float)) {
  const simt::DeviceArray<float> out(std::vector<float>(128, 1.0f));
  kernel(out.data(), 1.0f);
  return take_races();
}

void expect_race(void (*kernel)(float*, float), const std::string& one, const std::string& other) {
  const std::vector<std::string> found = races_of(kernel);
  const std::string a = line_with(one), b = line_with(other);
  EXPECT_TRUE(std::any_of(
      found.begin(), found.end(),
      [&](const std::string& race) { return race == a + " " + b || race == b + " " + a; }))
      << "expected a race of " << a << " and " << b
      << "; found: " << (found.empty() ? "none" : found.front());
}

// The control: with its barriers the same kernel has none.
TEST(BrokenRaces, BarriersOrderWhatIsBeforeAndAfterThem) {
  EXPECT_EQ(races_of(block_sum_twice), std::vector<std::string>());
}

TEST(BrokenRaces, NoBarrierBeforeRead) {
  expect_race(no_barrier_before_read, "of_warp[warp] = value", "value = of_warp[lane % 4]");
}

TEST(BrokenRaces, NoBarrierBeforeReuse) {
  expect_race(no_barrier_before_reuse, "value = of_warp[lane % 4]", "of_warp[warp] = value");
}

TEST(BrokenRaces, NoBarrierAtAll) {
  expect_race(no_barrier_at_all, "value[threadIdx.x] = salt + static_cast",
              "out[threadIdx.x] = value[(threadIdx.x + 1) % 128]");
}

TEST(BrokenRaces, NoWarpBarrier) {
  expect_race(no_warp_barrier, "value[threadIdx.x] = salt;", "if (threadIdx.x < d)");
}

TEST(BrokenRaces, AShuffleIsNoBarrier) {
  expect_race(shuffle_for_barrier, "static_cast<float>(threadIdx.x) + salt;",
              "value[(threadIdx.x + 1) % 32] + mine");
}

TEST(BrokenRaces, AnUpdateThatIsNotAtomic) {
  expect_race(lost_update, "out[0] += 1.0f", "out[0] += 1.0f");
}

}  // namespace
}  // namespace quire::test
