/// \file
/// \brief Counts what the accesses of a warp cost on a GPU: sectors of global memory, and conflicts
/// of shared memory's banks.
///
/// Kernels are compiled by GCC with `-fsanitize=thread` and linked without ThreadSanitizer: then each
/// of their loads and stores calls a function of ours (access_callbacks.cpp) with its address. (Clang
/// will not do: it copies a vector such as `float4` by memcpy.) A GPU executes a load for all lanes of
/// a warp at once; the emulator does it lane by lane, so accesses belong together that are of one
/// warp, at one place of the program, and the same visit of each lane to that place. Where lanes go
/// round a loop a different number of times before they come to a place, visits that a GPU would make
/// together may be told apart.
///
/// Counted as the source says it: a GPU's compiler may merge loads or keep values in registers that
/// this one loads again. Not counted: asynchronous copies, and caches, which this knows nothing of.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace quire::simt {

/// \brief Accesses of warps to one kind of memory.
struct AccessCount {
  std::int64_t requests = 0;  ///< loads, stores and atomics, each of a warp
  std::int64_t lanes = 0;     ///< lanes that took part in them
  std::int64_t bytes = 0;     ///< bytes that they asked for, each once
  std::int64_t cost = 0;      ///< global: sectors of 32 bytes; shared: passes through the banks
  std::int64_t least = 0;  ///< shared: passes if there were no conflicts; global: as `bytes` needs

  /// \brief Global: sectors per request. 4 for 32 floats side by side, 32 at the worst.
  double sectors_per_request() const { return ratio(requests); }
  /// \brief Shared: the mean degree of conflict. 1 is none, 32 the worst.
  double conflict_degree() const { return ratio(least); }
  /// \brief Global: the part of the bytes moved that was asked for.
  double used() const {
    return cost == 0 ? 1.0 : static_cast<double>(bytes) / (32.0 * static_cast<double>(cost));
  }
  /// \brief Adds another count.
  /// \param other  what is added
  AccessCount& operator+=(const AccessCount& other) {
    requests += other.requests;
    lanes += other.lanes;
    bytes += other.bytes;
    cost += other.cost;
    least += other.least;
    return *this;
  }

 private:
  double ratio(std::int64_t of) const {
    return of == 0 ? 0.0 : static_cast<double>(cost) / static_cast<double>(of);
  }
};

/// \brief One access of one lane.
struct LaneAccess {
  unsigned lane;           ///< 0 to 31
  std::uintptr_t address;  ///< of its first byte
  std::size_t bytes;       ///< 1, 2, 4, 8 or 16
};

/// \brief The distinct sectors of 32 bytes that a warp's access touches.
/// \param lanes  its lanes' accesses
std::int64_t sectors(const std::vector<LaneAccess>& lanes);

/// \brief How often a warp's access goes through the banks of shared memory.
struct BankPasses {
  std::int64_t taken;  ///< how often
  std::int64_t least;  ///< how often it would go without conflicts
};

/// \brief The passes through 32 banks of 4 bytes that a warp's access takes. In one pass each bank
/// gives one word, to any number of lanes. (CUDA C++ Best Practices Guide, "Shared Memory and Memory
/// Banks".) Accesses of 8 bytes are counted half a warp at a time, of 16 bytes a quarter; of these the
/// guide says nothing.
/// \param lanes  its lanes' accesses
BankPasses bank_passes(const std::vector<LaneAccess>& lanes);

/// \brief What a launch's accesses cost, by memory and direction.
struct AccessCounts {
  AccessCount global_loads;       ///< from device memory
  AccessCount global_stores;      ///< to device memory, atomics among them
  AccessCount shared_loads;       ///< from shared memory, static or dynamic
  AccessCount shared_stores;      ///< to shared memory
  std::int64_t shared_bytes = 0;  ///< of shared memory that a block touched, at the most
};

/// \brief Whether this program's kernels are compiled for counting; if not, all counts are 0.
bool counts_accesses();

/// \brief Counts the accesses of kernels compiled for it.
/// \param launches  launches kernels
/// \throws whatever `launches` throws
AccessCounts count_accesses(const std::function<void()>& launches);

namespace detail {

/// \brief Called for each access of a kernel.
/// \param address  of its first byte
/// \param bytes    how many
/// \param store    whether it writes
/// \param site     the place of the program: the return address of the callback
void note_access(const void* address, std::size_t bytes, bool store, const void* site);

}  // namespace detail
}  // namespace quire::simt
