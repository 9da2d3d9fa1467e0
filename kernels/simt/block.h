/// \file
/// \brief One block of CUDA threads while it runs: who waits where, and who goes on next.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "kernels/simt/executor.h"
#include "kernels/simt/fiber.h"
#include "kernels/simt/thread_order.h"

namespace quire::simt::detail {

/// \brief The most threads of a block, as on every GPU.
inline constexpr unsigned kMaxThreads = 1024;

/// \brief One CUDA thread of the block. Its fiber outlives it and plays the next one.
struct Thread {
  /// \brief What it does at the moment.
  enum class State {
    ready,              ///< may run
    at_barrier,         ///< waits for the block
    in_warp_operation,  ///< waits for its warp
    ended,              ///< has returned from the kernel
  };

  /// \brief A thread that has ended.
  /// \param place  its number in the block
  /// \param body   what its fiber does
  Thread(unsigned place, std::function<void()> body)
      : rank(place), fiber("CUDA thread " + std::to_string(place), std::move(body)) {}

  const unsigned rank;                 ///< its number in the block
  unsigned turn = 0;                   ///< its place in the order in which threads run
  uint3 index{};                       ///< its `threadIdx`
  State state = State::ended;          ///< what it does
  CallSite site = "";                  ///< where it waits
  unsigned mask = 0;                   ///< of the warp operation in which it waits
  void* mine = nullptr;                ///< what it brought there
  Combine combine = nullptr;           ///< what is to be done there
  std::vector<AsyncCopy> copies = {};  ///< asynchronous copies not waited for
  unsigned groups = 0;                 ///< groups of copies that it has committed
  Fiber fiber;                         ///< its stack
};

/// \brief Stands for the barriers of the lanes of one mask, for ThreadSanitizer.
struct MaskTokens {
  unsigned operations = 0;  ///< that these lanes have completed
  char token[2] = {};       ///< for their barriers in turn; see RunningBlock::block_barrier
};

/// \brief The threads of one warp.
struct Warp {
  unsigned live = 0;                           ///< lanes that have not ended
  unsigned waiting = 0;                        ///< lanes that are in a warp operation
  std::map<unsigned, MaskTokens> tokens = {};  ///< by mask
};

/// \brief The threads that may run, by turn.
class ReadySet {
 public:
  /// \brief The thread with this turn may run.
  /// \param turn  its place in the order
  void insert(unsigned turn) { words_[turn / 64] |= std::uint64_t{1} << turn % 64; }
  /// \brief It runs, or waits.
  /// \param turn  its place in the order
  void erase(unsigned turn) { words_[turn / 64] &= ~(std::uint64_t{1} << turn % 64); }
  /// \brief The first turn, or -1 if there is none.
  int first() const;

 private:
  std::array<std::uint64_t, kMaxThreads / 64> words_{};
};

/// \brief Runs blocks, one at a time.
class RunningBlock {
 public:
  /// \brief Runs the threads of one block.
  /// \param shape  `blockDim`
  /// \param body   what each thread does
  /// \param order  who runs first
  /// \throws Error as run_grid()
  void run(const dim3& shape, const Body& body, ThreadOrder& order);

  /// \brief The thread that runs.
  /// \param site  who asks
  /// \throws Error if none does: the caller is no kernel, or was not launched
  Thread& current(const CallSite& site);

  /// \brief See detail::block_barrier.
  /// \param predicate  what this thread brings
  /// \param site       where it waits
  BarrierVote block_barrier(bool predicate, const CallSite& site);
  /// \brief See detail::warp_barrier.
  /// \param mask  bit i: lane i takes part
  /// \param site  where it waits
  void warp_barrier(unsigned mask, const CallSite& site);
  /// \brief See detail::warp_operation.
  /// \param mask     bit i: lane i takes part
  /// \param mine     what this lane brings
  /// \param combine  moves the data
  /// \param site     where it waits
  void warp_operation(unsigned mask, void* mine, Combine combine, const CallSite& site);

 private:
  void begin(const dim3& shape);
  void play(Thread& me);
  void resume(Thread& thread);
  void step();
  void wait(Thread& me, Thread::State state, const CallSite& site);
  void draw_turns();
  void make_ready(Thread& thread);
  void end(Thread& thread);
  void open_barrier();
  void complete_warp_operations(unsigned warp);
  bool gather(unsigned warp, unsigned group, const Thread& first, void* (&lanes)[warpSize]);
  Warp& warp_of(const Thread& thread) { return warps_[thread.rank / unsigned{warpSize}]; }
  void fail_here(const std::string& what);
  std::string describe_deadlock() const;

  std::vector<std::unique_ptr<Thread>> threads_;  // by rank; kept for the sake of their stacks
  const Body* body_ = nullptr;
  ThreadOrder* order_ = nullptr;

  // The block that runs.
  unsigned size_ = 0, live_ = 0;
  std::vector<Warp> warps_;
  std::vector<unsigned> turns_;  // ranks in the order in which they run
  std::vector<Thread*> by_turn_;
  ReadySet ready_;
  Thread* current_ = nullptr;
  std::exception_ptr error_;

  // Its next barrier, and what the last one found out.
  unsigned at_barrier_ = 0, barriers_ = 0;
  int votes_ = 0;
  BarrierVote last_vote_{};
  Thread* first_at_barrier_ = nullptr;

  // Addresses that stand for what is ordered; see sanitizer.h.
  char begin_token_ = 0, end_token_ = 0, barrier_token_[2] = {};
};

}  // namespace quire::simt::detail
