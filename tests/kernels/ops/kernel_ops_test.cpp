// What KernelOps promises besides the contracts of Ops: its memory.
#include "kernels/ops/kernel_ops.h"

#include <gtest/gtest.h>

#include <numeric>

#include "tests/model/test_model.h"

namespace quire::test {
namespace {

// Counts what is asked of the device.
class CountingOps : public KernelOps {
 public:
  CountingOps() : KernelOps("counting") {}
  Buffer allocate(std::size_t bytes) override {
    ++allocations;
    return KernelOps::allocate(bytes);
  }
  int allocations = 0;
};

TEST(KernelOps, AStepLikeAnEarlierOneAllocatesNothingOnTheDevice) {
  auto counting = std::make_unique<CountingOps>();
  const int& allocations = counting->allocations;
  TestModel model("llama-6-2", nullptr, std::move(counting));
  const TestCache cache = slab(model, 40);
  std::vector<TokenId> known = tokens_of({1, 2, 3, 4, 5});
  ASSERT_TRUE(cache.manager->open(SequenceId{0}, known, 40));
  for (; known.size() < 40; known.push_back(TokenId{7})) {
    const Step step = close_the_gap(SequenceId{0}, known, cache.manager->stored(SequenceId{0}));
    ASSERT_TRUE(cache.manager->reserve(SequenceId{0}, step.rows()));
    const int before = allocations;
    model.decoder().forward(step, *cache.storage, nobody());
    cache.manager->commit(SequenceId{0}, step.rows());
    if (known.size() == 5) {
      EXPECT_GT(allocations, before) << "the first step needs memory";
    } else {
      EXPECT_EQ(allocations, before) << "a step of one row after " << known.size();
    }
  }
}

TEST(KernelOps, UploadsOfAnySizeArriveWhateverBecomesOfTheirSource) {
  KernelOps ops("emulated");
  std::vector<std::vector<std::int32_t>> sent;
  std::vector<Buffer> received;
  for (const int size : {1, 1000, 30000, 7, 100000, 5000000, 3}) {
    std::vector<std::int32_t> source(static_cast<std::size_t>(size));
    std::iota(source.begin(), source.end(), size);
    sent.push_back(source);
    received.push_back(ops.allocate(source.size() * sizeof(std::int32_t)));
    ops.upload(source.data(), received.back().tensor(DType::i32, {size}));
    std::fill(source.begin(), source.end(), -1);
  }
  for (std::size_t i = 0; i < sent.size(); ++i) {
    std::vector<std::int32_t> back(sent[i].size());
    ops.download(received[i].tensor(DType::i32, {static_cast<Index>(back.size())}), back.data());
    EXPECT_EQ(back, sent[i]) << i;
  }
}

TEST(KernelOps, AWeightIsCopiedAndItsOwnerLetGo) {
  KernelOps ops("emulated");
  auto host = std::make_shared<std::vector<float>>(std::vector<float>{1, 2, 3, 4});
  const std::weak_ptr<std::vector<float>> watched = host;
  const ConstTensor tensor{reinterpret_cast<const std::byte*>(host->data()), DType::f32, {2, 2}};
  const Weight weight = ops.prepare(tensor, std::move(host));
  EXPECT_TRUE(watched.expired());
  std::vector<float> back(4);
  ops.download(weight.tensor, back.data());
  EXPECT_EQ(back, (std::vector<float>{1, 2, 3, 4}));
}

}  // namespace
}  // namespace quire::test
