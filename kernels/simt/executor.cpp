#include "kernels/simt/executor.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <vector>

#include "kernels/simt/block.h"
#include "kernels/simt/grid_limits.h"
#include "kernels/simt/launch_record.h"
#include "kernels/simt/runtime.h"
#include "kernels/simt/thread_order.h"
#include "src/core/error.h"

namespace quire::simt {
namespace detail {
namespace {

constexpr std::size_t kMaxSharedBytes = 227 * 1024;  // of a block, compute capability 9.0
constexpr std::align_val_t kSharedAlignment{128};    // as launch.h promises

using SharedMemory = std::unique_ptr<void, void (*)(void*)>;

// Of exactly this size, so that AddressSanitizer sees any access beyond it.
SharedMemory shared_memory_of(std::size_t bytes) {
  return {::operator new(bytes, kSharedAlignment),
          [](void* memory) { ::operator delete(memory, kSharedAlignment); }};
}

using Clock = std::chrono::steady_clock;

struct Limit {
  const char* what;
  std::uint64_t value, least, most;
};

// The numbers of the CUDA C++ Programming Guide, "Technical Specifications per Compute Capability".
void check_limits(const LaunchConfig& config) {
  const auto& [grid, block, shared_bytes, stream, site] = config;
  const std::uint64_t threads = std::uint64_t{block.x} * block.y * block.z;
  const Limit limits[] = {
      {"blocks along x", grid.x, 1, kMostBlocksX},
      {"blocks along y", grid.y, 1, kMostBlocksY},
      {"blocks along z", grid.z, 1, kMostBlocksY},
      {"threads of a block along x", block.x, 1, 1024},
      {"threads of a block along y", block.y, 1, 1024},
      {"threads of a block along z", block.z, 1, 64},
      {"threads of a block", threads, 1, kMaxThreads},
      {"bytes of dynamic shared memory", shared_bytes, 0, kMaxSharedBytes},
  };
  for (const auto& [what, value, least, most] : limits) {
    if (value >= least && value <= most) continue;
    fail("{} ({}): a launch with {} {}; a GPU takes {} to {}", place(site), site.function, value,
         what, least, most);
  }
}

ThreadOrder order_of_environment() {
  const char* text = std::getenv("QUIRE_THREAD_ORDER");
  return text != nullptr && *text != '\0' ? ThreadOrder(text) : ThreadOrder();
}

// Runs grids, one at a time.
class Executor {
 public:
  void set_order(Order order, std::uint64_t seed) {
    const std::lock_guard lock(mutex_);
    order_.emplace().set(order, seed);
  }

  void prepare() {
    const std::lock_guard lock(mutex_);
    order_of_environment_unless_set();
  }

  void check(const LaunchConfig& config) const {
    check_limits(config);
    if (running_) fail("{}: a kernel cannot launch a kernel", place(config.site));
  }

  void run_grid(const LaunchConfig& config, const Body& body) {
    check(config);
    const std::lock_guard lock(mutex_);
    order_of_environment_unless_set();
    running_ = true;
    const std::shared_ptr<void> stop(nullptr, [](void*) { running_ = false; });
    gridDim = config.grid;
    blockDim = config.block;
    const Work before = block_.work();
    const auto start = Clock::now();
    run_blocks(config, body);
    const std::chrono::duration<double> elapsed = Clock::now() - start;
    if (records_) records_->push_back(record_of(config, before, elapsed.count()));
  }

  // Where launches are recorded from now on, null for nowhere.
  void record(std::vector<LaunchRecord>* records) {
    const std::lock_guard lock(mutex_);
    records_ = records;
  }

  RunningBlock& block() { return block_; }
  std::byte* shared_memory() { return shared_memory_; }
  bool is_shared(const void* address) const {
    const auto at = static_cast<const std::byte*>(address);
    return at >= shared_memory_ && at < shared_memory_ + shared_bytes_;
  }

 private:
  void order_of_environment_unless_set() {
    if (!order_) order_ = order_of_environment();
  }

