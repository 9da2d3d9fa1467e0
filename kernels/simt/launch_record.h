/// \file
/// \brief Which kernels were launched, and what it took the emulator to run them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace quire::simt {

/// \brief One launch. The counts are the same in every order of threads.
struct LaunchRecord {
  std::string launcher;              ///< the function that launched: "rms_norm"
  std::array<unsigned, 3> grid{};    ///< blocks along x, y and z
  std::array<unsigned, 3> block{};   ///< threads of a block along x, y and z
  std::size_t shared_bytes = 0;      ///< dynamic shared memory of a block
  std::int64_t threads = 0;          ///< of all blocks together
  std::int64_t resumptions = 0;      ///< times that one of them was let go on
  std::int64_t barriers = 0;         ///< barriers of a block, each once for the whole block
  std::int64_t warp_operations = 0;  ///< shuffles, votes and barriers of warps, each once a warp
  double seconds = 0;                ///< that the emulator ran
};

/// \brief Records what a function launches in the emulator. Launches that fail are left out.
/// \param launches  launches kernels
/// \throws whatever `launches` throws
std::vector<LaunchRecord> record_launches(const std::function<void()>& launches);

}  // namespace quire::simt
