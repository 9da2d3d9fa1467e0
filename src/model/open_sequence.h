/// \file
/// \brief A sequence that is released whatever happens.
#pragma once

#include <span>

#include "src/core/error.h"
#include "src/kv/kv_manager.h"

namespace quire {

/// \brief The one sequence of a loop, open for as long as this lives.
class OpenSequence {
 public:
  /// \brief The name it goes by.
  static constexpr SequenceId kId{0};

  /// \brief Opens it.
  /// \param manager   of the cache; must outlive this
  /// \param prompt    its first tokens
  /// \param max_rows  the most rows that it will have
  /// \throws Error if the cache has no room for it
  OpenSequence(KvManager& manager, std::span<const TokenId> prompt, int max_rows)
      : manager_(manager) {
    require(manager_.open(kId, prompt, max_rows),
            "the cache has no room for a sequence of {} rows now", max_rows);
  }
  ~OpenSequence() { manager_.release(kId); }
  OpenSequence(const OpenSequence&) = delete;             ///< One owner.
  OpenSequence& operator=(const OpenSequence&) = delete;  ///< One owner.

 private:
  KvManager& manager_;
};

}  // namespace quire
