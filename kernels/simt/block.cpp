#include "kernels/simt/block.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <utility>

#include "kernels/simt/sanitizer.h"
#include "src/core/error.h"

namespace quire::simt::detail {
namespace {

struct Cancelled {};  // thrown into the waiting threads of a block that failed

uint3 index_in(const dim3& shape, unsigned rank) {
  return {rank % shape.x, rank / shape.x % shape.y, rank / shape.x / shape.y};
}

std::string text(const uint3& index) {
  return fmt::format("({},{},{})", index.x, index.y, index.z);
}

std::string text(const CallSite& site) {
  return fmt::format("{} at {}", site.name, place(site));
}

unsigned bit_of(const Thread& thread) {
  return 1u << thread.rank % unsigned{warpSize};
}

// The same literal is mostly at the same address.
bool same(const char* a, const char* b) {
  return a == b || std::strcmp(a, b) == 0;
}

bool same_place(const CallSite& a, const CallSite& b) {
  return a.line == b.line && same(a.file, b.file);
}

}  // namespace

int ReadySet::first() const {
  for (std::size_t word = 0; word < words_.size(); ++word) {
    if (words_[word] != 0) return static_cast<int>(word * 64) + std::countr_zero(words_[word]);
  }
  return -1;
}

// --- The life of a block --------------------------------------------------------------------------

void RunningBlock::run(const dim3& shape, const Body& body, ThreadOrder& order) {
  body_ = &body;
  order_ = &order;
  begin(shape);
  sanitizer::release(&begin_token_);
  while (live_ > 0 && !error_) step();
  // After a failure the others end too, so that their destructors run.
  for (unsigned rank = 0; rank < size_ && error_; ++rank) {
    if (threads_[rank]->state != Thread::State::ended) resume(*threads_[rank]);
  }
  sanitizer::acquire(&end_token_);
  current_ = nullptr;
  if (error_) std::rethrow_exception(std::exchange(error_, nullptr));
}

void RunningBlock::begin(const dim3& shape) {
  size_ = live_ = shape.x * shape.y * shape.z;
  work_.threads += size_;
  at_barrier_ = 0;
  votes_ = 0;
  warps_.assign((size_ + warpSize - 1) / warpSize, {});
  ready_ = {};
  while (threads_.size() < size_) {
    const auto rank = static_cast<unsigned>(threads_.size());
    threads_.push_back(std::make_unique<Thread>(rank, [this, rank] { play(*threads_[rank]); }));
  }
  draw_turns();
  for (unsigned rank = 0; rank < size_; ++rank) {
    Thread& thread = *threads_[rank];
    thread.index = index_in(shape, rank);
    thread.copies.clear();
    thread.groups = 0;
    warp_of(thread).live |= bit_of(thread);
    make_ready(thread);
  }
}

// What a fiber does with its life: it plays one CUDA thread after another.
void RunningBlock::play(Thread& me) {
  for (;;) {
    try {
      sanitizer::acquire(&begin_token_);
      if (!error_) body_->run(body_->given);
      sanitizer::release(&end_token_);
    } catch (const Cancelled&) {
    } catch (const Error& error) {
      fail_here(error.what());
    } catch (...) {
      error_ = std::current_exception();
    }
    end(me);
    me.fiber.suspend();
  }
}

void RunningBlock::end(Thread& thread) {
  thread.state = Thread::State::ended;
  warp_of(thread).live &= ~bit_of(thread);
  --live_;
}

void RunningBlock::resume(Thread& thread) {
  ++work_.resumptions;
  current_ = &thread;
  threadIdx = thread.index;
  running_lane = static_cast<int>(thread.rank % unsigned{warpSize});
  thread.fiber.resume();
}

void RunningBlock::step() {
  const int turn = ready_.first();
  if (turn < 0) return fail_here(describe_deadlock());
  ready_.erase(static_cast<unsigned>(turn));
  Thread& thread = *by_turn_[static_cast<unsigned>(turn)];
  resume(thread);
  if (at_barrier_ == live_ && live_ > 0) open_barrier();
  if (warp_of(thread).waiting != 0) complete_warp_operations(thread.rank / unsigned{warpSize});
}

void RunningBlock::wait(Thread& me, Thread::State state, const CallSite& site) {
  me.state = state;
  me.site = site;
  me.fiber.suspend();
  if (error_) throw Cancelled{};
}

void RunningBlock::draw_turns() {
  order_->threads(size_, turns_);
  by_turn_.resize(size_);
  for (unsigned turn = 0; turn < size_; ++turn) {
    by_turn_[turn] = threads_[turns_[turn]].get();
    by_turn_[turn]->turn = turn;
  }
}

void RunningBlock::make_ready(Thread& thread) {
  thread.state = Thread::State::ready;
  ready_.insert(thread.turn);
}

Thread& RunningBlock::current(const CallSite& site) {
  if (!current_) fail("{}: outside a kernel that simt::launch started", text(site));
  return *current_;
}

// --- Barriers of the block ------------------------------------------------------------------------

BarrierVote RunningBlock::block_barrier(bool predicate, const CallSite& site) {
  Thread& me = current(site);
  if (at_barrier_ == 0) first_at_barrier_ = &me;
  if (const Thread& first = *first_at_barrier_; at_barrier_ > 0 && !same_place(site, first.site)) {
    fail("divergent barrier: this thread is in {}, but thread {} in {}", text(site),
         text(first.index), text(first.site));
  }
  // Two tokens in turn: a thread that goes on late must not inherit what others did since.
  char* const token = &barrier_token_[barriers_ % 2];
  sanitizer::release(token);
  ++at_barrier_;
  votes_ += predicate;
  wait(me, Thread::State::at_barrier, site);
  sanitizer::acquire(token);
  return last_vote_;
}

void RunningBlock::open_barrier() {
  last_vote_ = {votes_, static_cast<int>(at_barrier_)};
  votes_ = 0;
  at_barrier_ = 0;
  ++barriers_;
  ++work_.barriers;
  if (order_->redraws()) draw_turns();
  for (unsigned rank = 0; rank < size_; ++rank) {
    if (threads_[rank]->state == Thread::State::at_barrier) make_ready(*threads_[rank]);
  }
}

// --- Warps ----------------------------------------------------------------------------------------

void RunningBlock::warp_barrier(unsigned mask, const CallSite& site) {
  char* token = nullptr;
  if (QUIRE_RACES) {
    // By mask, as lanes with another one may be in barriers of their own at the same time.
    MaskTokens& tokens = warp_of(current(site)).tokens[mask];
    token = &tokens.token[tokens.operations % 2];
  }
  sanitizer::release(token);
  warp_operation(
      mask, nullptr, [](void* const*) {}, site);
  sanitizer::acquire(token);
}

void RunningBlock::warp_operation(unsigned mask, void* mine, Combine combine,
                                  const CallSite& site) {
  Thread& me = current(site);
  if ((mask & bit_of(me)) == 0) fail("{}: the calling lane is not in its own mask", text(site));
  me.mask = mask;
  me.mine = mine;
  me.combine = combine;
  warp_of(me).waiting |= bit_of(me);
  wait(me, Thread::State::in_warp_operation, site);
}

// An operation is complete when all lanes of its mask are there, but for those that have ended: a
// GPU does not wait for them either. Lanes with other masks may be in another one at the same time.
void RunningBlock::complete_warp_operations(unsigned index) {
  Warp& warp = warps_[index];
  for (unsigned left = warp.waiting; left != 0;) {
    const unsigned leader = static_cast<unsigned>(std::countr_zero(left));
    const Thread& first = *threads_[index * warpSize + leader];
    const unsigned group = first.mask & warp.live;
    left &= ~first.mask;
    if ((warp.waiting & group) != group) continue;
    void* lanes[warpSize] = {};
    if (!gather(index, group, first, lanes)) return;
    warp.waiting &= ~group;
    ++work_.warp_operations;
    if (QUIRE_RACES) ++warp.tokens[first.mask].operations;
    try {
      const sanitizer::IgnoreAccesses ignore;
      first.combine(lanes);
    } catch (const Error& error) {
      return fail_here(text(first.site) + ": " + error.what());
    }
  }
}

// Takes the lanes of a complete operation out of it. False if they are in different ones.
bool RunningBlock::gather(unsigned index, unsigned group, const Thread& first,
                          void* (&lanes)[warpSize]) {
  for (unsigned left = group; left != 0; left &= left - 1) {
    const unsigned lane = static_cast<unsigned>(std::countr_zero(left));
    Thread& thread = *threads_[index * warpSize + lane];
    // The same call on another type moves other data: each type has its own way to combine.
    if (thread.mask != first.mask || thread.combine != first.combine ||
        !same(thread.site.name, first.site.name)) {
      fail_here(
          fmt::format("divergent warp: thread {} is in {}, thread {} in {}, and one is in the "
                      "other's mask",
                      text(thread.index), text(thread.site), text(first.index), text(first.site)));
      return false;
    }
    lanes[lane] = thread.mine;
    make_ready(thread);
  }
  return true;
}

// --- Messages -------------------------------------------------------------------------------------

void RunningBlock::fail_here(const std::string& what) {
  error_ = std::make_exception_ptr(
      Error(fmt::format("block {}, thread {}: {}", text(blockIdx), text(current_->index), what)));
}

std::string RunningBlock::describe_deadlock() const {
  std::string result = "deadlock, nobody can go on:", last;
  for (unsigned rank = 0; rank < size_ && result.size() < 500; ++rank) {
    const Thread& thread = *threads_[rank];
    const std::string state = thread.state == Thread::State::ended
                                  ? " has ended;"
                                  : fmt::format(" waits in {};", text(thread.site));
    if (state != last) result += fmt::format(" thread {}{}", text(thread.index), state);
    last = state;
  }
  result.pop_back();
  return result;
}

}  // namespace quire::simt::detail
