#include "src/core/threads.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "src/core/error.h"

namespace quire {
namespace {

// Long enough to bridge two operators of a step, short enough not to starve a busy machine.
constexpr int kSpins = 2000;

// Looks again and again whether something is done, for a while; false if it was not.
template <class Done>
bool spin_until(Done done) {
  for (int i = 0; i < kSpins; ++i) {
    if (done()) return true;
  }
  return false;
}

int team_size(int threads) {
  require(threads >= 0 && threads <= 1024, "threads must be 0 (one a core) to 1024, not {}",
          threads);
  if (threads > 0) return threads;
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

}  // namespace

ThreadPool::ThreadPool(int threads) {
  const int helpers = team_size(threads) - 1;
  try {
    for (int part = 1; part <= helpers; ++part) helpers_.emplace_back([this, part] { help(part); });
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

void ThreadPool::parallel_for(Index count, Index grain,
                              const std::function<void(Index, Index)>& body) {
  const Index parts = std::min<Index>(size(), count / std::max<Index>(grain, 1));
  if (parts <= 1) {
    if (count > 0) body(0, count);
    return;
  }
  body_ = &body;
  count_ = count;
  parts_ = parts;
  running_ = size() - 1;
  ++round_;
  round_.notify_all();
  run_part(0);
  while (!spin_until([this] { return running_ == 0; })) std::this_thread::yield();
  if (const std::exception_ptr failure = std::exchange(failure_, nullptr)) {
    std::rethrow_exception(failure);
  }
}

void ThreadPool::run_part(Index part) {
  try {
    (*body_)(count_ * part / parts_, count_ * (part + 1) / parts_);
  } catch (...) {
    const std::lock_guard lock(failure_mutex_);
    if (!failure_) failure_ = std::current_exception();
  }
}

void ThreadPool::help(int part) {
  for (std::uint32_t seen = 0;;) {
    if (!spin_until([this, seen] { return round_ != seen; })) round_.wait(seen);
    if (stop_) return;
    ++seen;
    if (part < parts_) run_part(part);
    --running_;
  }
}

}  // namespace quire
