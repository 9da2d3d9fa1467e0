// What the two forms of a linear layer promise besides the product, which is a contract of Ops
// (tests/ops): a row's bits.
#include <gtest/gtest.h>

#include <cstring>

#include "kernels/linear/linear.h"
#include "kernels/linear/widen.h"
#include "tests/kernels/support/guarded_array.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/ops/oracle.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using kernels::LinearShape;
using LinearForms = KernelTest;
using Floats = std::vector<float>;
using Form = void (*)(float*, const float*, const BFloat16*, const LinearShape&, simt::Stream);

constexpr Form kForms[] = {kernels::linear_few_rows<BFloat16>, kernels::linear_tiled<BFloat16>};

std::size_t size(std::int64_t n) {
  return static_cast<std::size_t>(n);
}

struct Product {
  Product(const LinearShape& of, std::uint64_t salt) : shape(of) {
    TestRandom random(salt);
    for (std::int64_t i = 0; i < of.rows * of.inputs; ++i) {
      x.push_back(static_cast<float>(random.normal()));
    }
    for (std::int64_t i = 0; i < of.outputs * of.inputs; ++i) {
      weight.push_back(to_bfloat16(static_cast<float>(random.normal())));
    }
  }

  // By how many elements x and the weight begin behind a boundary.
  struct Shift {
    std::size_t x = 0, weight = 0;
  };

  // Some rows of the product.
  Floats rows(Form form, std::int64_t first, std::int64_t count, Shift shift) const {
    Floats shifted_x(shift.x);
    shifted_x.insert(shifted_x.end(), x.begin() + first * shape.inputs,
                     x.begin() + (first + count) * shape.inputs);
    std::vector<BFloat16> shifted_weight(shift.weight);
    shifted_weight.insert(shifted_weight.end(), weight.begin(), weight.end());
    const simt::DeviceArray<float> in(shifted_x);
    const simt::DeviceArray<BFloat16> weights(shifted_weight);
    const GuardedArray<float> out(size(count * shape.outputs));
    form(out.data(), in.data() + shift.x, weights.data() + shift.weight,
         {count, shape.inputs, shape.outputs}, nullptr);
    return out.to_host();
  }
  Floats rows(Form form, std::int64_t first, std::int64_t count) const {
    return rows(form, first, count, Shift());
  }

  LinearShape shape;
  Floats x;
  std::vector<BFloat16> weight;
};

TEST_F(LinearForms, ARowIsTheSameToTheBitWhateverIsBesideIt) {
  in_every_order([](std::uint64_t salt) {
    for (const std::int64_t inputs : {5, 64, 130}) {
      const Product product({.rows = 8, .inputs = inputs, .outputs = 9}, salt);
      for (const Form form : kForms) {
        const Floats together = product.rows(form, 0, 8);
        for (std::int64_t row = 0; row < 8; ++row) {
          const Floats alone = product.rows(form, row, 1);
          EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + row * 9)) << row;
        }
      }
    }
  });
}

TEST_F(LinearForms, ARowOfALaterTileIsTheSameToTheBit) {
  const Product product({.rows = 130, .inputs = 20, .outputs = 70}, 0);
  const Floats together = product.rows(kernels::linear_tiled, 0, 130);
  for (const std::int64_t row : {0, 63, 64, 127, 128, 129}) {
    const Floats alone = product.rows(kernels::linear_tiled, row, 1);
    EXPECT_TRUE(std::equal(alone.begin(), alone.end(), together.begin() + row * 70)) << row;
  }
}

// That nothing is read in fours beyond a boundary, UndefinedBehaviorSanitizer sees, and a GPU.
TEST_F(LinearForms, WhetherRowsCanBeReadInFoursDoesNotChangeABit) {
  const Product product({.rows = 3, .inputs = 72, .outputs = 10}, 1);
  for (const Form form : kForms) {
    const Floats in_fours = product.rows(form, 0, 3);
    EXPECT_EQ(product.rows(form, 0, 3, {.x = 1}), in_fours);
    EXPECT_EQ(product.rows(form, 0, 3, {.weight = 1}), in_fours);
    EXPECT_EQ(product.rows(form, 0, 3, {.weight = 2}), in_fours);
  }
}

TEST_F(LinearForms, TheFormGoesByTheNumberOfRows) {
  const Product product({.rows = 9, .inputs = 1000, .outputs = 10}, 2);
  EXPECT_EQ(product.rows(kernels::linear, 0, 8), product.rows(kernels::linear_few_rows, 0, 8));
  EXPECT_EQ(product.rows(kernels::linear, 0, 9), product.rows(kernels::linear_tiled, 0, 9));
  EXPECT_NE(product.rows(kernels::linear_tiled, 0, 8), product.rows(kernels::linear_few_rows, 0, 8))
      << "the two could not be told apart";
}

TEST_F(LinearForms, WideningIsExactForEveryNumber) {
  std::vector<Float16> halves;
  for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
    halves.push_back({static_cast<std::uint16_t>(bits)});
  }
  const simt::DeviceArray<Float16> in(halves);
  const GuardedArray<float> out(halves.size());
  kernels::widen(out.data(), in.data(), static_cast<std::int64_t>(halves.size()), nullptr);
  const Floats wide = out.to_host();
  for (std::size_t i = 0; i < halves.size(); ++i) {
    const float expected = to_float(halves[i]);
    EXPECT_TRUE(wide[i] == expected || (wide[i] != wide[i] && expected != expected)) << i;
  }
}

}  // namespace
}  // namespace quire::test
