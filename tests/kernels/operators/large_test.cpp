// More rows than y and z of a grid could hold, more elements than a grid can, and places that 32 bits
// cannot count.
#include <gtest/gtest.h>

#include <cstring>
#include <numeric>

#include "kernels/add/add.h"
#include "kernels/add_bias/add_bias.h"
#include "kernels/attend/attend.h"
#include "kernels/copy_blocks/copy_blocks.h"
#include "kernels/embed/embed.h"
#include "kernels/gather_rows/gather_rows.h"
#include "kernels/linear/linear.h"
#include "kernels/rope_and_store/rope_and_store.h"
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
  const kernels::LinearShape shape{.rows = 9, .inputs = 4, .outputs = std::int64_t{1} << 30};
  expect_error([&] { kernels::linear_tiled<float>(nullptr, nullptr, nullptr, shape, nullptr); },
               {"16777216 blocks", "65535"});
}

// Where an array begins if some element of it is the first of another: so a row that is there can be
// as far from the first one as in a model that fills a card, which is not there.
template <class T>
T* array_with(T* element, std::int64_t at) {
  const auto bytes = static_cast<std::uintptr_t>(at) * sizeof(T);
  return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(element) - bytes);
}

constexpr std::int64_t kFarRow = 60000, kWide = 40000;  // together 2.4e9 elements
constexpr std::int64_t kFarSlot = 2'400'000'000;

std::vector<float> ascending(std::size_t count) {
  std::vector<float> result(count);
  std::iota(result.begin(), result.end(), 1.0f);
  return result;
}

TEST_F(LargeExtents, RowsBeyond31BitsAreFound) {
  const std::vector<float> row = ascending(kWide);
  const simt::DeviceArray<float> there(row);
  const simt::DeviceArray<std::int32_t> picked(std::vector<std::int32_t>{kFarRow});
  const float* first = array_with(there.data(), kFarRow * kWide);
  const GuardedArray<float> embedded(kWide), gathered(kWide);
  kernels::embed(embedded.data(), first, picked.data(), 1, kWide, nullptr);
  kernels::gather_rows(gathered.data(), first, picked.data(), 1, kWide, nullptr);
  EXPECT_EQ(embedded.to_host(), row);
  EXPECT_EQ(gathered.to_host(), row);
}

TEST_F(LargeExtents, SlotsBeyond31BitsAreWritten) {
  const std::vector<float> k = {1, 2}, v = {3, 4};
  const simt::DeviceArray<float> q(k), from_k(k), from_v(v), angle(std::vector<float>{1, 0});
  const simt::DeviceArray<std::int64_t> slot(std::vector<std::int64_t>{kFarSlot});
  const GuardedArray<float> keys(2), values(2);
  kernels::rope_and_store(q.data(), from_k.data(), from_v.data(), angle.data(),
                          array_with(keys.data(), 2 * kFarSlot),
                          array_with(values.data(), 2 * kFarSlot), slot.data(),
                          {.rows = 1, .heads = 1, .kv_heads = 1, .head_dim = 2}, nullptr);
  EXPECT_EQ(keys.to_host(), k);
  EXPECT_EQ(values.to_host(), v);
}

TEST_F(LargeExtents, BlocksBeyond31BitsAreCopied) {
  // Of 34 bytes, so that they are copied two bytes at a time: as many places as there can be.
  constexpr std::int64_t kPlaces = 17, kFar = kFarSlot / kPlaces;
  std::vector<float> both = ascending(kPlaces);
  const GuardedArray<float> blocks(both);
  const simt::DeviceArray<std::int32_t> pair(std::vector<std::int32_t>{kFar, kFar + 1});
  kernels::copy_blocks(array_with(reinterpret_cast<BFloat16*>(blocks.data()), kFar * kPlaces),
                       pair.data(), 1, 2 * kPlaces, nullptr);
  std::memcpy(reinterpret_cast<std::byte*>(both.data()) + 2 * kPlaces, both.data(), 2 * kPlaces);
  EXPECT_EQ(blocks.to_host(), both);
}

// The first of 16 rows of a far block, seen by itself: its value is the result.
TEST_F(LargeExtents, EveryVersionOfAttentionSeesKeysBeyond31Bits) {
  constexpr std::int64_t kBlockSize = 16, kFar = kFarSlot / kBlockSize;
  const std::vector<float> value = {3, 4};
  const simt::DeviceArray<float> q(std::vector<float>{1, 1}), k(std::vector<float>{1, 2}), v(value);
  const simt::DeviceArray<std::int32_t> table(std::vector<std::int32_t>{kFar});
  const simt::DeviceArray<kernels::AttendRow> places(std::vector<kernels::AttendRow>(1));
  const GuardedArray<float> out(2);
  const simt::DeviceArray<float> room(4);
  const kernels::AttendArguments<float> call{.q = q.data(),
                                             .k = array_with(k.data(), 2 * kFar * kBlockSize),
                                             .v = array_with(v.data(), 2 * kFar * kBlockSize),
                                             .tables = table.data(),
                                             .places = places.data(),
                                             .out = out.data(),
                                             .shape = {.rows = 1,
                                                       .heads = 1,
                                                       .kv_heads = 1,
                                                       .head_dim = 2,
                                                       .block_size = kBlockSize,
                                                       .table_width = 1,
                                                       .longest = 1}};
  kernels::attend_scores(call, room.data(), nullptr);
  EXPECT_EQ(out.to_host(), value);
  kernels::attend_online(call, nullptr);
  EXPECT_EQ(out.to_host(), value);
  kernels::attend_split(call, room.data(), nullptr);
  EXPECT_EQ(out.to_host(), value);
}

}  // namespace
}  // namespace quire::test
