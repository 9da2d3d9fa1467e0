// What a launch refuses: as a GPU does, and with the numbers of its hardware.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "kernels/simt/cuda.h"
#include "kernels/simt/device_array.h"
#include "kernels/simt/launch_record.h"
#include "src/core/error.h"
#include "tests/kernels/simt/broken/broken.h"
#include "tests/kernels/simt/features.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

using simt::LaunchConfig;

__global__ void count_threads(int* count) {
  atomicAdd(count, 1);
}

int threads_of(const LaunchConfig& config) {
  int count = 0;
  simt::launch(count_threads, config, &count);
  return count;
}

TEST(Launch, TakesTheLargestBlocksOfTheHardware) {
  EXPECT_EQ(threads_of({.grid = 1, .block = 1024}), 1024);
  EXPECT_EQ(threads_of({.grid = 1, .block = dim3(1, 1024)}), 1024);
  EXPECT_EQ(threads_of({.grid = 1, .block = dim3(2, 8, 64)}), 1024);
  EXPECT_EQ(threads_of({.grid = dim3(1, 65535), .block = 1}), 65535);
  EXPECT_EQ(threads_of({.grid = dim3(70000), .block = 1}), 70000);
  EXPECT_EQ(threads_of({.grid = 1, .block = 1, .shared_bytes = 227 * 1024}), 1);
}

__global__ void meet(int* count) {
  __syncthreads();
  if (__any_sync(0xffffffffu, threadIdx.x == 5)) __syncwarp();
  if (threadIdx.x == 0) *count = 1;
}

TEST(Launch, IsRecordedWithWhatItTook) {
  int count = 0;
  const auto records = simt::record_launches([&] {
    simt::launch(meet, {.grid = dim3(3, 2), .block = dim3(64), .shared_bytes = 40}, &count);
    simt::launch(count_threads, {.grid = 1, .block = 1}, &count);
  });
  ASSERT_EQ(records.size(), 2u);
  const simt::LaunchRecord& first = records[0];
  EXPECT_EQ(first.grid, (std::array{3u, 2u, 1u}));
  EXPECT_EQ(first.block, (std::array{64u, 1u, 1u}));
  EXPECT_EQ(first.shared_bytes, 40u);
  EXPECT_EQ(first.threads, 6 * 64);
  EXPECT_EQ(first.barriers, 6);
  EXPECT_EQ(first.warp_operations, 6 * (2 + 1)) << "both warps vote, one of them meets";
  EXPECT_EQ(first.resumptions, 6 * (64 * 3 + 32)) << "to begin, and after all that was waited for";
  EXPECT_EQ(records[1].resumptions, 1);
}

TEST(Launch, IsNotRecordedOutsideOrIfItFails) {
  int count = 0;
  const auto records = simt::record_launches(
      [&] { EXPECT_THROW(simt::launch(count_threads, {.grid = 0, .block = 1}, &count), Error); });
  simt::launch(count_threads, {.grid = 1, .block = 1}, &count);
  EXPECT_TRUE(records.empty());
}

TEST(Launch, RefusesWhatTheHardwareCannot) {
  struct Bad {
    LaunchConfig config;
    std::initializer_list<std::string_view> parts;
  };
  const std::initializer_list<Bad> cases = {
      {{.grid = 1, .block = 1025}, {"1025 threads of a block along x", "1 to 1024"}},
      {{.grid = 1, .block = dim3(1, 1025)}, {"1025 threads of a block along y", "1 to 1024"}},
      {{.grid = 1, .block = dim3(1, 1, 65)}, {"65 threads of a block along z", "1 to 64"}},
      {{.grid = 1, .block = dim3(32, 33)}, {"1056 threads of a block;", "1 to 1024"}},
      {{.grid = 1, .block = 0}, {"0 threads of a block along x", "1 to 1024"}},
      {{.grid = 0, .block = 1}, {"0 blocks along x", "1 to 2147483647"}},
      {{.grid = 0x80000000u, .block = 1}, {"2147483648 blocks along x", "1 to 2147483647"}},
      {{.grid = dim3(1, 65536), .block = 1}, {"65536 blocks along y", "1 to 65535"}},
      {{.grid = dim3(1, 1, 65536), .block = 1}, {"65536 blocks along z", "1 to 65535"}},
      {{.grid = 1, .block = 1, .shared_bytes = 227 * 1024 + 1},
       {"232449 bytes of dynamic shared memory", "0 to 232448"}},
  };
  for (const Bad& bad : cases) {
    expect_error([&] { threads_of(bad.config); }, bad.parts);
  }
}

