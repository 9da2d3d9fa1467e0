#include "chapters/08_static_batching/slab_allocator.h"

#include <algorithm>
#include <bit>
#include <iterator>

namespace quire {
namespace {

// The order k of the least power of two that is not below a number.
std::size_t order_of(int units) {
  return static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(units) - 1));
}

}  // namespace

std::optional<Piece> FirstFit::allocate(int units) {
  const auto fits = [units](const auto& free) { return free.second >= units; };
  const auto found = std::find_if(free_.begin(), free_.end(), fits);
  if (found == free_.end()) return std::nullopt;
  const auto [first, length] = *found;
  free_.erase(found);
  if (length > units) free_[first + units] = length - units;
  return Piece{first, units};
}

void FirstFit::release(Piece piece) {
  auto next = free_.lower_bound(piece.first);
  if (next != free_.end() && next->first == piece.first + piece.units) {
    piece.units += next->second;
    next = free_.erase(next);
  }
  if (next != free_.begin()) {
    const auto before = std::prev(next);
    if (before->first + before->second == piece.first) {
      before->second += piece.units;
      return;
    }
  }
  free_[piece.first] = piece.units;
}

Buddy::Buddy(int units)
    : free_(static_cast<std::size_t>(std::bit_width(static_cast<unsigned>(units)))) {
  int first = 0;
  for (std::size_t order = free_.size(); order-- > 0;) {
    if (((units >> order) & 1) == 0) continue;
    free_[order].insert(first);
    first += 1 << order;
  }
}

// [buddy]
std::optional<Piece> Buddy::allocate(int units) {
  const std::size_t wanted = order_of(units);
  std::size_t order = wanted;
  while (order < free_.size() && free_[order].empty()) ++order;
  if (order >= free_.size()) return std::nullopt;
  const int first = *free_[order].begin();
  free_[order].erase(free_[order].begin());
  // What was found may be longer than needed: keep the first half, and set the other one free.
  for (; order > wanted; --order) free_[order - 1].insert(first + (1 << (order - 1)));
  return Piece{first, 1 << wanted};
}

void Buddy::release(Piece piece) {
  std::size_t order = order_of(piece.units);
  int first = piece.first;
  // The buddy of a piece differs from it in one bit of its place.
  while (order < free_.size() && free_[order].erase(first ^ (1 << order)) == 1) {
    first &= ~(1 << order);
    ++order;
  }
  free_[order].insert(first);
}
// [buddy]

std::unique_ptr<SlabAllocator> make_allocator(Fit fit, int units) {
  if (fit == Fit::buddy) return std::make_unique<Buddy>(units);
  return std::make_unique<FirstFit>(units);
}

}  // namespace quire
