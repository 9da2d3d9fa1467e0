// More rows than y and z of a grid could hold, and more elements than a grid can.
#include <gtest/gtest.h>

#include <numeric>

#include "kernels/add/add.h"
#include "kernels/add_bias/add_bias.h"
#include "kernels/gather_rows/gather_rows.h"
#include "tests/kernels/support/guarded_array.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

using LargeExtents = KernelTest;

constexpr std::size_t kManyRows = 65536 + 7;

TEST_F(LargeExtents, MoreRowsThanAGridIsWideAreAllGathered) {
  std::vector<std::int32_t> picked(kManyRows);
  std::iota(picked.rbegin(), picked.rend(), 0);
  std::vector<float> x(picked.begin(), picked.end());
  const simt::DeviceArray<std::int32_t> rows(picked);
  const simt::DeviceArray<float> in(x);
  const GuardedArray<float> out(kManyRows);
  kernels::gather_rows(out.data(), in.data(), rows.data(), kManyRows, 1, nullptr);
  std::reverse(x.begin(), x.end());
  EXPECT_EQ(out.to_host(), x);
}

TEST_F(LargeExtents, MoreRowsThanAGridIsWideAllGetTheirBias) {
  const GuardedArray<float> out(std::vector<float>(kManyRows, 1.0f));
  const simt::DeviceArray<float> bias(std::vector<float>{2});
  kernels::add_bias<float>(out.data(), bias.data(), kManyRows, 1, nullptr);
  EXPECT_EQ(out.to_host(), std::vector<float>(kManyRows, 3.0f));
}

TEST_F(LargeExtents, WhatNoGridCoversIsRefusedBeforeAnythingIsRead) {
  expect_error([] { kernels::add(nullptr, nullptr, std::int64_t{1} << 40, nullptr); },
               {"4294967296 blocks", "2147483647"});
}

}  // namespace
}  // namespace quire::test
