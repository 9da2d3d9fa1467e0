// Kernels with one mistake each, and which orders of the threads show it. What only sanitizers see is
// in memory_errors_test.cpp (AddressSanitizer) and tests/kernels/races (ThreadSanitizer).
#include <gtest/gtest.h>

#include <functional>
#include <ostream>
#include <vector>

#include "kernels/simt/device_array.h"
#include "src/core/error.h"
#include "tests/kernels/simt/broken/broken.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

using namespace simt_kernels;
using simt::Order;

enum class Verdict { passes, wrong, error };

std::ostream& operator<<(std::ostream& out, Verdict verdict) {
  const char* const names[] = {"passes", "wrong", "error"};
  return out << names[static_cast<int>(verdict)];
}

// How many of 100 shuffled orders show a mistake.
enum class Seeds { none, most, all };

struct Case {
  const char* name;
  void (*run)(float* out, float salt);
  std::function<float(int i, float salt)> right;  // what out[i] would be
  int count;                                      // how many numbers of out count
  Verdict ascending, descending;
  Seeds shuffled;
  const char* message = "";  // a part of the error, if there is one
};

float sums(int i, float salt) {
  return 128.0f * salt * static_cast<float>(i + 1);
}
float neighbour(int i, float salt) {
  return salt + static_cast<float>((i + 1) % 128);
}
float neighbour_in_warp(int i, float salt) {
  return salt + static_cast<float>((i + 1) % 32);
}
float nothing(int, float) {
  return 0.0f;
}

constexpr auto kPasses = Verdict::passes, kWrong = Verdict::wrong, kError = Verdict::error;

// The table of the page on kernels.
const std::vector<Case> kCases = {
    // The control: with all its barriers a kernel passes.
    {"block_sum_twice", block_sum_twice, sums, 2, kPasses, kPasses, Seeds::none},
    {"no_barrier_before_read", no_barrier_before_read, sums, 2, kWrong, kPasses, Seeds::most},
    {"no_barrier_before_reuse", no_barrier_before_reuse, sums, 2, kPasses, kWrong, Seeds::most},
    {"no_barrier_at_all", no_barrier_at_all, neighbour, 128, kWrong, kWrong, Seeds::all},
    {"no_warp_barrier", no_warp_barrier, [](int, float salt) { return 32.0f * salt; }, 1, kWrong,
     kPasses, Seeds::most},
    // For these two the values are right in any order: ThreadSanitizer sees them.
    {"shuffle_for_barrier", shuffle_for_barrier, neighbour_in_warp, 32, kPasses, kPasses,
     Seeds::none},
    {"lost_update", lost_update, [](int, float salt) { return salt + 128.0f; }, 1, kPasses, kPasses,
     Seeds::none},

    {"divergent_barrier", divergent_barrier, nothing, 1, kError, kError, Seeds::all,
     "divergent barrier: this thread is in __syncthreads at synchronisation.cu:"},
    {"deadlock", deadlock, nothing, 1, kError, kError, Seeds::all,
     "deadlock, nobody can go on: thread (0,0,0) waits in __shfl_xor_sync at synchronisation.cu:"},
    {"shuffle_from_absent_lane", shuffle_from_absent_lane, nothing, 1, kError, kError, Seeds::all,
     "lane 0 reads from lane 16, which takes no part"},
    {"lane_outside_its_mask", lane_outside_its_mask, nothing, 1, kError, kError, Seeds::all,
     "the calling lane is not in its own mask"},
    {"divergent_warp", divergent_warp, nothing, 1, kError, kError, Seeds::all, "divergent warp: "},
    {"shuffle_of_two_types", shuffle_of_two_types, nothing, 1, kError, kError, Seeds::all,
     "divergent warp: "},
    {"shuffle_beyond_the_warp", shuffle_beyond_the_warp, nothing, 1, kError, kError, Seeds::all,
     "it must reach 0 to 31 lanes"},
    {"shuffle_of_an_odd_width", shuffle_of_an_odd_width, nothing, 1, kError, kError, Seeds::all,
     "its width must be 1, 2, 4, 8, 16 or 32"},
    {"tensor_core_in_half_a_warp", tensor_core_in_half_a_warp, nothing, 1, kError, kError,
     Seeds::all, "mma_m16n8k16 at synchronisation.cu:"},

    {"shared_memory_never_written", shared_memory_never_written,
     [](int, float salt) { return 127.0f * salt; }, 1, kWrong, kWrong, Seeds::all},
    {"global_memory_never_written", global_memory_never_written,
     [](int i, float salt) { return i == 0 ? 2.0f * salt : salt; }, 128, kWrong, kWrong,
     Seeds::all},
    {"async_copy_not_waited_for", async_copy_not_waited_for, [](int, float salt) { return salt; },
     128, kWrong, kWrong, Seeds::all},
    {"async_copy_misaligned", async_copy_misaligned, nothing, 1, kError, kError, Seeds::all,
     "__pipeline_memcpy_async at memory.cu:"},
    {"async_copy_out_of_shared_memory", async_copy_out_of_shared_memory, nothing, 1, kError, kError,
     Seeds::all, "its target is not shared memory"},
    {"tile_misaligned", tile_misaligned, nothing, 1, kError, kError, Seeds::all,
     "wmma::store_matrix_sync at memory.cu:"},
    {"tile_with_an_odd_stride", tile_with_an_odd_stride, nothing, 1, kError, kError, Seeds::all,
     "its stride must be a multiple of 16 bytes"},
};

