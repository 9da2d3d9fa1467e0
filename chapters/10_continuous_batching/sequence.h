/// \file
/// \brief A sequence as a scheduler sees it.
#pragma once

#include <optional>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief The tokens that a sequence knows, and how long it may become.
///
/// How many of them are *computed*, `stored`, is the cache's to say. The difference is what is left
/// to do, whatever its cause: a prompt, a chosen token, rows that were lost to somebody else.
struct Sequence {
  SequenceId id{};                         ///< its name; later arrivals have greater ones
  std::vector<TokenId> tokens;             ///< prompt and generated: what it knows
  int max_rows = 0;                        ///< P + G - 1: the most rows it will ever store
  std::optional<SequenceId> sibling = {};  ///< an earlier sequence that begins with the same tokens
  int shared = 0;                          ///< how many tokens that are

  /// \brief How many tokens it knows.
  int known() const { return static_cast<int>(tokens.size()); }
};

}  // namespace quire
