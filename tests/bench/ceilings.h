/// \file
/// \brief What the machine can do: samples of its memory and of its arithmetic.
#pragma once

#include <vector>

#include "src/core/threads.h"

namespace quire::bench {

/// \brief Reads memory, all threads beside each other, and does as little else as possible.
/// \param threads  read a part each
/// \param memory   far more than the caches hold
/// \return a number that depends on all of it
std::uint64_t read_all(ThreadPool& threads, const std::vector<std::uint64_t>& memory);

/// \brief Multiplies and adds in registers only.
/// \param threads  each does the same
/// \param rounds   how often a thread goes over its registers
/// \return FLOPs done
double multiply_add_all(ThreadPool& threads, Index rounds);

}  // namespace quire::bench
