// A block whose elements lie beyond what 32 bits can count is a block like any other.
#include <gtest/gtest.h>
#include <sys/mman.h>

#include <cmath>

#include "tests/ops/device_tensor.h"
#include "tests/ops/keys_and_values.h"
#include "tests/ops/ops_test.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr int kFar = 1 << 20, kBlockSize = 256;
constexpr Index kSlots = (Index{kFar} + 1) * kBlockSize;
constexpr int kHeadDim = 8;

// [kSlots, 1, kHeadDim] of floats, 8 GiB of zeros; only pages that are touched take memory.
class VastStorage {
 public:
  VastStorage()
      : memory_(mmap(nullptr, kBytes, PROT_READ | PROT_WRITE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)) {}
  ~VastStorage() {
    if (is_there()) munmap(memory_, kBytes);
  }
  VastStorage(const VastStorage&) = delete;
  VastStorage& operator=(const VastStorage&) = delete;

  bool is_there() const { return memory_ != MAP_FAILED; }
  Tensor tensor() const {
    return {static_cast<std::byte*>(memory_), DType::f32, {kSlots, 1, kHeadDim}};
  }
  // The rows of a block, from its first one on.
  Tensor rows(int block, Index count) const {
    return tensor().rows(to_int(slot_of(BlockId{block}, kBlockSize, 0)), count);
  }

 private:
  static constexpr std::size_t kBytes = std::size_t{kSlots} * kHeadDim * sizeof(float);

  void* memory_;
};

class FarBlocks : public OpsTest {
 protected:
  void SetUp() override {
    OpsTest::SetUp();
    if (GetParam().name == "gpu") GTEST_SKIP() << "this storage is in the host's memory";
    if (!k.is_there() || !v.is_there()) GTEST_SKIP() << "no 16 GiB of addresses are to be had";
  }

  VastStorage k, v;
};

QUIRE_ON_ALL_OPS(FarBlocks);

TEST_P(FarBlocks, AreAttendedToLikeNearOnes) {
  TestRandom random;
  const KeysAndValues known(random, {2, 1, kHeadDim}, DType::f32, {5});
  const std::vector<Span> spans = {
      {.sequence = SequenceId{0}, .first_row = 0, .rows = 1, .context = 4}};
  assign(k.rows(kFar, 5), known.k[0]);
  assign(v.rows(kFar, 5), known.v[0]);
  const std::vector<float> query(known.q[0].end() - 2 * kHeadDim, known.q[0].end());
  const DeviceTensor q(ops(), {1, 2, kHeadDim}, DType::f32, query);
  const DeviceTensor out(ops(), {1, 2, kHeadDim}), table(ops(), {1, 1}, DType::i32);
  ops().upload(&kFar, table);
  const auto scale = static_cast<float>(1 / std::sqrt(kHeadDim));
  ops().attend(q, {k.tensor(), v.tensor(), kBlockSize, table, spans}, {.scale = scale}, out);
  EXPECT_EQ(out.floats(), attend(ops(), known, spans));
}

TEST_P(FarBlocks, AreStoredToLikeNearOnes) {
  TestRandom random;
  const TestTensor row = random_tensor(random, {1, 1, kHeadDim});
  const std::vector<float> unturned = {1, 1, 1, 1, 0, 0, 0, 0};
  const DeviceTensor q(ops(), row.tensor()), keys(ops(), row.tensor()), values(ops(), row.tensor());
  const DeviceTensor rotation(ops(), {1, 2, kHeadDim / 2}, DType::f32, unturned);
  const DeviceTensor slot(ops(), {1}, DType::i64);
  const Index last = kSlots - 1;
  ops().upload(&last, slot);
  ops().rope_and_store(q, keys, values, rotation, {k.tensor(), v.tensor(), slot});
  q.floats();  // waits until all is stored
  EXPECT_EQ(floats_of(k.tensor().rows(last, 1)), floats_of(row));
  EXPECT_EQ(floats_of(v.tensor().rows(last, 1)), floats_of(row));
}

TEST_P(FarBlocks, AreCopiedLikeNearOnes) {
  TestRandom random;
  const TestTensor block = random_tensor(random, {kBlockSize, 1, kHeadDim});
  assign(k.rows(3, kBlockSize), floats_of(block));
  const DeviceTensor pairs(ops(), {2, 2}, DType::i32);
  const std::int32_t there_and_back[] = {3, kFar, kFar, 1};
  ops().upload(there_and_back, pairs);
  ops().copy_blocks(k.tensor(), pairs, kBlockSize);
  pairs.download();  // waits until all is copied
  EXPECT_EQ(floats_of(k.rows(kFar, kBlockSize)), floats_of(block));
  EXPECT_EQ(floats_of(k.rows(1, kBlockSize)), floats_of(block));
}

TEST_P(FarBlocks, AreGatheredFromLikeNearOnes) {
  TestRandom random;
  const TestTensor row = random_tensor(random, {1, 1, kHeadDim});
  assign(k.tensor().rows(kSlots - 1, 1), floats_of(row));
  const Tensor all(k.tensor().bytes(), DType::f32, {kSlots, kHeadDim});
  const auto picked = device_ids(ops(), {static_cast<std::int32_t>(kSlots - 1)});
  const DeviceTensor out(ops(), {1, kHeadDim});
  ops().gather_rows(all, *picked, out);
  EXPECT_EQ(out.floats(), floats_of(row));
}

}  // namespace
}  // namespace quire::test
