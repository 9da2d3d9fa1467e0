#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "tests/ops/device_tensor.h"
#include "tests/ops/ops_test.h"
#include "tests/ops/oracle.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

struct RopeCase {
  Index heads, kv_heads, head_dim;
  DType dtype = DType::f32;
};

// Each row's cosines and sines, as the operator takes them.
std::vector<float> rotation_of(const std::vector<double>& angles, std::size_t half) {
  std::vector<float> rotation;
  for (std::size_t row = 0; row < angles.size(); row += half) {
    for (std::size_t i = 0; i < half; ++i) {
      rotation.push_back(static_cast<float>(std::cos(angles[row + i])));
    }
    for (std::size_t i = 0; i < half; ++i) {
      rotation.push_back(static_cast<float>(std::sin(angles[row + i])));
    }
  }
  return rotation;
}

std::unique_ptr<DeviceTensor> device_slots(Ops& ops, const std::vector<std::int64_t>& slots) {
  const TestTensor host({static_cast<Index>(slots.size())}, DType::i64);
  std::copy(slots.begin(), slots.end(), host.values<std::int64_t>().begin());
  return std::make_unique<DeviceTensor>(ops, host.tensor());
}

class RopeAndStore : public OpsTest {
 protected:
  // Everything that one call takes and gives; rows go to slots in a scrambled order.
  struct Call {
    Call(Ops& ops, TestRandom& random, const RopeCase& c, const std::vector<int>& positions)
        : rows(static_cast<Index>(positions.size())),
          q(random_tensor(random, {rows, c.heads, c.head_dim})),
          k(random_tensor(random, {rows, c.kv_heads, c.head_dim})),
          v(random_tensor(random, {rows, c.kv_heads, c.head_dim})),
          angles(rope_angles(positions, static_cast<int>(c.head_dim))),
          device_q(ops, q.tensor()),
          device_k(ops, k.tensor()),
          device_v(ops, v.tensor()),
          rotation(ops, {rows, 2, c.head_dim / 2}, DType::f32,
                   rotation_of(angles, static_cast<std::size_t>(c.head_dim / 2))),
          stored_k(ops, {3 * rows + 2, c.kv_heads, c.head_dim}, c.dtype),
          stored_v(ops, {3 * rows + 2, c.kv_heads, c.head_dim}, c.dtype) {
      for (Index row = 0; row < rows; ++row) slots.push_back(3 * (rows - 1 - row) + 1);
      device_slots_of_rows = device_slots(ops, slots);
      ops.rope_and_store(device_q, device_k, device_v, rotation,
                         {stored_k, stored_v, *device_slots_of_rows});
    }

    // The stored rows, in the order of the step's rows.
    std::vector<float> gathered(const DeviceTensor& stored) const {
      const TestTensor host = stored.download();
      std::vector<float> result;
      for (const Index slot : slots) {
        const auto row = floats_of(host.tensor().rows(slot, 1));
        result.insert(result.end(), row.begin(), row.end());
      }
      return result;
    }

    Index rows;
    TestTensor q, k, v;
    std::vector<double> angles;
    DeviceTensor device_q, device_k, device_v, rotation, stored_k, stored_v;
    std::vector<std::int64_t> slots;
    std::unique_ptr<DeviceTensor> device_slots_of_rows;
  };

  static RopeShape shape(Index heads, const RopeCase& c) {
    return {static_cast<std::size_t>(heads), static_cast<std::size_t>(c.head_dim)};
  }

  Oracle rotated(const TestTensor& x, Index heads, const RopeCase& c,
                 const std::vector<double>& angles, Pairing pairing = Pairing::half_split) {
    const auto numbers = numbers_of(x);
    return rope_oracle(numbers, shape(heads, c), angles, unit(), pairing);
  }

  // What the storage format makes of an oracle: rounded once more.
  static Oracle stored(Oracle oracle, DType dtype) {
    if (dtype == DType::f32) return oracle;
    for (std::size_t i = 0; i < oracle.values.size(); ++i) {
      oracle.slack[i] += unit_of(dtype) * (std::fabs(oracle.values[i]) + oracle.slack[i]);
      // Below 2^-14 a half is a multiple of 2^-24.
      if (dtype == DType::f16) oracle.slack[i] += 0x1p-25;
    }
    return oracle;
  }
};

