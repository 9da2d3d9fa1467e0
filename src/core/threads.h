/// \file
/// \brief A pool of threads that run the same function over parts of a range.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "src/core/tensor.h"

namespace quire {

/// \brief A fixed team of threads; the caller is one of them.
///
/// Threads take parts as they come, and the caller takes all that nobody else has begun: on a busy
/// machine it waits for no thread that is not running, unless that one has begun a part. Whoever waits
/// spins for some microseconds, since the next operator usually follows at once; then gives way to
/// other threads, and after about a millisecond sleeps: a program that computes nothing takes no time
/// from the machine. One caller at a time. No call allocates memory.
class ThreadPool {
 public:
  /// \brief Starts the team.
  /// \param threads  its size with the caller, at least 1; 0 means one for each core
  /// \throws Error if `threads` is negative or beyond 1,024, or if the system has no more threads
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;             ///< A team is not copied.
  ThreadPool& operator=(const ThreadPool&) = delete;  ///< A team is not copied.

  /// \brief The size of the team.
  int size() const { return static_cast<int>(helpers_.size()) + 1; }

  /// \brief Calls `body(begin, end)` on consecutive parts that together are [0, count), at most as many
  /// as there are threads, and returns when all have returned.
  /// \param count  the length of the range; none, no call
  /// \param grain  a part has at least so many indices, so that small work stays on one thread
  /// \param body   must not call the pool
  /// \throws whatever `body` threw first, once all parts have ended
  template <class Body>
  void parallel_for(Index count, Index grain, const Body& body) {
    // A reference fits into the function object itself.
    split(count, grain, std::cref(body));
  }

  /// \brief Calls `body(begin, end, thread)` on consecutive chunks that together are [0, count),
  /// handed out as threads become free, and returns when all have returned.
  ///
  /// A chunk is a part of what is left, so that there are few, and the last ones are small: threads
  /// end together although one of them was disturbed, or had more to do. Which thread gets which
  /// chunk differs from run to run.
  /// \param count  the length of the range; none, no call
  /// \param grain  chunks are multiples of it, but for the last; at least 1
  /// \param body   must not call the pool; `thread` is below size(), and no two calls at a time have
  ///               the same
  /// \throws whatever `body` threw first, once all threads have ended
  template <class Body>
  void parallel_chunks(Index count, Index grain, const Body& body) {
    Chunks chunks(count, grain, size());
    const auto work = [&](Index thread, Index) {
      for (Range range = chunks.next(); range.begin < range.end; range = chunks.next()) {
        body(range.begin, range.end, thread);
      }
    };
    parallel_for(std::min<Index>(size(), (count + grain - 1) / grain), 1, work);
  }

 private:
  static constexpr int kClosed = 1 << 30;
  struct Range {
    Index begin, end;
  };
  // A range that is handed out bit by bit.
  class Chunks {
   public:
    Chunks(Index count, Index grain, int threads)
        : count_(count), grain_(grain), threads_(threads) {}
    Range next();

   private:
    const Index count_, grain_;
    const int threads_;
    std::atomic<Index> done_{0};
  };

  void split(Index count, Index grain, const std::function<void(Index, Index)>& body);
  bool join();
  void leave();
  void close();
  void help();
  void run_parts();
  void run_part(Index part);
  void stop();

  const std::function<void(Index, Index)>* body_ = nullptr;
  Index count_ = 0;
  Index parts_ = 0;
  const std::chrono::nanoseconds spin_;
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  // In cache lines of their own: each is written while others look at it.
  alignas(64) std::atomic<std::uint32_t> round_{0};
  alignas(64) std::atomic<int> at_work_{kClosed};  // helpers, and kClosed unless more may join
  alignas(64) std::atomic<Index> next_part_{0};
  alignas(64) std::atomic<bool> stop_{false};
  std::vector<std::jthread> helpers_;
};

}  // namespace quire
