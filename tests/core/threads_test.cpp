#include "src/core/threads.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "src/core/error.h"

namespace quire {
namespace {

using Parts = std::vector<std::pair<Index, Index>>;

// The parts that a pool calls its body on, in ascending order.
Parts parts_of(ThreadPool& pool, Index count, Index grain) {
  std::mutex mutex;
  std::set<std::pair<Index, Index>> parts;
  pool.parallel_for(count, grain, [&](Index begin, Index end) {
    const std::lock_guard lock(mutex);
    EXPECT_TRUE(parts.emplace(begin, end).second) << "a part was called twice";
  });
  return {parts.begin(), parts.end()};
}

void expect_partition(const Parts& parts, Index count) {
  Index next = 0;
  for (const auto& [begin, end] : parts) {
    EXPECT_EQ(begin, next);
    EXPECT_LT(begin, end);
    next = end;
  }
  EXPECT_EQ(next, count);
}

TEST(ThreadPool, EveryIndexBelongsToExactlyOnePart) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (const Index count : {0, 1, 2, 3, 7, 8, 9, 63, 64, 65, 1000}) {
      for (const Index grain : {0, 1, 2, 64, 1001}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << count << " / " << grain);
        expect_partition(parts_of(pool, count, grain), count);
      }
    }
  }
}

TEST(ThreadPool, NoPartIsSmallerThanTheGrainUnlessItIsTheOnlyOne) {
  ThreadPool pool(4);
  for (const Index count : {64, 127, 128, 129, 255, 256, 1000}) {
    const Parts parts = parts_of(pool, count, 64);
    if (parts.size() == 1) continue;
    for (const auto& [begin, end] : parts) EXPECT_GE(end - begin, 64);
  }
  EXPECT_EQ(parts_of(pool, 127, 64).size(), 1u);
  EXPECT_EQ(parts_of(pool, 128, 64).size(), 2u);
}

TEST(ThreadPool, AtMostOnePartForEachThread) {
  ThreadPool pool(3);
  EXPECT_EQ(pool.size(), 3);
  EXPECT_EQ(parts_of(pool, 1000, 1).size(), 3u);
}