TEST(Launch, ARefusalNamesTheLaunchersFileLineAndName) {
  const simt::DeviceArray<float> numbers(1);
  expect_error([&] { simt_kernels::reverse_dynamic(numbers.data(), numbers.data(), 1, 2000); },
               {"features.cu:", "(reverse_dynamic)"});
}

__global__ void launch_again(int* count) {
  simt::launch(count_threads, {.grid = 1, .block = 1}, count);
}

TEST(Launch, AKernelCannotLaunchAKernel) {
  int count = 0;
  expect_error([&] { simt::launch(launch_again, {.grid = 1, .block = 1}, &count); },
               {"launch_test.cpp:", "a kernel cannot launch a kernel"});
  EXPECT_EQ(threads_of({.grid = 1, .block = 3}), 3) << "afterwards the emulator is as before";
}

TEST(Launch, ABarrierOutsideAKernelIsAnError) {
  expect_error([] { __syncthreads(); }, {"__syncthreads at launch_test.cpp:", "outside a kernel"});
}

__global__ void throws(int* ended) {
  struct Guard {
    int* ended;
    ~Guard() { ++*ended; }
  } guard{ended};
  if (threadIdx.x == 40) throw Error("thrown by thread 40");
  __syncthreads();
}

TEST(Launch, AnErrorInOneThreadEndsAllOthersWithTheirDestructors) {
  int ended = 0;
  expect_error([&] { simt::launch(throws, {.grid = 3, .block = 64}, &ended); },
               {"block (0,0,0), thread (40,0,0): thrown by thread 40"});
  // 41 have begun, and the others need not begin.
  EXPECT_EQ(ended, 41);
}

// --- What takes a process of its own --------------------------------------------------------------

TEST(LaunchDeathTest, AStackThatOverflowsHitsThePageBelowIt) {
  const simt::DeviceArray<float> out(1);
  EXPECT_DEATH(simt_kernels::stack_overflow(out.data(), 0.0f), "");
}

__global__ void who_is_first(int* rank) {
  atomicCAS(rank, -1, static_cast<int>(threadIdx.x));
}

int first_thread() {
  int rank = -1;
  simt::launch(who_is_first, {.grid = 1, .block = 64}, &rank);
  return rank;
}

TEST(LaunchDeathTest, TheEnvironmentSetsTheOrderUntilTheProgramDoes) {
  // A new process, whose emulator has not yet begun.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("QUIRE_THREAD_ORDER", "descending", 1);
        const int before = first_thread();
        simt::set_order(simt::Order::ascending);
        std::exit(before == 63 && first_thread() == 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        setenv("QUIRE_THREAD_ORDER", "", 1);
        std::exit(first_thread() == 0 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
  EXPECT_EXIT(
      {
        setenv("QUIRE_THREAD_ORDER", "sideways", 1);
        std::string message = error_of(first_thread);
        std::exit(message.find("sideways") == std::string::npos);
      },
      testing::ExitedWithCode(0), "");
}

TEST(LaunchDeathTest, AProgramThatSetsTheOrderDoesNotAskTheEnvironment) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(
      {
        setenv("QUIRE_THREAD_ORDER", "sideways", 1);
        simt::set_order(simt::Order::descending);
        std::exit(first_thread() == 63 ? 0 : 1);
      },
      testing::ExitedWithCode(0), "");
}

// --- Memory ---------------------------------------------------------------------------------------

TEST(Memory, FreshDeviceMemoryIsNaNAndAligned) {
  const simt::DeviceArray<float> fresh(1001);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(fresh.data()) % 256, 0u);
  for (const float x : fresh.to_host()) ASSERT_TRUE(std::isnan(x));
}

__global__ void read_shared(float* out) {
  float* shared = simt::dynamic_shared<float>();
  out[blockIdx.x * blockDim.x + threadIdx.x] = shared[threadIdx.x];
  shared[threadIdx.x] = 1.0f;
}

TEST(Memory, SharedMemoryIsNaNAtTheStartOfEveryBlock) {
  const simt::DeviceArray<float> out(256);
  simt::launch(read_shared, {.grid = 4, .block = 64, .shared_bytes = 64 * sizeof(float)},
               out.data());
  for (const float x : out.to_host()) ASSERT_TRUE(std::isnan(x));
}

}  // namespace
}  // namespace quire::test
