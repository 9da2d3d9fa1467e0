// Tensor cores and asynchronous copies, in four orders of the threads; the same tests run on a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <type_traits>
#include <vector>

#include "kernels/simt/device_array.h"
#include "kernels/simt/storage.h"
#include "tests/kernels/simt/features.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/support/close.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using namespace simt_kernels;

constexpr int kRows = 32, kColumns = 48, kDepth = 64;

template <class T>
std::vector<T> normal_values(std::size_t count, TestRandom& random) {
  std::vector<T> result(count);
  for (T& x : result) x = simt::narrow<T>(static_cast<float>(random.normal()));
  return result;
}

// a b in double precision.
template <class T>
std::vector<double> product(const std::vector<T>& a, const std::vector<T>& b) {
  std::vector<double> c(std::size_t{kRows} * kColumns);
  for (std::size_t row = 0; row < kRows; ++row) {
    for (std::size_t column = 0; column < kColumns; ++column) {
      for (std::size_t k = 0; k < kDepth; ++k) {
        c[row * kColumns + column] += double{simt::widen(a[row * kDepth + k])} *
                                      double{simt::widen(b[k * kColumns + column])};
      }
    }
  }
  return c;
}

template <class T>
class TensorCores : public KernelTest {};
using Elements = testing::Types<BFloat16, Float16>;
TYPED_TEST_SUITE(TensorCores, Elements);

template <class T, class Kernel>
void expect_product(Kernel kernel) {
  in_every_order([&](std::uint64_t salt) {
    TestRandom random(salt);
    const auto a = normal_values<T>(std::size_t{kRows} * kDepth, random);
    const auto b = normal_values<T>(std::size_t{kDepth} * kColumns, random);
    const simt::DeviceArray<T> device_a(a), device_b(b);
    const simt::DeviceArray<float> c(std::size_t{kRows} * kColumns);
    kernel(c.data(), device_a.data(), device_b.data(), kRows, kColumns, kDepth);
    // Products of two 16-bit numbers are exact in a float; each of the sums rounds once.
    EXPECT_CLOSE(c.to_host(), Values(product(a, b), kColumns), kDepth * 0x1p-23);
  });
}

TYPED_TEST(TensorCores, WmmaMultipliesTiles) {
  expect_product<TypeParam>(wmma_product<TypeParam>);
}

TYPED_TEST(TensorCores, MmaMultipliesTilesSpreadOverTheLanes) {
  expect_product<TypeParam>(mma_product<TypeParam>);
}

using AsyncCopies = KernelTest;

TEST_F(AsyncCopies, ArriveWhenTheyAreWaitedFor) {
  in_every_order([](std::uint64_t salt) {
    TestRandom random(salt);
    for (const std::size_t tiles : {1u, 2u, 5u}) {
      const auto in = normal_values<float>(tiles * 256, random);
      const simt::DeviceArray<float> device_in(in), out(64);
      pipeline(out.data(), device_in.data(), static_cast<int>(tiles));
      std::vector<float> expected(64);
      for (std::size_t i = 0; i < in.size(); ++i) expected[i % 64] += in[i];
      EXPECT_EQ(out.to_host(), expected) << tiles << " tiles";
    }
  });
}

}  // namespace
}  // namespace quire::test