QUIRE_ON_ALL_OPS(RopeAndStore);

const std::vector<RopeCase> kCases = {{1, 1, 2},
                                      {3, 1, 8},
                                      {14, 2, 32},
                                      {28, 4, 64},
                                      {6, 3, 80},
                                      {2, 2, 256},
                                      {4, 2, 6},
                                      {3, 1, 64, DType::f16},
                                      {4, 4, 10, DType::bf16}};
const std::vector<int> kPositions = {0, 1, 2, 7, 63, 64, 1000, 4095};

TEST_P(RopeAndStore, QueriesAreTurnedByTheirPositionsInHalfSplitPairs) {
  for (const RopeCase& c : kCases) {
    TestRandom random(static_cast<std::uint64_t>(c.head_dim));
    const Call call(ops(), random, c, kPositions);
    EXPECT_TRUE(within_slack(call.device_q.floats(), rotated(call.q, c.heads, c, call.angles)))
        << c.heads << " heads of " << c.head_dim;
  }
}

TEST_P(RopeAndStore, KeysAreTurnedAndRoundedIntoTheirSlots) {
  for (const RopeCase& c : kCases) {
    TestRandom random(static_cast<std::uint64_t>(c.head_dim));
    const Call call(ops(), random, c, kPositions);
    const Oracle keys = rotated(call.k, c.kv_heads, c, call.angles);
    const StoredAs format(c.dtype);
    EXPECT_TRUE(within_slack(call.gathered(call.stored_k), stored(keys, c.dtype)))
        << c.kv_heads << " heads of " << c.head_dim;
  }
}

TEST_P(RopeAndStore, ValuesAreStoredAsTheyAreRoundedOnce) {
  for (const RopeCase& c : kCases) {
    TestRandom random(static_cast<std::uint64_t>(c.head_dim));
    const Call call(ops(), random, c, kPositions);
    std::vector<double> values = numbers_of(call.v);
    for (double& x : values) x = stored_as(c.dtype, x);
    const StoredAs format(c.dtype);
    EXPECT_CLOSE(call.gathered(call.stored_v), values, 0);
  }
}

TEST_P(RopeAndStore, NoOtherSlotIsWrittenAndKeysAreLeftAsTheyWere) {
  TestRandom random;
  const Call call(ops(), random, {4, 2, 8}, {5, 6, 7});
  for (const DeviceTensor* stored : {&call.stored_k, &call.stored_v}) {
    const TestTensor host = stored->download();
    for (Index slot = 0; slot < host.tensor().extent(0); ++slot) {
      const bool is_ours = slot % 3 == 1 && slot < 9;
      for (const float x : floats_of(host.tensor().rows(slot, 1))) {
        EXPECT_EQ(std::isnan(x), !is_ours) << "slot " << slot;
      }
    }
  }
  EXPECT_CLOSE(call.device_k.floats(), numbers_of(call.k), 0);
}

TEST_P(RopeAndStore, PositionZeroIsNotTurnedAtAll) {
  TestRandom random;
  const Call call(ops(), random, {3, 1, 64}, {0});
  EXPECT_CLOSE(call.device_q.floats(), numbers_of(call.q), 0);
  EXPECT_CLOSE(call.gathered(call.stored_k), numbers_of(call.k), 0);
}

TEST_P(RopeAndStore, ARowDependsOnThatRowAlone) {
  const RopeCase c{3, 1, 10};
  TestRandom random;
  const Call call(ops(), random, c, {3, 40, 41, 1000});
  const std::vector<float> keys = call.gathered(call.stored_k);
  for (Index row = 0; row < 4; ++row) {
    const DeviceTensor q(ops(), call.q.tensor().rows(row, 1));
    const DeviceTensor k(ops(), call.k.tensor().rows(row, 1));
    const DeviceTensor v(ops(), call.v.tensor().rows(row, 1));
    const DeviceTensor rotation(ops(), call.rotation.download().tensor().rows(row, 1));
    const DeviceTensor stored_k(ops(), {1, 1, 10}), stored_v(ops(), {1, 1, 10});
    ops().rope_and_store(q, k, v, rotation, {stored_k, stored_v, *device_slots(ops(), {0})});
    const auto first = keys.begin() + row * 10;
    EXPECT_CLOSE(stored_k.floats(), std::vector<float>(first, first + 10), 0);
    EXPECT_CLOSE(q.floats(), floats_of(call.device_q.download().tensor().rows(row, 1)), 0);
  }
}

