/// \file
/// \brief How long launches take, and how long they would take at least.
#pragma once

#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "src/report/table.h"

namespace quire::test {

/// \brief What a kernel must move and compute, by its contract.
struct Needs {
  double bytes = 0;  ///< read and written
  double flops = 0;  ///< a multiply-add is two
};

/// \brief Times launches on the device that runs kernels.
///
/// The floor of a launch is its bytes over the bandwidth of a copy, or its FLOPs over the rate of an F32
/// product by the vendor's library, whichever is longer. Without a library only bytes count.
class LaunchTimes {
 public:
  /// \brief Measures the two rates.
  /// \param copied   floats to copy
  /// \param product  the extent of the square matrices to multiply
  LaunchTimes(std::int64_t copied, std::int64_t product);

  /// \brief Launches again and again, and notes the least of three means.
  /// \param name    what the table calls it
  /// \param needs   what it must move and compute
  /// \param launch  enqueues it on the null stream
  void time(const std::string& name, Needs needs, const std::function<void()>& launch);

  /// \brief For people: a row for each launch.
  Table table() const;
  /// \brief For programs: the device, the two rates, and a member of `kernels` for each launch.
  nlohmann::json json() const;

 private:
  struct Timed {
    std::string name;
    Needs needs;
    double seconds;
  };

  double floor_of(const Needs& needs) const;

  double bandwidth_;                // bytes a second, read and written
  std::optional<double> products_;  // FLOPs a second
  std::vector<Timed> timed_;
};

}  // namespace quire::test
