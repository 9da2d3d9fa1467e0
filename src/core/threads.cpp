#include "src/core/threads.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "src/core/error.h"

namespace quire {
namespace {

using Clock = std::chrono::steady_clock;

// Long enough to bridge two operators of a step, short enough not to starve a busy machine.
constexpr std::chrono::microseconds kSpin{50};
// Long enough to bridge two steps.
constexpr std::chrono::milliseconds kAwake{1};

// Returns once the word is no longer what it was: looks again and again, then lets others run in
// between, then sleeps until somebody notifies the word.
template <class T>
void wait_for_change(const std::atomic<T>& word, T value, std::chrono::nanoseconds spin) {
  constexpr int kLooks = 64;  // from one look at the clock to the next
  const Clock::time_point start = Clock::now();
  while (Clock::now() - start < spin) {
    for (int i = 0; i < kLooks; ++i) {
      if (word != value) return;
    }
  }
  while (Clock::now() - start < kAwake) {
    if (word != value) return;
    std::this_thread::yield();
  }
  word.wait(value);
}

int cores() {
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

int team_size(int threads) {
  require(threads >= 0 && threads <= 1024, "threads must be 0 (one a core) to 1024, not {}",
          threads);
  if (threads > 0) return threads;
  return cores();
}

}  // namespace

// A team that is larger than the machine would only keep its own members from working.
ThreadPool::ThreadPool(int threads)
    : spin_(team_size(threads) > cores() ? std::chrono::nanoseconds{0} : kSpin) {
  const int helpers = team_size(threads) - 1;
  try {
    for (int i = 0; i < helpers; ++i) helpers_.emplace_back([this] { help(); });
  } catch (const std::system_error& failure) {
    stop();
    fail("the system started {} of {} threads ({}); ask for fewer", helpers_.size() + 1,
         helpers + 1, failure.what());
  } catch (...) {
    stop();
    throw;
  }
}

ThreadPool::~ThreadPool() {
  stop();
}

void ThreadPool::stop() {
  stop_ = true;
  ++round_;
  round_.notify_all();
}

// A part of the rest that leaves as much again for every thread.
ThreadPool::Range ThreadPool::Chunks::next() {
  Index begin = done_, end = begin;
  do {
    const Index part = (count_ - begin) / (2 * threads_) / grain_ * grain_;
    end = std::min(count_, begin + std::max(part, grain_));
  } while (begin < count_ && !done_.compare_exchange_weak(begin, end));
  return {begin, end};
}

void ThreadPool::split(Index count, Index grain, const std::function<void(Index, Index)>& body) {
  const Index parts = std::min<Index>(size(), count / std::max<Index>(grain, 1));
  if (parts <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  body_ = &body;
  count_ = count;
  parts_ = parts;
  next_part_ = 0;
  at_work_ = 0;
  ++round_;
  round_.notify_all();
  run_parts();
  close();
  if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) {
    std::rethrow_exception(failure);
  }
}

// [team]
// Whoever joins before the caller closes the round may look at it; the caller waits for nobody else.
bool ThreadPool::join() {
  int at_work = at_work_;
  while (at_work < kClosed) {
    if (at_work_.compare_exchange_weak(at_work, at_work + 1)) return true;
  }
  return false;
}

void ThreadPool::leave() {
  if (--at_work_ == kClosed) at_work_.notify_one();
}

void ThreadPool::close() {
  for (int left = at_work_ += kClosed; left != kClosed; left = at_work_) {
    wait_for_change(at_work_, left, spin_);
  }
}

void ThreadPool::run_parts() {
  for (Index part = next_part_++; part < parts_; part = next_part_++) run_part(part);
}
// [team]

void ThreadPool::run_part(Index part) {
  try {
    (*body_)(count_ * part / parts_, count_ * (part + 1) / parts_);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void ThreadPool::help() {
  for (std::uint32_t seen = 0;;) {
    wait_for_change(round_, seen, spin_);
    seen = round_;
    if (stop_) return;
    if (!join()) continue;
    run_parts();
    leave();
  }
}

}  // namespace quire
