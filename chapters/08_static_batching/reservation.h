/// \file
/// \brief Chapter 08: each sequence reserves one contiguous slab when it comes in.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "chapters/08_static_batching/memory_use.h"
#include "chapters/08_static_batching/slab_allocator.h"
#include "src/kv/kv_manager.h"
#include "src/kv/row_count.h"

namespace quire {

/// \brief How long a slab is, which depends on what is known of the output when it begins.
enum class Reservation {
  maximum,       ///< nothing is known: as long as any sequence may become
  power_of_two,  ///< the output's length is known up to a factor of two
  oracle,        ///< the output's length is known, as nobody can know it
};

/// \brief The name of a reservation in outputs: "maximum", "power of two" or "oracle".
/// \param reservation  one of them
std::string_view name_of(Reservation reservation);

/// \brief The rows that a sequence reserves. P prompt and G output tokens store P + G - 1 rows.
/// \param reservation  the policy
/// \param prompt       its P
/// \param max_rows     its P + G - 1, at least P
/// \param longest      the most rows of any sequence, at least `max_rows`
/// \return `longest`; or P - 1 and the least power of two that is not below G, if that is less than
///         `longest`; or `max_rows`
int rows_to_reserve(Reservation reservation, int prompt, int max_rows, int longest);

/// \brief A region of rows, and how slabs are cut out of it.
struct SlabOptions {
  Reservation reservation = Reservation::maximum;  ///< how long a slab is
  Fit fit = Fit::first;                            ///< where it is put
  int rows = 0;                                    ///< of the region, a multiple of `granularity`
  int longest = 0;                                 ///< the most rows of a sequence, at least 1
  int granularity = 1;  ///< slabs begin at multiples of it, and are as long as a multiple of it
};

/// \brief Gives each sequence a slab of the length that a policy says, for as long as it is open.
///
/// A slab of n units has n consecutive entries in its sequence's table; with a granularity of
/// `longest` every slab is a single entry. Invariant: 0 <= stored <= stored + reserved <=
/// max_rows <= rows of the slab, and slabs do not overlap.
class SlabManager final : public KvManager, public Placement {
 public:
  /// \brief A region without sequences.
  /// \param options  its size and its policy
  /// \throws Error if a number is less than 1, the granularity does not divide the region, or the
  ///         longest slab would not fit an empty region
  explicit SlabManager(const SlabOptions& options);

  int capacity() const override { return options_.longest; }
  bool open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) override;
  int stored(SequenceId sequence) const override { return entry(sequence).stored; }
  bool reserve(SequenceId sequence, int rows) override;
  void commit(SequenceId sequence, int rows) override { entry(sequence).commit(rows); }
  void truncate(SequenceId sequence, int rows) override { entry(sequence).keep(rows); }
  void fork(SequenceId parent, SequenceId child) override;
  void release(SequenceId sequence) override;

  Index slots() const override { return options_.rows; }
  int block_size() const override { return options_.granularity; }
  std::span<const BlockId> table(SequenceId sequence) const override {
    return entry(sequence).table;
  }

  /// \brief What the rows of the region are used for, if each sequence stores as many as it said it
  /// would at most: a text that ends early reserved more than is counted as wasted here.
  /// \param somebody_waits  whether a request would come in if it fitted
  /// \param finished        open sequences whose text has ended: they need none of their rows
  MemoryUse use(bool somebody_waits, std::span<const SequenceId> finished = {}) const;

 private:
  struct Entry : RowCount {
    Piece piece;
    int slab = 0;      // rows that the policy reserved, at most those of the piece
    int max_rows = 0;  // rows that it will store
    std::vector<BlockId> table;
  };

  Entry& entry(SequenceId sequence);
  const Entry& entry(SequenceId sequence) const;

  SlabOptions options_;
  std::unique_ptr<SlabAllocator> allocator_;
  std::map<SequenceId, Entry> entries_;
};

}  // namespace quire
