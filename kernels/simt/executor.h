/// \file
/// \brief Runs a grid of CUDA threads on one thread of the processor: blocks one after another, and
/// in a block each CUDA thread as a fiber, which runs until it must wait for others.
///
/// This is the border between the CUDA functions of kernels (warp.h, async_copy.h, tensor_core.h)
/// and the machine below them (block.h, thread_order.h, fiber.h).
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "kernels/simt/call_site.h"
#include "kernels/simt/thread_index.h"
// Below the definition of dim3.
#include "kernels/simt/launch_config.h"

/// \brief The emulator's inner parts.
namespace quire::simt::detail {

/// \brief Fills memory that nobody has written: NaN in every floating-point format, so that whoever
/// reads it notices.
inline constexpr int kNeverWritten = 0xff;

/// \brief What each thread of a grid does: a function, and what it is given.
struct Body {
  void (*run)(const void* given);  ///< the function
  const void* given;               ///< the kernel and its arguments
};

/// \brief A kernel and its arguments, as a launch hands them over: on the stack of who launches.
struct Launch {
  Body body;                                               ///< for now
  std::shared_ptr<const void> (*copy)(const void* given);  ///< keeps what the body is given
  std::span<const void* const> targets;  ///< where each argument points to; null if nowhere
};

/// \brief Runs a kernel now or enqueues it, as it pleases the runtime that the program has.
/// \param config  the shape of the launch
/// \param launch  gone when this returns
/// \throws Error as check_launch() and, if it runs now, run_grid()
void submit(const LaunchConfig& config, const Launch& launch);

/// \brief Looks at what a GPU refuses at once.
/// \param config  the shape of a launch
/// \throws Error if it is beyond what a GPU of compute capability 9.0 takes, or within a kernel
void check_launch(const LaunchConfig& config);

/// \brief Reads QUIRE_THREAD_ORDER, unless an order was set; the first grid would do it otherwise.
/// \throws Error if it is no order
void prepare_to_run();

/// \brief Runs a grid and returns when all threads have ended.
/// \param config  the shape of the launch
/// \param body    what each thread does
/// \throws Error as check_launch(), if a thread does what CUDA forbids, or if no thread can go on: with
///         block, thread, file and line
void run_grid(const LaunchConfig& config, const Body& body);

// The rest is called by the thread that runs.

/// \brief The dynamic shared memory of the block.
std::byte* dynamic_shared_memory();

/// \brief Whether an address is in the dynamic shared memory of the block.
/// \param address  any
bool is_dynamic_shared(const void* address);

/// \brief Whether an address is in memory that allocate() gave and that was not given back.
/// \param address  any
bool is_device_memory(const void* address);

/// \brief The lane of the thread that runs; the emulator sets it as it sets threadIdx.
inline int running_lane = 0;

/// \brief The lane of the thread in its warp: 0 to 31.
inline int lane() {
  return running_lane;
}

/// \brief What a barrier of the block found out.
struct BarrierVote {
  int yes;      ///< threads that came with `true`
  int threads;  ///< threads that came
};
/// \brief Waits for all threads of the block that have not ended.
/// \param predicate  what this thread brings
/// \param site       where it waits
BarrierVote block_barrier(bool predicate, const CallSite& site);

/// \brief Waits for the lanes of a mask, and orders what they did before what they do after.
/// \param mask  bit i: lane i takes part
/// \param site  where it waits
void warp_barrier(unsigned mask, const CallSite& site);

/// \brief Called once on behalf of all lanes that take part: lane i's pointer in `lanes[i]`, null if
/// it takes no part.
using Combine = void (*)(void* const lanes[warpSize]);

/// \brief The one primitive behind shuffles, votes and matrix products. Each lane brings a pointer
/// to something on its own stack and waits; when all lanes of the mask that have not ended are
/// there, `combine` moves the data. It orders nothing else.
/// \param mask     bit i: lane i takes part
/// \param mine     what this lane brings
/// \param combine  the same for all lanes
/// \param site     where it waits
void warp_operation(unsigned mask, void* mine, Combine combine, const CallSite& site);

/// \brief An asynchronous copy into shared memory that has not been waited for.
struct AsyncCopy {
  void* to;           ///< where the bytes go
  const void* from;   ///< where they are
  std::size_t bytes;  ///< how many are copied
  unsigned group;     ///< how many groups the thread had committed before
};
/// \brief Enqueues a copy of this thread.
/// \param copy  its group is set here
void enqueue(AsyncCopy copy);
/// \brief Closes this thread's group of copies.
void commit_group();
/// \brief Does the copies of all closed groups but the last ones.
/// \param groups_left  how many last groups may stay undone
void wait_for_groups(unsigned groups_left);

/// \brief Ends the kernel: what this thread does is wrong.
/// \param site  where
/// \param what  what is wrong
/// \throws Error always
[[noreturn]] void fail_in_kernel(const CallSite& site, const char* what);

/// \brief Ends a shuffle whose lane wants the value of one that takes no part.
/// \param lane    who wants it
/// \param source  whose value
/// \throws Error always
[[noreturn]] void fail_source(int lane, int source);

/// \brief Ends an operation that needs all 32 lanes and has fewer.
/// \throws Error always
[[noreturn]] void fail_whole_warp();

}  // namespace quire::simt::detail
