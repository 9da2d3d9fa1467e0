// What AddressSanitizer and UndefinedBehaviorSanitizer see of kernels. This build has them.
#include <gtest/gtest.h>

#include "kernels/simt/device_array.h"
#include "tests/kernels/simt/broken/broken.h"

namespace quire::test {
namespace {

using namespace simt_kernels;

void run(void (*kernel)(float*, float)) {
  const simt::DeviceArray<float> out(128);
  kernel(out.data(), 1.0f);
}

TEST(MemoryErrors, ReadingBehindStaticSharedMemory) {
  EXPECT_DEATH(run(static_shared_overrun), "global-buffer-overflow|out of bounds");
}

TEST(MemoryErrors, ReadingBehindDynamicSharedMemory) {
  EXPECT_DEATH(run(dynamic_shared_overrun), "heap-buffer-overflow");
}

TEST(MemoryErrors, WritingBehindGlobalMemory) {
  EXPECT_DEATH(run(global_overrun), "heap-buffer-overflow");
}

// GCC only: clang takes no notice of the alignment of a type that may alias.
#if defined(__GNUC__) && !defined(__clang__)
TEST(MemoryErrors, AVectorAtAnAddressThatIsNoMultipleOfItsSize) {
  EXPECT_DEATH(run(misaligned_vector), "misaligned address");
}
#endif

}  // namespace
}  // namespace quire::test
