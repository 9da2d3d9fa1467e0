// What CUDA's functions do, in four orders of the threads; the same tests run on a GPU.
#include "tests/kernels/simt/features.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "kernels/simt/device_array.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using namespace simt_kernels;

using Features = KernelTest;

std::vector<int> integers(std::size_t count, std::uint64_t salt) {
  TestRandom random(salt);
  std::vector<int> result(count);
  for (int& x : result) x = static_cast<int>(random.below(1000));
  return result;
}

std::vector<float> floats(std::size_t count, std::uint64_t salt) {
  const std::vector<int> whole = integers(count, salt);
  return {whole.begin(), whole.end()};
}

// What a kernel makes of some input: `kernel(out, in)`, both in device memory.
template <class T, class Kernel>
std::vector<T> result_of(Kernel kernel, const std::vector<T>& in, std::size_t out_size) {
  const simt::DeviceArray<T> device_in(in), out(out_size);
  kernel(out.data(), device_in.data());
  return out.to_host();
}

TEST_F(Features, EveryThreadOfEveryBlockRunsOnceAndKnowsItsIndices) {
  in_every_order([](std::uint64_t) {
    const int blocks_x = 5;
    const simt::DeviceArray<int> out(blocks_x * 3 * 2 * 24);
    write_indices(out.data(), blocks_x);
    std::vector<int> expected(blocks_x * 3 * 2 * 24);
    std::iota(expected.begin(), expected.end(), 0);
    EXPECT_EQ(out.to_host(), expected);
  });
}

// Blocks of so many threads reverse their numbers through shared memory.
void expect_reversed(int threads, std::uint64_t salt) {
  const int blocks = 7;
  const std::size_t size = static_cast<std::size_t>(blocks) * static_cast<std::size_t>(threads);
  const std::vector<float> in = floats(size, salt);
  std::vector<float> expected = in;
  for (auto block = expected.begin(); block != expected.end(); block += threads) {
    std::reverse(block, block + threads);
  }
  const auto dynamic = [&](float* out, const float* from) {
    reverse_dynamic(out, from, blocks, threads);
  };
  EXPECT_EQ(result_of(dynamic, in, size), expected) << threads << " threads";
  if (threads != 128) return;
  const auto fixed = [&](float* out, const float* from) { reverse_static(out, from, blocks); };
  EXPECT_EQ(result_of(fixed, in, size), expected);
}

TEST_F(Features, ABarrierLetsAllThreadsSeeWhatAllHaveWritten) {
  in_every_order([](std::uint64_t salt) {
    for (const int threads : {1, 31, 33, 128}) expect_reversed(threads, salt);
  });
}

TEST_F(Features, ABarrierOfTheLargestBlock) {
  in_every_order([](std::uint64_t salt) { expect_reversed(1024, salt); });
}

TEST_F(Features, AShuffleTakesTheValueOfItsLaneWithinItsSegment) {
  in_every_order([](std::uint64_t salt) {
    const std::vector<int> in = integers(32, salt);
    const std::vector<int> out = result_of(shuffles, in, std::size_t{5} * 32);
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned segment = lane / 8 * 8, place = lane % 8;
      EXPECT_EQ(out[lane], in[segment + 3]) << "from lane 3, lane " << lane;
      EXPECT_EQ(out[32 + lane], in[place + 2 < 8 ? lane + 2 : lane]) << "down, lane " << lane;
      EXPECT_EQ(out[64 + lane], in[place >= 3 ? lane - 3 : lane]) << "up, lane " << lane;
      EXPECT_EQ(out[96 + lane], in[segment + (place ^ 5)]) << "xor, lane " << lane;
      EXPECT_EQ(out[128 + lane], in[lane ^ 16]) << "xor of the warp, lane " << lane;
    }
  });
}

TEST_F(Features, FourShufflesMoveAFloat4) {
  in_every_order([](std::uint64_t salt) {
    const std::vector<float> in = floats(128, salt);
    const std::vector<float> out = result_of(shuffle_struct, in, 128);
    for (std::size_t i = 0; i < 128; ++i) EXPECT_EQ(out[i], in[(31 - i / 4) * 4 + i % 4]);
  });
}

