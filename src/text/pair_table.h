/// \file
/// \brief A table of pairs of tokens, made once and asked for each neighbour of a text.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief What a rule makes of a pair.
struct Merge {
  TokenId left{};    ///< the first of the pair
  TokenId right{};   ///< the second
  int rank = 0;      ///< of its rule; the lowest goes first
  TokenId merged{};  ///< what they become
};

/// \brief Merges by their pair: a hash table without links, at most half full, so that a lookup
/// touches one place of memory, seldom two.
class PairTable {
 public:
  /// \brief A table without pairs.
  /// \param pairs  how many there will be at most
  explicit PairTable(std::size_t pairs);

  /// \brief Adds a merge, or replaces that of the same pair.
  /// \param merge  its pair and what becomes of it; ids are not negative
  void set(const Merge& merge);
  /// \brief The merge of a pair, valid as long as the table does not change.
  /// \param left   any token
  /// \param right  any token
  /// \return nullptr if there is none
  const Merge* find(TokenId left, TokenId right) const;
  /// \brief All places of the table; those whose `left` is negative are empty.
  const std::vector<Merge>& places() const { return places_; }

 private:
  std::size_t place_of(TokenId left, TokenId right) const;

  int shift_;  // the highest bits of a hash are a place
  std::vector<Merge> places_;
};

}  // namespace quire
