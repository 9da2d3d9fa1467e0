/// \file
/// \brief Chapter 06: what catches a broken kernel.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chapters/06_cuda_kernels/broken.h"
#include "src/core/json.h"

namespace quire {

/// \brief A broken kernel in one order of its threads.
struct Trial {
  std::string order;  ///< its name
  int wrong = 0;      ///< numbers that are not the sum, NaN among them
  int nan = 0;        ///< numbers that are NaN
  std::string error;  ///< what the emulator said, empty if it let it pass
};

/// \brief What ThreadSanitizer said.
struct Races {
  bool looked = false;             ///< false where it cannot run
  std::vector<std::string> lines;  ///< "a write at broken.cu:34 and an earlier read at ..."
};

/// \brief Runs a kernel in four orders.
/// \param kernel  whole or broken
/// \param seed    of the numbers, and of shuffled orders
std::vector<Trial> try_in_every_order(const BrokenKernel& kernel, std::uint64_t seed);

/// \brief Runs a kernel under ThreadSanitizer, in a process of its own: the program
/// `06_cuda_kernels_races` beside this one.
/// \param name  of the kernel
Races look_for_races(const std::string& name);

/// \brief The data races of a report of ThreadSanitizer, each once.
/// \param report  what it printed
std::vector<std::string> races_in(const std::string& report);

/// \brief The trials and races as text for a terminal.
/// \param kernel  which
/// \param trials  in every order
/// \param races   what ThreadSanitizer said
std::string text_of(const BrokenKernel& kernel, const std::vector<Trial>& trials,
                    const Races& races);

/// \brief The same as JSON.
/// \param kernel  which
/// \param trials  in every order
/// \param races   what ThreadSanitizer said
Json to_json(const BrokenKernel& kernel, const std::vector<Trial>& trials, const Races& races);

/// \brief Runs one kernel once, for whoever watches.
/// \param kernel  which
/// \param x       its row
/// \return what it wrote
std::vector<float> sums_by(const BrokenKernel& kernel, const std::vector<float>& x);

}  // namespace quire
