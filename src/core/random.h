/// \file
/// \brief Seeded random numbers: the same on every machine, one stream per owner.
#pragma once

#include <cstdint>

namespace quire {

/// \brief A stream of random numbers from one seed (SplitMix64: Steele, Lea and Flood, "Fast
/// splittable pseudorandom number generators", OOPSLA 2014).
///
/// Whoever draws owns its stream, so that nobody's numbers depend on what neighbours draw.
class Random {
 public:
  /// \brief A stream; equal seeds give equal streams.
  /// \param seed  any number
  explicit Random(std::uint64_t seed) : state_(seed) {}

  /// \brief One of the streams that belong to a seed. Stream 0 is that of the seed itself; any two
  /// of one seed differ, and none of them is a stream of the next seed.
  /// \param seed    any number
  /// \param stream  which of them
  static Random of(std::uint64_t seed, std::uint64_t stream) {
    // The seed is scattered first, and then counted up from: streams of one seed begin next to each
    // other, those of two seeds far apart.
    return Random(stream == 0 ? seed : Random(seed).bits() + stream);
  }

  /// \brief The next 64 random bits.
  std::uint64_t bits() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }

  /// \brief A number of [0, 1): a multiple of 2^-53, each as likely as the other.
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }

  /// \brief A normally distributed number: mean 0, deviation 1 (Box and Muller, 1958).
  double normal();

  /// \brief A whole number of [0, n).
  /// \param n  at least 1
  std::uint64_t below(std::uint64_t n) {
    return static_cast<std::uint64_t>(uniform() * static_cast<double>(n));
  }

 private:
  std::uint64_t state_;
};

}  // namespace quire
