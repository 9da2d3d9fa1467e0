#include "src/text/pair_table.h"

#include <bit>

namespace quire {
namespace {

constexpr TokenId kEmpty{-1};

}  // namespace

PairTable::PairTable(std::size_t pairs) {
  const std::size_t size = std::bit_ceil(2 * pairs + 2);
  shift_ = 64 - std::countr_zero(size);
  places_.resize(size, Merge{kEmpty, kEmpty, 0, kEmpty});
}

void PairTable::set(const Merge& merge) {
  places_[place_of(merge.left, merge.right)] = merge;
}

const Merge* PairTable::find(TokenId left, TokenId right) const {
  const Merge& merge = places_[place_of(left, right)];
  return merge.left == kEmpty ? nullptr : &merge;
}

// Where the pair is, or the empty place where it would be. The factor, 2^64 by the golden ratio,
// spreads ids that lie close together (Knuth, "The Art of Computer Programming", 6.4).
std::size_t PairTable::place_of(TokenId left, TokenId right) const {
  const std::uint64_t key =
      static_cast<std::uint64_t>(to_int(left)) << 32 | static_cast<std::uint32_t>(to_int(right));
  const std::uint64_t hash = (key ^ key >> 29) * 0x9e3779b97f4a7c15u;
  std::size_t place = hash >> shift_;
  while (places_[place].left != kEmpty &&
         (places_[place].left != left || places_[place].right != right)) {
    place = (place + 1) & (places_.size() - 1);
  }
  return place;
}

}  // namespace quire