TEST_F(Features, HalvesOfAWarpWithMasksOfTheirOwnDoNotWaitForEachOther) {
  in_every_order([](std::uint64_t salt) {
    const std::vector<int> in = integers(32, salt);
    const int lower = std::accumulate(in.begin(), in.begin() + 16, 0);
    const int upper = std::accumulate(in.begin() + 16, in.end(), 0);
    std::vector<int> expected(32, lower);
    std::fill(expected.begin() + 16, expected.end(), 4 * upper);
    EXPECT_EQ(result_of(half_warps, in, 32), expected);
  });
}

TEST_F(Features, ABarrierOfAMaskIsABarrierForItsLanesAlone) {
  in_every_order([](std::uint64_t salt) {
    const std::vector<int> in = integers(32, salt);
    std::vector<int> expected = in;
    for (auto group = expected.begin(); group != expected.end(); group += 8) {
      std::reverse(group, group + 8);
    }
    EXPECT_EQ(result_of(group_barriers, in, 32), expected);
  });
}

TEST_F(Features, VotesAndReductionsSeeAllLanes) {
  in_every_order([](std::uint64_t salt) {
    std::vector<int> in = integers(32, salt);
    for (std::size_t i = 0; i < 32; i += 3) in[i] = -in[i];
    const std::vector<int> out = result_of(votes, in, std::size_t{6} * 32);
    unsigned positive = 0;
    for (unsigned i = 0; i < 32; ++i) positive |= (in[i] > 0 ? 1u : 0u) << i;
    for (std::size_t lane = 0; lane < 32; ++lane) {
      EXPECT_EQ(out[lane], static_cast<int>(positive));
      EXPECT_EQ(out[32 + lane], 1) << "one lane has the value of lane 7";
      EXPECT_EQ(out[64 + lane], 0) << "not all have";
      EXPECT_EQ(out[96 + lane], std::accumulate(in.begin(), in.end(), 0));
      EXPECT_EQ(out[128 + lane], *std::min_element(in.begin(), in.end()));
      EXPECT_EQ(out[160 + lane], *std::max_element(in.begin(), in.end()));
    }
  });
}

TEST_F(Features, ABarrierCountsTheThreadsThatHaveNotEnded) {
  in_every_order([](std::uint64_t) {
    const int thresholds = 66;
    const simt::DeviceArray<int> device(std::size_t{thresholds} * 3);
    block_votes(device.data(), thresholds);
    const std::vector<int> out = device.to_host();
    for (int threshold = 0; threshold < thresholds; ++threshold) {
      const auto at = static_cast<std::size_t>(threshold) * 3;
      EXPECT_EQ(out[at], std::min(threshold, 64));
      EXPECT_EQ(out[at + 1] != 0, threshold > 0);
      EXPECT_EQ(out[at + 2] != 0, threshold >= 64);
    }
  });
}

TEST_F(Features, ThreadsThatHaveEndedAreNotWaitedFor) {
  in_every_order([](std::uint64_t salt) {
    const std::vector<float> in = floats(128, salt);
    for (const int live : {1, 31, 64, 127, 128}) {
      const auto sum =
          result_of([&](float* out, const float* from) { early_exit(out, from, live); }, in, 1);
      EXPECT_EQ(sum[0], std::accumulate(in.begin(), in.begin() + live, 0.0f)) << live;
    }
  });
}

TEST_F(Features, AtomicsLoseNothing) {
  in_every_order([](std::uint64_t) {
    const simt::DeviceArray<int> out(std::vector<int>{0, -1, 1000, 0, 0, 0});
    const simt::DeviceArray<float> sum(std::vector<float>{0.0f});
    atomics(out.data(), sum.data());
    EXPECT_EQ(out.to_host(), (std::vector<int>{256, 100, 7, 31, 1, 356}));
    EXPECT_EQ(sum.to_host()[0], 128.0f);
  });
}

TEST_F(Features, VectorsAreReadAndWrittenAtOnce) {
  in_every_order([](std::uint64_t salt) {
    const std::size_t fours = 97;
    const std::vector<float> in = floats(fours * 4, salt);
    const auto out =
        result_of([&](float* to, const float* from) { vectors(to, from, static_cast<int>(fours)); },
                  in, fours * 4);
    for (std::size_t i = 0; i < in.size(); ++i)
      EXPECT_EQ(out[i], in[(fours - 1 - i / 4) * 4 + i % 4]);
  });
}

}  // namespace
}  // namespace quire::test
