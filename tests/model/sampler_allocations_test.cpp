// A program of its own: it counts every allocation.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <new>

#include "src/model/sampler.h"

namespace {

std::size_t allocations = 0;

}  // namespace

void* operator new(std::size_t bytes) {
  ++allocations;
  void* memory = std::malloc(bytes);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

void operator delete(void* memory) noexcept {
  std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
  std::free(memory);
}

namespace quire::test {
namespace {

std::size_t allocations_of_choices(const SamplingOptions& options) {
  constexpr int kVocabulary = 1000;
  Random random(5);
  std::vector<float> logits;
  for (int i = 0; i < kVocabulary; ++i) logits.push_back(static_cast<float>(random.normal()));
  Observer nobody;
  Sampler sampler(options, kVocabulary);
  const std::size_t before = allocations;
  for (int i = 0; i < 50; ++i) sampler.choose(logits, nobody);
  return allocations - before;
}

TEST(Sampler, AllocatesNothingWhileItChooses) {
  EXPECT_EQ(allocations_of_choices({}), 0u);
  EXPECT_EQ(allocations_of_choices({.temperature = 0.8}), 0u);
  EXPECT_EQ(allocations_of_choices({.temperature = 0.8,
                                    .top_k = 40,
                                    .top_p = 0.9,
                                    .min_p = 0.01,
                                    .repetition_penalty = 1.1,
                                    .presence_penalty = 0.1,
                                    .frequency_penalty = 0.1,
                                    .logit_bias = {{TokenId{3}, -1}}}),
            0u);
}

TEST(Sampler, AllocationsWouldBeCounted) {
  const std::size_t before = allocations;
  const std::vector<float> some(10);
  EXPECT_EQ(allocations - before, 1u);
}

}  // namespace
}  // namespace quire::test
