/// \file
/// \brief Chapter 08: two ways to cut contiguous pieces out of one region, and to join them again.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace quire {

/// \brief Consecutive units of a region.
struct Piece {
  int first = 0;  ///< its first unit
  int units = 0;  ///< how many
};

/// \brief Which free piece a request gets.
enum class Fit {
  first,  ///< the first that is long enough, cut to the length asked for
  buddy,  ///< a power of two, at a multiple of itself: quick to find and to join
};

/// \brief Gives out pieces of one region.
class SlabAllocator {
 public:
  virtual ~SlabAllocator() = default;
  /// \brief A piece that nobody holds.
  /// \param units  how many at least, 1 or more
  /// \return none if no free piece is long enough, however much is free in all
  virtual std::optional<Piece> allocate(int units) = 0;
  /// \brief Takes a piece back.
  /// \param piece  as allocate gave it; not checked
  virtual void release(Piece piece) = 0;
  /// \brief The longest piece that it can give when nobody holds anything.
  virtual int longest() const = 0;
};

/// \brief Free pieces in order of their place; neighbours are joined at once. O(log pieces) to
/// release, O(pieces) to allocate.
class FirstFit final : public SlabAllocator {
 public:
  /// \brief A free region.
  /// \param units  its length, at least 1
  explicit FirstFit(int units) : units_(units), free_{{0, units}} {}

  std::optional<Piece> allocate(int units) override;
  void release(Piece piece) override;
  int longest() const override { return units_; }

 private:
  int units_;
  std::map<int, int> free_;  // first unit -> units
};

/// \brief The buddy system (Knowlton, "A fast storage allocator", 1965): a free piece of 2^k units is
/// halved until it is just long enough; a piece and the other half of its parent, its buddy, become
/// one again as soon as both are free. O(log units), but for the sets.
class Buddy final : public SlabAllocator {
 public:
  /// \brief A free region: the powers of two that make up its length, the largest first.
  /// \param units  its length, at least 1
  explicit Buddy(int units);

  std::optional<Piece> allocate(int units) override;
  void release(Piece piece) override;
  int longest() const override { return 1 << (static_cast<int>(free_.size()) - 1); }

 private:
  std::vector<std::set<int>> free_;  // of each order k: first units of free pieces of 2^k
};

/// \brief An allocator over a free region.
/// \param fit    which kind
/// \param units  its length, at least 1
std::unique_ptr<SlabAllocator> make_allocator(Fit fit, int units);

}  // namespace quire
