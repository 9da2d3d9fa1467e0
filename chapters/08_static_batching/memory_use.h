/// \file
/// \brief Chapter 08: what the rows of a cache are used for, as the PagedAttention paper splits it.
#pragma once

namespace quire {

/// \brief All rows of a cache, each counted once: the five parts add up to `rows`.
///
/// The split is that of figure 2 of Kwon et al., "Efficient Memory Management for Large Language
/// Model Serving with PagedAttention", 2023, arXiv 2309.06180, with one part more, `unclaimed`: the
/// paper measured engines under load, and our runs have an end at which nobody waits any more.
struct MemoryUse {
  int rows = 0;       ///< all that there are
  int tokens = 0;     ///< hold the keys and values of a token that its sequence still needs
  int reserved = 0;   ///< held, still empty; their sequence will fill them
  int internal = 0;   ///< held by a sequence that will never need them, or does no longer
  int external = 0;   ///< nobody can use them: lost to an allocator's rounding, or free while a
                      ///< request waits that does not fit
  int unclaimed = 0;  ///< free, and nobody waits
};

}  // namespace quire
