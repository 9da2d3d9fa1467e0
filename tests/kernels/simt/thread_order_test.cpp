#include "kernels/simt/thread_order.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <set>
#include <vector>

#include "src/core/error.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

using simt::Order;
using simt::detail::ThreadOrder;

std::vector<unsigned> first_numbers(unsigned count) {
  std::vector<unsigned> result(count);
  std::iota(result.begin(), result.end(), 0u);
  return result;
}

std::vector<unsigned> threads_in(ThreadOrder& order, unsigned count) {
  std::vector<unsigned> ranks;
  order.threads(count, ranks);
  return ranks;
}

TEST(ThreadOrder, AscendingAndDescendingAreOpposites) {
  ThreadOrder up("ascending"), down("descending");
  std::vector<unsigned> opposite = first_numbers(100);
  EXPECT_EQ(threads_in(up, 100), opposite);
  EXPECT_EQ(up.blocks(100), opposite);
  std::reverse(opposite.begin(), opposite.end());
  EXPECT_EQ(threads_in(down, 100), opposite);
  EXPECT_EQ(down.blocks(100), opposite);
}

// A warp runs as a whole before the next one; the warps and their lanes are in any order.
TEST(ThreadOrder, ShuffledThreadsStayWithTheirWarp) {
  ThreadOrder order("shuffled:7");
  for (const unsigned count : {1u, 31u, 32u, 100u, 1024u}) {
    std::vector<unsigned> ranks = threads_in(order, count);
    std::vector<unsigned> warps;
    for (const unsigned rank : ranks) {
      if (warps.empty() || warps.back() != rank / 32) warps.push_back(rank / 32);
    }
    EXPECT_EQ(warps.size(), std::set<unsigned>(warps.begin(), warps.end()).size()) << count;
    if (count == 1024) {
      EXPECT_FALSE(std::is_sorted(warps.begin(), warps.end()));
    }
    std::sort(ranks.begin(), ranks.end());
    EXPECT_EQ(ranks, first_numbers(count));
  }
}

TEST(ThreadOrder, TheSameSeedDrawsTheSameOrders) {
  ThreadOrder one("shuffled:7"), other("shuffled:8"), again;
  again.set(Order::shuffled, 7);
  const std::vector<unsigned> first = threads_in(one, 512), second = threads_in(one, 512);
  EXPECT_EQ(first, threads_in(again, 512));
  EXPECT_EQ(second, threads_in(again, 512));
  EXPECT_NE(first, second);
  EXPECT_NE(first, threads_in(other, 512));
}

TEST(ThreadOrder, OtherWordsAreRefused) {
  for (const char* text : {"", "Ascending", "shuffled", "shuffled:", "shuffled:x", "shuffled:1 ",
                           "shuffled:99999999999999999999"}) {
    expect_error([&] { ThreadOrder order(text); },
                 {"QUIRE_THREAD_ORDER", "ascending, descending or shuffled:SEED"});
  }
}

}  // namespace
}  // namespace quire::test
