// The late device itself: what it does late, and which accesses it does not allow.
#include <gtest/gtest.h>

#include <csignal>
#include <cstdlib>
#include <memory>
#include <vector>

#include "kernels/add/add.h"
#include "kernels/module.h"
#include "kernels/simt/device_array.h"
#include "tests/kernels/late/launches.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

using Floats = std::vector<float>;
using Pinned = std::unique_ptr<float, void (*)(void*) noexcept>;
using OwnedStream = std::unique_ptr<CUstream_st, void (*)(simt::Stream) noexcept>;

Pinned pinned(float value) {
  auto* const memory = static_cast<float*>(simt::allocate_host(sizeof(float)));
  *memory = value;
  return {memory, simt::release_host};
}

// The kernel that the tests launch: x += 1.
void add_one(const simt::DeviceArray<float>& x, simt::Stream stream = nullptr) {
  static const simt::DeviceArray<float>& one = *new simt::DeviceArray<float>(Floats{1});
  kernels::add(x.data(), one.data(), 1, stream);
}

TEST(LateDevice, DoesAStreamsWorkInItsOrder) {
  const simt::DeviceArray<float> x(Floats{1}), copy(1);
  add_one(x);
  simt::copy_on_device(copy.data(), x.data(), sizeof(float));
  add_one(x);
  EXPECT_EQ(copy.to_host(), Floats{2});
  EXPECT_EQ(x.to_host(), Floats{3});
}

TEST(LateDevice, CopiesAPinnedSourceAsItIsWhenItsTurnComes) {
  const simt::DeviceArray<float> x(1);
  const Pinned source = pinned(1);
  simt::copy_to_device(x.data(), source.get(), sizeof(float));
  *source = 2;
  EXPECT_EQ(x.to_host(), Floats{2});
}

TEST(LateDevice, CopiesAPinnedSourceAsItWasIfSomebodyWaited) {
  const simt::DeviceArray<float> x(1);
  const Pinned source = pinned(1);
  simt::copy_to_device(x.data(), source.get(), sizeof(float));
  simt::synchronize();
  *source = 2;
  EXPECT_EQ(x.to_host(), Floats{1});
}

TEST(LateDevice, CopiesAnyOtherSourceAsItWas) {
  const simt::DeviceArray<float> x(1);
  float source = 1;
  simt::copy_to_device(x.data(), &source, sizeof(float));
  source = 2;
  EXPECT_EQ(x.to_host(), Floats{1});
}

TEST(LateDevice, DoesNothingForAStreamThatNobodyWaitsFor) {
  const OwnedStream stream(simt::create_stream(), simt::release_stream);
  const simt::DeviceArray<float> x(Floats{1});
  EXPECT_EQ(x.to_host(), Floats{1});
  add_one(x, stream.get());
  EXPECT_EQ(x.to_host(), Floats{1}) << "of the null stream";
  simt::synchronize(stream.get());
  EXPECT_EQ(x.to_host(), Floats{2});
}

TEST(LateDevice, DoesAllWorkBeforeItTakesMemoryBack) {
  const simt::DeviceArray<float> x(Floats{1});
  {
    const simt::DeviceArray<float> two(Floats{2});
    kernels::add(x.data(), two.data(), 1, nullptr);
  }
  EXPECT_EQ(x.to_host(), Floats{3});
}

TEST(LateDevice, TellsOfAKernelsErrorWhenSomebodyWaits) {
  const simt::DeviceArray<float> x(Floats{1});
  shuffle_from_nobody(x.data());
  add_one(x);
  expect_error([] { simt::synchronize(); }, {"__shfl_sync", "launches.cu", "lane 7"});
  EXPECT_EQ(x.to_host(), Floats{1}) << "what came after it is not done";
}

TEST(LateDevice, RefusesALaunchThatNoGpuTakesAtOnce) {
  const simt::DeviceArray<float> x(1);
  expect_error([&] { read_through(x.data(), {x.data()}, 1025); }, {"launches.cu", "1025 threads"});
}