void PrintTo(const Case& broken, std::ostream* out) {
  *out << broken.name;
}

struct Outcome {
  Verdict verdict;
  std::string message;
};

// Runs a kernel with a salt of its own each time: a stale number that is equal would look right.
Outcome outcome(const Case& broken, Order order, std::uint64_t seed) {
  static float salt = 0.0f;
  salt += 1.0f;
  simt::set_order(order, seed);
  const simt::DeviceArray<float> out(128);
  simt::copy_to_device(out.data(), &salt, sizeof salt);
  try {
    broken.run(out.data(), salt);
  } catch (const Error& error) {
    return {Verdict::error, error.what()};
  }
  const std::vector<float> numbers = out.to_host();
  for (int i = 0; i < broken.count; ++i) {
    if (numbers[static_cast<std::size_t>(i)] != broken.right(i, salt)) return {Verdict::wrong, {}};
  }
  return {Verdict::passes, {}};
}

class BrokenKernels : public testing::TestWithParam<Case> {};

TEST_P(BrokenKernels, AreShownByTheOrdersThatTheTableSays) {
  const Case& broken = GetParam();
  EXPECT_EQ(outcome(broken, Order::ascending, 0).verdict, broken.ascending);
  EXPECT_EQ(outcome(broken, Order::descending, 0).verdict, broken.descending);
  int caught = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    caught += outcome(broken, Order::shuffled, seed).verdict != Verdict::passes;
  }
  RecordProperty("caught_by_shuffled_orders_in_100", caught);
  const int least = broken.shuffled == Seeds::none ? 0 : broken.shuffled == Seeds::most ? 51 : 100;
  EXPECT_GE(caught, least);
  EXPECT_LE(caught, broken.shuffled == Seeds::none ? 0 : 100);
}

TEST_P(BrokenKernels, ErrorsNameBlockThreadFileAndLine) {
  const Case& broken = GetParam();
  if (broken.ascending != Verdict::error) return;
  const std::string message = outcome(broken, Order::ascending, 0).message;
  EXPECT_EQ(message.rfind("block (0,0,0), thread (", 0), 0u) << message;
  EXPECT_NE(message.find(broken.message), std::string::npos) << message;
  EXPECT_NE(message.find(".cu:"), std::string::npos) << message;
}

// After an error the emulator is as before.
TEST_P(BrokenKernels, LeaveTheEmulatorAsItWas) {
  outcome(GetParam(), Order::descending, 0);
  EXPECT_EQ(outcome(kCases.front(), Order::descending, 0).verdict, Verdict::passes);
}

INSTANTIATE_TEST_SUITE_P(Table, BrokenKernels, testing::ValuesIn(kCases),
                         [](const auto& test) { return std::string(test.param.name); });

}  // namespace
}  // namespace quire::test
