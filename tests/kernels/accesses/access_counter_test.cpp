// Sectors and bank conflicts of kernels for which they can be counted by hand.
#include "kernels/simt/access_counter.h"

#include <gtest/gtest.h>

#include <vector>

#include "kernels/simt/device_array.h"
#include "tests/kernels/accesses/patterns.h"
#include "tests/kernels/support/kernel_test.h"

namespace quire::test {
namespace {

using simt::AccessCount;
using simt::AccessCounts;
using simt::count_accesses;

// What a warp that loads floats `stride` apart counts.
AccessCount loads_of_strided(int stride, int offset = 0) {
  const simt::DeviceArray<float> in(33 * 32 + 32), out(32);
  return count_accesses([&] { access_patterns::strided(out.data(), in.data(), stride, offset); })
      .global_loads;
}

TEST(GlobalAccesses, FloatsSideBySideTakeFourSectors) {
  in_every_order([](std::uint64_t) {
    const AccessCount loads = loads_of_strided(1);
    EXPECT_EQ(loads.requests, 1);
    EXPECT_EQ(loads.lanes, 32);
    EXPECT_EQ(loads.bytes, 128);
    EXPECT_EQ(loads.sectors_per_request(), 4);
    EXPECT_EQ(loads.used(), 1);
  });
}

TEST(GlobalAccesses, AStrideTakesMoreSectorsForTheSameBytes) {
  EXPECT_EQ(loads_of_strided(2).sectors_per_request(), 8);
  EXPECT_EQ(loads_of_strided(3).sectors_per_request(), 12);
  EXPECT_EQ(loads_of_strided(8).sectors_per_request(), 32);
  EXPECT_EQ(loads_of_strided(32).sectors_per_request(), 32);
  EXPECT_EQ(loads_of_strided(32).used(), 0.125);
}

TEST(GlobalAccesses, OneFloatForAllLanesIsOneSector) {
  EXPECT_EQ(loads_of_strided(0).sectors_per_request(), 1);
  EXPECT_EQ(loads_of_strided(0).bytes, 4);
}

TEST(GlobalAccesses, ABeginningAcrossSectorsTakesOneMore) {
  EXPECT_EQ(loads_of_strided(1, 1).sectors_per_request(), 5);
  EXPECT_EQ(loads_of_strided(1, 8).sectors_per_request(), 4);
}

TEST(GlobalAccesses, VectorsAreOneRequestOfSixteenSectors) {
  const simt::DeviceArray<float> in(128), out(128);
  const AccessCounts counts =
      count_accesses([&] { access_patterns::vectors(out.data(), in.data()); });
  for (const AccessCount& count : {counts.global_loads, counts.global_stores}) {
    EXPECT_EQ(count.requests, 1);
    EXPECT_EQ(count.sectors_per_request(), 16);
    EXPECT_EQ(count.used(), 1);
  }
}

// An optimising compiler would load the four floats one by one, which are requests of their own.
TEST(GlobalAccesses, AVectorOfWhichPartsAreUsedIsStillOneRequest) {
  const simt::DeviceArray<float> in(128), out(32);
  const AccessCount loads =
      count_accesses([&] { access_patterns::sums_of_vectors(out.data(), in.data()); }).global_loads;
  EXPECT_EQ(loads.requests, 1);
  EXPECT_EQ(loads.sectors_per_request(), 16);
}

TEST(GlobalAccesses, ABytePerLaneIsOneSector) {
  const simt::DeviceArray<unsigned char> in(32), out(32);
  const AccessCounts counts =
      count_accesses([&] { access_patterns::bytes(out.data(), in.data()); });
  EXPECT_EQ(counts.global_loads.sectors_per_request(), 1);
  EXPECT_EQ(counts.global_loads.bytes, 32);
}

// In each block two warps go round 6 times, three of these with half their lanes.
TEST(GlobalAccesses, EachVisitOfEachWarpIsARequest) {
  in_every_order([](std::uint64_t) {
    const int blocks = 5, rows = 6;
    const simt::DeviceArray<float> in(blocks * rows * 64), out(blocks * rows * 64);
    const AccessCounts counts =
        count_accesses([&] { access_patterns::rows(out.data(), in.data(), blocks, rows); });
    for (const AccessCount& count : {counts.global_loads, counts.global_stores}) {
      EXPECT_EQ(count.requests, 5 * 2 * 6);
      EXPECT_EQ(count.lanes, 5 * 2 * (3 * 32 + 3 * 16));
      EXPECT_EQ(count.cost, 5 * 2 * (3 * 4 + 3 * 2));
    }
    EXPECT_EQ(counts.shared_loads.requests + counts.shared_stores.requests, 0);
  });
}

TEST(GlobalAccesses, AtomicsCountAsStores) {
  const simt::DeviceArray<float> out(std::vector<float>{0.0f});
  const AccessCounts counts = count_accesses([&] { access_patterns::atomics(out.data()); });
  EXPECT_EQ(counts.global_stores.requests, 1);
  EXPECT_EQ(counts.global_stores.lanes, 32);
  EXPECT_EQ(out.to_host()[0], 32.0f) << "the callbacks do what the atomics should";
}

AccessCounts counts_of(void (*transpose)(float*, const float*)) {
  const simt::DeviceArray<float> in(1024), out(1024);
  return count_accesses([&] { transpose(out.data(), in.data()); });
}

TEST(SharedAccesses, AColumnOfATileIsInOneBank) {
  in_every_order([](std::uint64_t) {
    const AccessCounts counts = counts_of(access_patterns::transpose);
    EXPECT_EQ(counts.shared_stores.requests, 32);
    EXPECT_EQ(counts.shared_stores.conflict_degree(), 1);
    EXPECT_EQ(counts.shared_loads.requests, 32);
    EXPECT_EQ(counts.shared_loads.conflict_degree(), 32);
    EXPECT_EQ(counts.global_loads.sectors_per_request(), 4);
    EXPECT_EQ(counts.global_stores.sectors_per_request(), 4);
  });
}

TEST(SharedAccesses, OneFloatOfPaddingSpreadsItOverAll) {
  const AccessCounts counts = counts_of(access_patterns::transpose_padded);
  EXPECT_EQ(counts.shared_stores.conflict_degree(), 1);
  EXPECT_EQ(counts.shared_loads.conflict_degree(), 1);
}

TEST(SharedAccesses, TheMemoryThatABlockTouchesIsCounted) {
  EXPECT_EQ(counts_of(access_patterns::transpose).shared_bytes, 32 * 32 * 4);
  const simt::DeviceArray<float> in(128), out(128);
  const auto vectors = [&] { access_patterns::vectors(out.data(), in.data()); };
  EXPECT_EQ(count_accesses(vectors).shared_bytes, 0);
}

double degree_of_strided(int stride) {
  const simt::DeviceArray<float> out(32);
  return count_accesses([&] { access_patterns::shared_strided(out.data(), stride); })
      .shared_loads.conflict_degree();
}

TEST(SharedAccesses, AStrideConflictsByItsCommonFactorWith32) {
  EXPECT_EQ(degree_of_strided(0), 1) << "a word for all lanes is one pass";
  EXPECT_EQ(degree_of_strided(1), 1);
  EXPECT_EQ(degree_of_strided(2), 2);
  EXPECT_EQ(degree_of_strided(3), 1);
  EXPECT_EQ(degree_of_strided(12), 4);
  EXPECT_EQ(degree_of_strided(31), 1);
}

TEST(SharedAccesses, VectorsSideBySideGoAQuarterOfAWarpAtATime) {
  const simt::DeviceArray<float> out(128);
  const AccessCount loads =
      count_accesses([&] { access_patterns::shared_vectors(out.data()); }).shared_loads;
  EXPECT_EQ(loads.requests, 1);
  EXPECT_EQ(loads.cost, 4);
  EXPECT_EQ(loads.conflict_degree(), 1);
}

TEST(Accesses, NothingIsCountedOutside) {
  const simt::DeviceArray<float> in(64), out(64);
  access_patterns::strided(out.data(), in.data(), 1, 0);
  const AccessCounts counts = count_accesses([] {});
  EXPECT_EQ(counts.global_loads.requests, 0);
}

}  // namespace
}  // namespace quire::test