TEST(LateDevice, RefusesAPointerToHostMemoryAtTheLaunch) {
  const simt::DeviceArray<float> x(1);
  const float on_the_host = 1;
  expect_error([&] { kernels::add(x.data(), &on_the_host, 1, nullptr); },
               {"v0_thread_per_element.cu", "(add)", "argument 2"});
}

TEST(LateDevice, RefusesAPointerToWhatWasGivenBack) {
  const simt::DeviceArray<float> x(1);
  const float* const dangling = simt::DeviceArray<float>(1).data();
  expect_error([&] { kernels::add(x.data(), dangling, 1, nullptr); }, {"argument 2"});
}

TEST(LateDevice, RefusesACopyInTheWrongDirection) {
  const simt::DeviceArray<float> x(1);
  float host = 1;
  expect_error([&] { simt::copy_to_device(&host, &host, 4); }, {"copy_to_device", "target"});
  expect_error([&] { simt::copy_to_device(x.data(), x.data(), 4); }, {"copy_to_device", "source"});
  expect_error([&] { simt::copy_to_host(x.data(), x.data(), 4); }, {"copy_to_host", "target"});
  expect_error([&] { simt::copy_to_host(&host, &host, 4); }, {"copy_to_host", "source"});
  expect_error([&] { simt::copy_on_device(&host, x.data(), 4); }, {"copy_on_device", "target"});
  expect_error([&] { simt::copy_on_device(x.data(), &host, 4); }, {"copy_on_device", "source"});
}

// A fault ends the program.
class LateDeviceDeathTest : public testing::Test {
 protected:
  // What a kernel reads there; ends the program, with status 0 if it is 1.
  void read(const float* there) {
    read_through(out_.data(), {there});
    std::exit(out_.to_host() == Floats{1} ? 0 : 1);
  }

  const simt::DeviceArray<float> x_{Floats(64, 1.0f)}, out_{Floats(1)};
};

const testing::ExitedWithCode kReadsIt(0);
const testing::KilledBySignal kFaults(SIGSEGV);

TEST_F(LateDeviceDeathTest, TheHostCannotReadDeviceMemory) {
  EXPECT_EXIT(std::exit(*x_.data() == 1.0f), kFaults, "");
}

TEST_F(LateDeviceDeathTest, TheHostCannotReadItEvenAfterItWaited) {
  simt::synchronize();
  EXPECT_EXIT(std::exit(*x_.data() == 1.0f), kFaults, "");
}

TEST_F(LateDeviceDeathTest, AKernelReadsTheLastElementOf256Bytes) {
  EXPECT_EXIT(read(x_.data() + 63), kReadsIt, "");
}

TEST_F(LateDeviceDeathTest, AKernelCannotReadBehindThem) {
  EXPECT_EXIT(read(x_.data() + 64), kFaults, "");
}

TEST_F(LateDeviceDeathTest, AKernelCannotReadWhatWasGivenBack) {
  const float* const dangling = simt::DeviceArray<float>(Floats{1}).data();
  EXPECT_EXIT(read(dangling), kFaults, "");
}

TEST_F(LateDeviceDeathTest, NoCopyReadsPinnedMemoryThatWasGivenBack) {
  const auto copy = [this] {
    simt::copy_to_device(out_.data(), pinned(1).get(), sizeof(float));
    simt::synchronize();
  };
  EXPECT_EXIT(copy(), kFaults, "");
}

TEST(LateModuleDeathTest, ProgramsGetTheLateDeviceFromItsFolder) {
  const auto ops = load_kernel_ops(KernelBackend::emulated);
  const Buffer memory = ops->allocate(4);
  const auto* const first = memory.tensor(DType::f32, {1}).bytes();
  EXPECT_EXIT(std::exit(static_cast<int>(*first)), kFaults, "");
}

}  // namespace
}  // namespace quire::test
