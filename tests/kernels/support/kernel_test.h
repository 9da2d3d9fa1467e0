/// \file
/// \brief What tests that launch kernels share: a device, and four orders of its threads.
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/simt/runtime.h"
#include "tests/support/comparison_log.h"

namespace quire::test {

/// \brief An order of threads, and its seed.
struct ThreadOrdering {
  simt::Order order;   ///< who runs first
  std::uint64_t seed;  ///< of a shuffled order
  const char* name;    ///< for messages
};

/// \brief The orders in which every kernel must give the same result.
inline constexpr std::array<ThreadOrdering, 4> kThreadOrders = {{
    {simt::Order::ascending, 0, "ascending"},
    {simt::Order::descending, 0, "descending"},
    {simt::Order::shuffled, 1, "shuffled:1"},
    {simt::Order::shuffled, 2, "shuffled:2"},
}};

/// \brief What kernels run on in this program, as the comparison report calls it.
inline std::string back_end() {
  const char* device = simt::device_name();
  return device != nullptr && std::string_view(device) == "the emulator" ? "emulated" : "gpu";
}

/// \brief Runs a check in each of the four orders; afterwards the order is ascending.
/// \param check  launches kernels and looks at what they wrote; called with the ordering's number,
///               to draw other inputs each time
template <class Check>
void in_every_order(const Check& check) {
  for (std::uint64_t i = 0; i < kThreadOrders.size(); ++i) {
    const testing::ScopedTrace trace(__FILE__, __LINE__,
                                     std::string("threads run ") + kThreadOrders[i].name);
    comparing({.implementation = back_end(), .variant = kThreadOrders[i].name});
    simt::set_order(kThreadOrders[i].order, kThreadOrders[i].seed);
    check(i);
  }
  simt::set_order(simt::Order::ascending);
}

/// \brief A test that launches kernels: skipped where nothing can run them.
class KernelTest : public testing::Test {
 protected:
  KernelTest() { comparing({.implementation = back_end(), .variant = kThreadOrders[0].name}); }
  /// \brief Skips.
  void SetUp() override {
    if (!simt::device_name()) GTEST_SKIP() << "there is no GPU here that runs CUDA";
  }
};

}  // namespace quire::test