TEST_P(RopeAndStore, InterleavedPairsAreNoticed) {
  for (const RopeCase& c : kCases) {
    // A head of one pair is the same in both.
    if (c.head_dim == 2) continue;
    TestRandom random;
    const Call call(ops(), random, c, {1, 2, 3});
    const auto wrong = rotated(call.q, c.heads, c, call.angles, Pairing::interleaved);
    EXPECT_FALSE(within_slack(call.device_q.floats(), wrong)) << c.head_dim;
  }
}

TEST_P(RopeAndStore, APositionThatIsOneOffIsNoticed) {
  const RopeCase c{2, 1, 64};
  TestRandom random;
  const Call call(ops(), random, c, {1000});
  const auto wrong = rope_angles(std::vector<int>{1001}, 64);
  EXPECT_FALSE(within_slack(call.device_q.floats(), rotated(call.q, 2, c, wrong)));
}

TEST_P(RopeAndStore, NoRowsAreNoWork) {
  TestRandom random;
  const Call call(ops(), random, {4, 2, 8}, {});
  EXPECT_EQ(ops().counters(), Counters());
}

TEST_P(RopeAndStore, BillsThreeFlopsForEachElementOfQAndK) {
  TestRandom random;
  const Call call(ops(), random, {4, 2, 8, DType::bf16}, {0, 1, 2});
  // q: 3 x 4 x 8 = 96 elements, k and v: 48 each; angles: 3 x 8; slots: 3 x 8 bytes.
  expect_bill(Operator::rope_and_store, {.flops = 3 * (96 + 48),
                                         .bytes_read = (96 + 48 + 48 + 24) * 4 + 24,
                                         .bytes_written = 96 * 4 + 2 * 48 * 2});
}

TEST_P(RopeAndStore, WrongArgumentsAreNamed) {
  const DeviceTensor q(ops(), {2, 4, 8}), k(ops(), {2, 2, 8}), v(ops(), {2, 2, 8});
  const DeviceTensor rotation(ops(), {2, 2, 4}), pool(ops(), {5, 2, 8}), flat(ops(), {2, 32});
  const DeviceTensor odd(ops(), {2, 4, 7}), short_k(ops(), {2, 2, 6}),
      halves(ops(), {5, 2, 8}, DType::f16);
  const DeviceTensor few(ops(), {1, 2, 4}), other(ops(), {5, 1, 8}),
      integers(ops(), {5, 2, 8}, DType::i32);
  const auto rows = device_slots(ops(), {0, 1}), one = device_slots(ops(), {0});
  const KvSlots slots{pool, pool, *rows};
  const auto refused = [&](Tensor a, ConstTensor b, ConstTensor c, ConstTensor d, KvSlots e,
                           std::initializer_list<std::string_view> parts) {
    expect_error([&] { ops().rope_and_store(a, b, c, d, e); }, parts);
  };
  refused(flat, k, v, rotation, slots,
          {"rope_and_store", "q", "[2, 32]", "[rows, heads, head_dim]"});
  refused(odd, k, v, rotation, slots, {"rope_and_store", "head_dim", "7", "even"});
  refused(q, short_k, v, rotation, slots, {"rope_and_store", "k", "[2, 2, 6]", "[2, 2, 8]"});
  refused(q, k, short_k, rotation, slots, {"rope_and_store", "v", "[2, 2, 6]", "[2, 2, 8]"});
  refused(q, k, v, few, slots, {"rope_and_store", "rotation", "[1, 2, 4]", "[2, 2, 4]"});
  refused(q, k, v, rotation, {pool, pool, *one}, {"rope_and_store", "slots.of_rows", "I64 [2]"});
  refused(q, k, v, rotation, {other, pool, *rows}, {"rope_and_store", "slots.k", "[5, 1, 8]"});
  refused(q, k, v, rotation, {pool, halves, *rows}, {"rope_and_store", "slots.v", "F16", "F32"});
  refused(q, k, v, rotation, {integers, integers, *rows},
          {"rope_and_store", "slots.k", "I32", "F32, F16 or BF16"});
  EXPECT_EQ(ops().counters(), Counters()) << "a refused call does no work";
}

}  // namespace
}  // namespace quire::test
