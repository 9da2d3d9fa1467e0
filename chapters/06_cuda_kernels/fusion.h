/// \file
/// \brief Chapter 06: the bytes that kernels ask for, in one kernel and in several.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/simt/access_counter.h"

namespace quire {

/// \brief Some work as several kernels, or as one.
struct Way {
  std::string name;          ///< the kernels
  std::int64_t launches;     ///< how many
  simt::AccessCounts asked;  ///< what their warps asked for

  /// \brief Bytes loaded and stored.
  std::int64_t bytes() const { return asked.global_loads.bytes + asked.global_stores.bytes; }
};

/// \brief The same work both ways.
struct Fusion {
  Way apart;          ///< several kernels
  Way fused;          ///< one kernel
  bool same = false;  ///< whether both wrote the same bits
};

/// \brief The residual connection with the norm after it, and rotation with the store, both ways, on
/// the made-up step.
/// \param seed  of the made-up numbers
std::vector<Fusion> fusions(std::uint64_t seed);

/// \brief What a warp's load takes whose lanes read floats that are some floats apart.
struct StridedLoad {
  unsigned stride;         ///< in floats
  simt::AccessCount load;  ///< of the warp
};

/// \brief Loads of several strides, the first of them 1.
std::vector<StridedLoad> strided_loads();

}  // namespace quire
