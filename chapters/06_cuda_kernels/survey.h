/// \file
/// \brief Chapter 06: runs kernels in several orders of their threads, and counts what they do.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "chapters/06_cuda_kernels/kernel_case.h"
#include "kernels/simt/access_counter.h"
#include "kernels/simt/launch_record.h"
#include "kernels/simt/runtime.h"

namespace quire {

/// \brief An order of threads, with the name that it has on a command line.
struct ThreadOrdering {
  std::string name;        ///< "ascending", "descending", "shuffled:7"
  simt::Order order;       ///< who runs first
  std::uint64_t seed = 0;  ///< of a shuffled order
};

/// \brief The orders that every kernel is run in: ascending, descending and two shuffled ones.
/// \param seed  of the first shuffled one; the second has the next
std::vector<ThreadOrdering> thread_orders(std::uint64_t seed);

/// \brief What a case was in one order.
struct OrderResult {
  std::string order;  ///< its name
  double error = 0;   ///< the largest difference over what is allowed for it; infinite if none is
};

/// \brief What became of a case.
struct KernelReport {
  std::string name;                          ///< of the case
  std::vector<simt::LaunchRecord> launches;  ///< in the first order
  simt::AccessCounts accesses;               ///< in the first order
  std::vector<OrderResult> orders;           ///< one for each order
  double seconds = 0;  ///< that the emulator ran, without counting; the least of all orders

  /// \brief The sum over the launches.
  simt::LaunchRecord total() const;
  /// \brief The worst order's error.
  double worst() const;
};

/// \brief Runs cases in each order, and once more to count.
/// \param cases   what to run
/// \param orders  at least one
/// \throws Error if a kernel does what CUDA forbids
std::vector<KernelReport> survey(const std::vector<KernelCase>& cases,
                                 const std::vector<ThreadOrdering>& orders);

/// \brief The largest difference over what is allowed for it: 0 if all are equal, infinite if two
/// differ that should be equal, or if a number is NaN.
/// \param yours     numbers
/// \param expected  as many
/// \param slack     what each may differ by
double error_over_slack(const std::vector<float>& yours, const std::vector<float>& expected,
                        const std::vector<float>& slack);

}  // namespace quire
