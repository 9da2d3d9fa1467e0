/// \file
/// \brief How often a program has asked for memory. Replaces malloc and its relatives, so that only
/// programs that link it are counted.
#pragma once

namespace quire::test {

/// \brief Whether allocations are counted: sanitizers have allocators of their own.
bool counts_allocations();

/// \brief Calls of malloc and its relatives so far, by operator new and Eigen too.
int allocations();

}  // namespace quire::test
