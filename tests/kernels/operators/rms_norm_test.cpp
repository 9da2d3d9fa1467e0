// The residual connection before a norm; the norm itself is a contract of Ops (tests/ops).
#include <gtest/gtest.h>

#include "kernels/rms_norm/rms_norm.h"
#include "tests/kernels/support/guarded_array.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

using FusedRmsNorm = KernelTest;
using Floats = std::vector<float>;

constexpr float kEpsilon = 1e-5f;

Floats random_floats(std::size_t count, std::uint64_t salt) {
  TestRandom random(salt);
  Floats x(count);
  for (float& value : x) value = static_cast<float>(random.normal());
  return x;
}

struct Inputs {
  Inputs(std::size_t rows_, std::size_t width_, std::uint64_t salt)
      : rows(static_cast<std::int64_t>(rows_)),
        width(static_cast<std::int64_t>(width_)),
        x(random_floats(rows_ * width_, 3 * salt)),
        residual(random_floats(rows_ * width_, 3 * salt + 1)),
        gain(random_floats(width_, 3 * salt + 2)) {}

  // Rounded once each, by the host.
  Floats sum() const {
    Floats result = x;
    for (std::size_t i = 0; i < x.size(); ++i) result[i] += residual[i];
    return result;
  }

  Floats normed(const Floats& y) const {
    const simt::DeviceArray<float> in(y), gains(gain);
    const GuardedArray<float> out(y.size());
    kernels::rms_norm<float>(out.data(), in.data(), nullptr, nullptr, gains.data(), kEpsilon, rows,
                             width, nullptr);
    return out.to_host();
  }

  std::int64_t rows, width;
  Floats x, residual, gain;
};

TEST_F(FusedRmsNorm, IsTheNormOfTheSumBitForBitAndLeavesTheSum) {
  in_every_order([](std::uint64_t salt) {
    for (const std::size_t width : {1u, 31u, 64u, 255u, 256u, 257u, 600u}) {
      const Inputs inputs(3, width, salt + 10 * width);
      const simt::DeviceArray<float> x(inputs.x), residual(inputs.residual), gain(inputs.gain);
      const GuardedArray<float> out(inputs.x.size()), sum(inputs.x.size());
      kernels::rms_norm<float>(out.data(), x.data(), residual.data(), sum.data(), gain.data(),
                               kEpsilon, inputs.rows, inputs.width, nullptr);
      EXPECT_EQ(sum.to_host(), inputs.sum()) << width;
      EXPECT_EQ(out.to_host(), inputs.normed(inputs.sum())) << width;
      EXPECT_EQ(x.to_host(), inputs.x) << "x is only read";
    }
  });
}

TEST_F(FusedRmsNorm, TheSumMayTakeThePlaceOfX) {
  const Inputs inputs(4, 300, 5);
  const simt::DeviceArray<float> residual(inputs.residual), gain(inputs.gain);
  const GuardedArray<float> stream(inputs.x), out(inputs.x.size());
  kernels::rms_norm<float>(out.data(), stream.data(), residual.data(), stream.data(), gain.data(),
                           kEpsilon, inputs.rows, inputs.width, nullptr);
  EXPECT_EQ(stream.to_host(), inputs.sum());
  EXPECT_EQ(out.to_host(), inputs.normed(inputs.sum()));
}

TEST_F(FusedRmsNorm, TheNormOfXAloneIsAnother) {
  const Inputs inputs(1, 64, 6);
  EXPECT_NE(inputs.normed(inputs.sum()), inputs.normed(inputs.x));
}

}  // namespace
}  // namespace quire::test
