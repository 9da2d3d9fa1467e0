/// \file
/// \brief Chapter 06: the sum of a row by a block of threads, whole and with one mistake each.
///
/// For the emulator only: what a GPU would do with most of these is not defined.
#pragma once

#include <span>
#include <string_view>

namespace quire {

/// \brief Threads of the block, and numbers of the row: four warps.
inline constexpr int kBrokenThreads = 128;

/// \brief A kernel that sums a row, and what is wrong with it.
struct BrokenKernel {
  std::string_view name;     ///< as on a command line
  std::string_view mistake;  ///< in a few words
  /// \brief Launches it.
  /// \param out  kBrokenThreads numbers: each thread writes the sum
  /// \param x    kBrokenThreads numbers
  void (*launch)(float* out, const float* x);
};

/// \brief The whole one first, then the broken ones.
std::span<const BrokenKernel> broken_kernels();

}  // namespace quire
