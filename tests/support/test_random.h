/// \file
/// \brief Random inputs that differ from test to test and can be had again.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "src/core/random.h"

namespace quire::test {

/// \brief Random numbers of one test: seeded by the test's full name and parameters, the same in
/// every run. While it lives, every failure prints the seed; QUIRE_TEST_SEED=N sets another one.
class TestRandom : public Random {
 public:
  /// \brief A stream of its own for one case of a test.
  /// \param salt  tells several streams in one test apart
  explicit TestRandom(std::uint64_t salt = 0);

  /// \brief What makes this stream.
  std::uint64_t seed() const { return seed_; }

 private:
  TestRandom(std::uint64_t seed, std::nullptr_t);

  std::uint64_t seed_;
  testing::ScopedTrace trace_;
};

}  // namespace quire::test
