/// \file
/// \brief The implementations of the operators, and the fixture that runs a contract on each.
#pragma once

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/ops/ops.h"
#include "tests/support/comparison_log.h"

namespace quire::test {

/// \brief One implementation of the operators, as the suite runs it.
struct OpsUnderTest {
  std::string name;                            ///< letters and digits, part of the tests' names
  std::function<std::unique_ptr<Ops>()> make;  ///< makes a fresh one, with counters at 0
  double unit_roundoff = 0x1p-24;              ///< of its arithmetic; every bound scales with it
  Compared compared = {};                      ///< what the comparison report calls it
  /// Says why it cannot run here; nothing if it can.
  std::function<std::string()> missing = [] { return std::string(); };
};

/// \brief How a failure calls an implementation.
/// \param tested  which
/// \param out     where to
inline void PrintTo(const OpsUnderTest& tested, std::ostream* out) {
  *out << tested.name;
}

/// \brief All implementations: Eigen and SIMD with one thread and several, the kernels emulated in four
/// orders of threads, and the kernels on a GPU, whose tests are skipped where there is none.
std::vector<OpsUnderTest> all_ops();

/// \brief Runs a contract on every implementation; each test has a fresh one.
class OpsTest : public testing::TestWithParam<OpsUnderTest> {
 protected:
  OpsTest() { comparing(GetParam().compared); }
  /// \brief Skips.
  void SetUp() override {
    if (const std::string why = GetParam().missing(); !why.empty()) GTEST_SKIP() << why;
  }
  /// \brief The operators under test.
  Ops& ops() { return *ops_; }
  /// \brief Half the distance from 1 to the next number of its arithmetic.
  double unit() const { return GetParam().unit_roundoff; }
  /// \brief Checks what one operator has done since the test began.
  /// \param op        the operator
  /// \param expected  its bill, worked out by hand
  void expect_bill(Operator op, const Work& expected);

 private:
  std::unique_ptr<Ops> ops_ = GetParam().make();
};

}  // namespace quire::test

/// \brief Runs a suite over an OpsTest on every implementation.
#define QUIRE_ON_ALL_OPS(suite)                                                    \
  INSTANTIATE_TEST_SUITE_P(On, suite, testing::ValuesIn(::quire::test::all_ops()), \
                           [](const auto& info) { return info.param.name; })