  void run_blocks(const LaunchConfig& config, const Body& body) {
    const dim3 grid = config.grid;
    const std::uint64_t blocks = std::uint64_t{grid.x} * grid.y * grid.z;
    require(blocks <= std::numeric_limits<unsigned>::max(),
            "{}: {} blocks are more than the emulator can count", place(config.site), blocks);
    const SharedMemory memory = shared_memory_of(config.shared_bytes);
    shared_memory_ = static_cast<std::byte*>(memory.get());
    shared_bytes_ = config.shared_bytes;
    for (const unsigned index : order_->blocks(static_cast<unsigned>(blocks))) {
      blockIdx = {index % grid.x, index / grid.x % grid.y, index / grid.x / grid.y};
      std::fill_n(shared_memory_, config.shared_bytes, std::byte{kNeverWritten});
      block_.run(config.block, body, *order_);
    }
  }

  LaunchRecord record_of(const LaunchConfig& config, const Work& before, double seconds) const {
    const auto& [grid, block, shared_bytes, stream, site] = config;
    const Work& now = block_.work();
    return {.launcher = site.function,
            .grid = {grid.x, grid.y, grid.z},
            .block = {block.x, block.y, block.z},
            .shared_bytes = shared_bytes,
            .threads = now.threads - before.threads,
            .resumptions = now.resumptions - before.resumptions,
            .barriers = now.barriers - before.barriers,
            .warp_operations = now.warp_operations - before.warp_operations,
            .seconds = seconds};
  }

  static thread_local bool running_;  // a grid, on this thread

  std::mutex mutex_;
  std::optional<ThreadOrder> order_;  // that of the environment, unless another was set before
  std::byte* shared_memory_ = nullptr;
  std::size_t shared_bytes_ = 0;
  std::vector<LaunchRecord>* records_ = nullptr;
  RunningBlock block_;
};

thread_local bool Executor::running_ = false;

Executor& executor() {
  // Never destroyed, as its fibers never end.
  static Executor& instance = *new Executor;
  return instance;
}

}  // namespace

void prepare_to_run() {
  executor().prepare();
}

void check_launch(const LaunchConfig& config) {
  executor().check(config);
}

void run_grid(const LaunchConfig& config, const Body& body) {
  executor().run_grid(config, body);
}

std::byte* dynamic_shared_memory() {
  return executor().shared_memory();
}

bool is_dynamic_shared(const void* address) {
  return executor().is_shared(address);
}

BarrierVote block_barrier(bool predicate, const CallSite& site) {
  return executor().block().block_barrier(predicate, site);
}

void warp_barrier(unsigned mask, const CallSite& site) {
  executor().block().warp_barrier(mask, site);
}

void warp_operation(unsigned mask, void* mine, Combine combine, const CallSite& site) {
  executor().block().warp_operation(mask, mine, combine, site);
}

void enqueue(AsyncCopy copy) {
  Thread& me = executor().block().current("__pipeline_memcpy_async");
  copy.group = me.groups;
  me.copies.push_back(copy);
}

void commit_group() {
  ++executor().block().current("__pipeline_commit").groups;
}

void wait_for_groups(unsigned groups_left) {
  Thread& me = executor().block().current("__pipeline_wait_prior");
  const auto due = [&](const AsyncCopy& copy) { return copy.group + groups_left < me.groups; };
  for (const AsyncCopy& copy : me.copies) {
    if (due(copy)) std::memcpy(copy.to, copy.from, copy.bytes);
  }
  std::erase_if(me.copies, due);
}

void fail_in_kernel(const CallSite& site, const char* what) {
  fail("{} at {}: {}", site.name, place(site), what);
}

void fail_source(int lane, int source) {
  fail("lane {} reads from lane {}, which takes no part", lane, source);
}

void fail_whole_warp() {
  fail("it needs all 32 lanes of the warp, and some have ended or do not exist");
}

}  // namespace detail

void set_order(Order order, std::uint64_t seed) {
  detail::executor().set_order(order, seed);
}

std::vector<LaunchRecord> record_launches(const std::function<void()>& launches) {
  std::vector<LaunchRecord> records;
  detail::executor().record(&records);
  const std::shared_ptr<void> stop(nullptr, [](void*) { detail::executor().record(nullptr); });
  launches();
  return records;
}

}  // namespace quire::simt
