/// \file
/// \brief A pool of threads that run the same function over parts of a range.
#pragma once

#include <atomic>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "src/core/tensor.h"

namespace quire {

/// \brief A fixed team of threads; the caller is one of them.
///
/// Between two calls the others spin for a few microseconds, since the next operator usually
/// follows at once, and then sleep. One caller at a time.
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

  /// \brief Calls `body(begin, end)` on consecutive parts that together are [0, count), at most one
  /// a thread, and returns when all have returned.
  /// \param count  the length of the range; none, no call
  /// \param grain  a part has at least so many indices, so that small work stays on one thread
  /// \param body   must not call the pool
  /// \throws whatever `body` threw first, once all parts have ended
  void parallel_for(Index count, Index grain, const std::function<void(Index, Index)>& body);

 private:
  void help(int part);
  void run_part(Index part);
  void stop();

  const std::function<void(Index, Index)>* body_ = nullptr;
  Index count_ = 0;
  Index parts_ = 0;
  std::atomic<std::uint32_t> round_{0};
  std::atomic<int> running_{0};
  std::atomic<bool> stop_{false};
  std::mutex failure_mutex_;
  std::exception_ptr failure_;
  std::vector<std::jthread> helpers_;
};

}  // namespace quire