TEST(ThreadPool, SurvivesManyRoundsAndReturnsOnlyWhenAllAreDone) {
  ThreadPool pool(3);
  // Plain integers: a part that is still running when the call returns would be a data race.
  std::vector<int> visits(17, 0);
  for (int round = 0; round < 5000; ++round) {
    pool.parallel_for(static_cast<Index>(visits.size()), 1, [&](Index begin, Index end) {
      for (Index i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
    });
  }
  for (const int n : visits) EXPECT_EQ(n, 5000);
}

TEST(ThreadPool, ItsThreadsWorkAtTheSameTime) {
  ThreadPool pool(3);
  std::atomic<int> present{0};
  // Each part waits for the others: with fewer than three threads at work this never ends.
  pool.parallel_for(3, 1, [&](Index, Index) {
    ++present;
    while (present < 3) std::this_thread::yield();
  });
  EXPECT_EQ(present, 3);
}

TEST(ThreadPool, ZeroThreadsMeansOneForEachCore) {
  EXPECT_GE(ThreadPool(0).size(), 1);
}

TEST(ThreadPool, WhatAnyPartThrowsReachesTheCallerAndEndsNothingElse) {
  ThreadPool pool(3);
  for (Index thrower = 0; thrower < 3; ++thrower) {
    std::atomic<int> ended{0};
    EXPECT_THROW(pool.parallel_for(3, 1,
                                   [&](Index begin, Index) {
                                     ++ended;
                                     if (begin == thrower) throw std::bad_alloc();
                                   }),
                 std::bad_alloc);
    EXPECT_EQ(ended, 3);
  }
  std::atomic<int> visits{0};
  pool.parallel_for(3, 1, [&](Index, Index) { ++visits; });
  EXPECT_EQ(visits, 3);
}

TEST(ThreadPool, EveryIndexBelongsToExactlyOneChunk) {
  for (const int threads : {1, 2, 3, 8}) {
    ThreadPool pool(threads);
    for (const Index count : {0, 1, 2, 3, 7, 63, 64, 65, 1000}) {
      for (const Index grain : {1, 2, 64, 1001}) {
        std::mutex mutex;
        std::set<std::pair<Index, Index>> chunks;
        pool.parallel_chunks(count, grain, [&](Index begin, Index end, Index) {
          const std::lock_guard lock(mutex);
          EXPECT_TRUE(chunks.emplace(begin, end).second) << "a chunk was called twice";
          EXPECT_EQ(begin % grain, 0);
        });
        expect_partition({chunks.begin(), chunks.end()}, count);
      }
    }
  }
}

TEST(ThreadPool, AThreadsNumberIsItsOwnWhileItWorks) {
  ThreadPool pool(3);
  std::array<std::atomic<bool>, 3> busy{};
  pool.parallel_chunks(500, 1, [&](Index, Index, Index thread) {
    ASSERT_LT(thread, 3);
    EXPECT_FALSE(busy[static_cast<std::size_t>(thread)].exchange(true));
    std::this_thread::yield();
    busy[static_cast<std::size_t>(thread)] = false;
  });
}

TEST(ThreadPool, AFreeThreadTakesTheChunksOfADelayedOne) {
  ThreadPool pool(2);
  std::atomic<Index> done{0};
  // The first chunk waits until all others are done, which this thread cannot do meanwhile.
  pool.parallel_chunks(100, 1, [&](Index begin, Index end, Index) {
    if (begin == 0) {
      while (done < 100 - (end - begin)) std::this_thread::yield();
    }
    done += end - begin;
  });
  EXPECT_EQ(done, 100);
}

TEST(ThreadPool, WhatAChunkThrowsReachesTheCaller) {
  ThreadPool pool(3);
  EXPECT_THROW(pool.parallel_chunks(100, 1,
                                    [](Index begin, Index, Index) {
                                      if (begin == 0) throw Error("no");
                                    }),
               Error);
}

// Whether all threads of this process but the caller are asleep, as the system says.
bool others_sleep() {
  for (const auto& task : std::filesystem::directory_iterator("/proc/self/task")) {
    if (task.path().filename() == std::to_string(::gettid())) continue;
    std::ifstream file(task.path() / "stat");
    const std::string stat{std::istreambuf_iterator<char>(file), {}};
    const std::size_t name_end = stat.rfind(')');
    if (name_end != std::string::npos && stat.at(name_end + 2) != 'S') return false;
  }
  return true;
}

// Waits for something that must come about by itself; false if it does not in half a minute.
template <class Condition>
bool comes_about(Condition condition) {
  const auto start = std::chrono::steady_clock::now();
  while (!condition()) {
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(30)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

TEST(ThreadPool, IdleThreadsFallAsleepAndWakeUp) {
  if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "needs Linux's /proc";
  ThreadPool pool(3);
  for (int round = 0; round < 3; ++round) {
    std::atomic<int> visits{0};
    pool.parallel_for(3, 1, [&](Index, Index) { ++visits; });
    EXPECT_EQ(visits, 3);
    EXPECT_TRUE(comes_about(others_sleep)) << "a thread without work keeps the machine busy";
  }
}

TEST(ThreadPool, ACallerWithNothingLeftToDoSleepsUntilTheOthersAreDone) {
  if (!std::filesystem::exists("/proc/self/task")) GTEST_SKIP() << "needs Linux's /proc";
  ThreadPool pool(2);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<bool> begun{false}, slept{false};
  pool.parallel_for(2, 1, [&](Index, Index) {
    if (std::this_thread::get_id() == caller) {
      while (!begun) std::this_thread::yield();
    } else {
      begun = true;
      slept = comes_about(others_sleep);
    }
  });
  EXPECT_TRUE(slept);
}

// Holds the thread that gets the signal, as a busy machine holds one that is not its turn.
std::atomic<bool> held{false}, released{false}, gave_up{false};
void hold(int) {
  held = true;
  const auto start = std::chrono::steady_clock::now();
  while (!released && !gave_up) {
    gave_up = std::chrono::steady_clock::now() - start > std::chrono::seconds(10);
  }
}

TEST(ThreadPool, DoesNotWaitForAThreadThatIsNotRunning) {
#ifdef __SANITIZE_THREAD__
  GTEST_SKIP() << "ThreadSanitizer delivers signals late";
#endif
  ThreadPool pool(2);
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<pthread_t> helper{};
  std::atomic<bool> known{false};
  pool.parallel_for(2, 1, [&](Index, Index) {
    if (std::this_thread::get_id() != caller) {
      helper = pthread_self();
      known = true;
    }
    while (!known) std::this_thread::yield();
  });
  const auto before = std::signal(SIGUSR1, hold);
  pthread_kill(helper, SIGUSR1);
  ASSERT_TRUE(comes_about([] { return held.load(); }));
  int visits = 0;
  pool.parallel_for(2, 1, [&](Index, Index) { ++visits; });
  released = true;
  EXPECT_EQ(visits, 2);
  EXPECT_FALSE(gave_up);
  std::signal(SIGUSR1, before);
}

TEST(ThreadPool, ImpossibleTeamsAreRefused) {
  EXPECT_THROW(ThreadPool(-1), Error);
  EXPECT_THROW(ThreadPool(1025), Error);
}

}  // namespace
}  // namespace quire
