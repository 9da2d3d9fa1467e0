#include "chapters/08_static_batching/reservation.h"

#include <algorithm>
#include <bit>

#include "src/core/error.h"

namespace quire {
namespace {

int units_of(int rows, int granularity) {
  return static_cast<int>(blocks_needed(rows, granularity));
}

}  // namespace

std::string_view name_of(Reservation reservation) {
  if (reservation == Reservation::maximum) return "maximum";
  return reservation == Reservation::oracle ? "oracle" : "power of two";
}

// [policy]
int rows_to_reserve(Reservation reservation, int prompt, int max_rows, int longest) {
  // exercise 08.1 begin: The rows of a slab: for anything that may come, for an output of at most
  // the next power of two, or for exactly what will be stored. The last token is never fed.
  if (reservation == Reservation::maximum) return longest;
  if (reservation == Reservation::oracle) return max_rows;
  const auto output = static_cast<unsigned>(max_rows - prompt + 1);
  return std::min(longest, prompt + static_cast<int>(std::bit_ceil(output)) - 1);
  // exercise 08.1 end
}
// [policy]

SlabManager::SlabManager(const SlabOptions& options) : options_(options) {
  const auto [reservation, fit, rows, longest, granularity] = options;
  require(
      rows >= 1 && longest >= 1 && granularity >= 1,
      "a region of {} rows for sequences of at most {}, in units of {}: each must be at least 1",
      rows, longest, granularity);
  require(rows % granularity == 0, "a region of {} rows cannot be cut into units of {}", rows,
          granularity);
  allocator_ = make_allocator(fit, rows / granularity);
  const int held = allocator_->longest() * granularity;
  require(longest <= held, "the longest slab of a region of {} rows has {}; a sequence may have {}",
          rows, held, longest);
}

// [open]
bool SlabManager::open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) {
  const int prompt = static_cast<int>(tokens.size());
  require(!entries_.contains(sequence), "sequence {} is already open", to_int(sequence));
  require(max_rows >= prompt, "a sequence of {} tokens cannot have at most {} rows", prompt,
          max_rows);
  require(max_rows <= options_.longest,
          "a sequence of {} rows can never fit; slabs have at most {}", max_rows, options_.longest);
  // exercise 08.2 begin: Cut out a slab as long as the policy says, or say that none fits and
  // change nothing. The table names its units one after the other.
  Entry entry;
  entry.slab = rows_to_reserve(options_.reservation, prompt, max_rows, options_.longest);
  entry.max_rows = max_rows;
  const int units = std::max(1, units_of(entry.slab, options_.granularity));
  const auto piece = allocator_->allocate(units);
  if (!piece) return false;
  entry.piece = *piece;
  for (int i = 0; i < units; ++i) entry.table.push_back(BlockId{piece->first + i});
  entries_.emplace(sequence, std::move(entry));
  return true;
  // exercise 08.2 end
}
// [open]

bool SlabManager::reserve(SequenceId sequence, int rows) {
  Entry& ours = entry(sequence);
  require(rows >= 0, "cannot reserve {} rows; at least 0", rows);
  if (rows > ours.max_rows - ours.stored) return false;
  ours.reserved = rows;
  return true;
}

void SlabManager::fork(SequenceId, SequenceId) {
  fail("a slab belongs to one sequence; its rows cannot be shared");
}

// [use]
void SlabManager::release(SequenceId sequence) {
  // exercise 08.3 begin: The whole slab is free again, whatever was stored in it.
  allocator_->release(entry(sequence).piece);
  entries_.erase(sequence);
  // exercise 08.3 end
}

MemoryUse SlabManager::use(bool somebody_waits, std::span<const SequenceId> finished) const {
  MemoryUse use{.rows = options_.rows};
  // exercise 08.4 begin: Count every row of the region in one of the five parts.
  int held = 0;
  for (const auto& [sequence, entry] : entries_) {
    const bool ended = std::find(finished.begin(), finished.end(), sequence) != finished.end();
    const int needed = ended ? 0 : entry.max_rows;
    const int tokens = std::min(entry.stored, needed);
    const int piece = entry.piece.units * options_.granularity;
    use.tokens += tokens;
    use.reserved += needed - tokens;
    use.internal += entry.slab - needed;
    use.external += piece - entry.slab;
    held += piece;
  }
  (somebody_waits ? use.external : use.unclaimed) += use.rows - held;
  // exercise 08.4 end
  return use;
}
// [use]

SlabManager::Entry& SlabManager::entry(SequenceId sequence) {
  return open_entry(entries_, sequence);
}

const SlabManager::Entry& SlabManager::entry(SequenceId sequence) const {
  return open_entry(entries_, sequence);
}

}  // namespace quire
