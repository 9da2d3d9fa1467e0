/// \file
/// \brief In which order the blocks of a grid and the threads of a block run.
#pragma once

#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "kernels/simt/runtime.h"

namespace quire::simt::detail {

/// \brief Draws orders.
class ThreadOrder {
 public:
  /// \brief Ascending, unless told otherwise.
  ThreadOrder() = default;
  /// \brief An order as it is written in QUIRE_THREAD_ORDER.
  /// \param text  `ascending`, `descending` or `shuffled:SEED`
  /// \throws Error if it is none of these
  explicit ThreadOrder(std::string_view text);

  /// \brief Sets the order, and starts the random numbers anew.
  /// \param order  who runs first
  /// \param seed   of a shuffled order
  void set(Order order, std::uint64_t seed);

  /// \brief Whether each barrier draws a new order of the threads.
  bool redraws() const { return order_ == Order::shuffled; }

  /// \brief Blocks in the order in which they run.
  /// \param count  how many
  std::vector<unsigned> blocks(unsigned count);

  /// \brief Threads in the order in which they run.
  ///
  /// A warp goes as far as it can before the next one starts. Were each next thread drawn anew, all
  /// warps would advance side by side, and hardly any would ever be a phase ahead, which is what it
  /// takes to see a missing barrier.
  /// \param count  threads in the block
  /// \param ranks  is set to their ranks
  void threads(unsigned count, std::vector<unsigned>& ranks);

 private:
  Order order_ = Order::ascending;
  std::mt19937_64 random_;
};

}  // namespace quire::simt::detail
