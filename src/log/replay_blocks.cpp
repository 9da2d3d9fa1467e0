#include <algorithm>
#include <cstdint>

#include "src/core/error.h"
#include "src/log/replay.h"

namespace quire {
namespace {

std::int64_t rows_of(const std::vector<BlockId>& table, int block_size) {
  return static_cast<std::int64_t>(table.size()) * block_size;
}

}  // namespace

// The rows with which a sequence has come in lie in blocks of others.
void Replay::share(const LogEvent& event) {
  ReplayedSequence& ours = running_sequence(event);
  const std::int64_t size = header_.block_size;
  require(ours.table.empty() &&
              std::ssize(event.blocks) == (std::int64_t{ours.stored} + size - 1) / size,
          "sequence {} shares {} blocks of {} for {} stored rows, and has {}",
          to_int(event.sequence), event.blocks.size(), size, ours.stored, ours.table.size());
  for (std::int64_t i = 0; i < std::ssize(event.blocks); ++i) {
    const BlockId block = event.blocks[static_cast<std::size_t>(i)];
    require(references(block) > 0 && filled(block) >= std::min(size, ours.stored - i * size),
            "block {} does not hold the rows that sequence {} finds in it", to_int(block),
            to_int(event.sequence));
    ++references_[index(block)];
  }
  ours.table = event.blocks;
}

void Replay::allocate(const LogEvent& event) {
  ReplayedSequence& ours = running_sequence(event);
  require(ours.stored <= rows_of(ours.table, header_.block_size),
          "sequence {} has {} stored rows, but no block with them", to_int(event.sequence),
          ours.stored);
  for (const BlockId block : event.blocks) take(block);
  ours.table.insert(ours.table.end(), event.blocks.begin(), event.blocks.end());
}

void Replay::copy(const LogEvent& event) {
  ReplayedSequence& ours = running_sequence(event);
  const auto entry = std::find(ours.table.begin(), ours.table.end(), event.from);
  require(entry != ours.table.end(), "block {} is not in the table of sequence {}",
          to_int(event.from), to_int(event.sequence));
  require(references(event.from) > 1, "block {} is copied, but only sequence {} has it",
          to_int(event.from), to_int(event.sequence));
  take(event.to);
  filled_[index(event.to)] = filled(event.from);
  filled_rows_ += filled(event.from);
  release(event.from);
  *entry = event.to;
}

void Replay::give_back(const LogEvent& event) {
  ReplayedSequence& ours = sequence(event.sequence);
  require(event.blocks.size() <= ours.table.size() &&
              std::equal(event.blocks.begin(), event.blocks.end(), ours.table.rbegin()),
          "sequence {} gives back blocks that are not the last of its table",
          to_int(event.sequence));
  for (const BlockId block : event.blocks) release(block);
  ours.table.resize(ours.table.size() - event.blocks.size());
  const std::int64_t room = rows_of(ours.table, header_.block_size);
  require(ours.status != LogStatus::running || ours.stored <= room,
          "sequence {} gives back blocks that hold rows it still uses", to_int(event.sequence));
  ours.stored = static_cast<int>(std::min<std::int64_t>(ours.stored, room));
  if (ours.table.empty()) owing_.erase(event.sequence);
}

// Stores rows in blocks of which nobody else reads.
void Replay::fill(const ReplayedSequence& sequence, std::int64_t first, std::int64_t end) {
  const std::int64_t size = header_.block_size;
  for (std::int64_t i = first / size; i * size < end; ++i) {
    const BlockId block = sequence.table[static_cast<std::size_t>(i)];
    require(references(block) == 1, "block {} is written, but {} sequences share it", to_int(block),
            references(block));
    const auto filled = static_cast<int>(std::min(end - i * size, size));
    filled_rows_ += filled - filled_[index(block)];
    filled_[index(block)] = filled;
  }
}

int Replay::references(BlockId block) const {
  return references_[index(block)];
}

int Replay::filled(BlockId block) const {
  return filled_[index(block)];
}

std::size_t Replay::index(BlockId block) const {
  require(to_int(block) >= 0 && to_int(block) < header_.blocks, "there is no block {} of {}",
          to_int(block), header_.blocks);
  return static_cast<std::size_t>(to_int(block));
}

void Replay::take(BlockId block) {
  require(references(block) == 0, "block {} is not free", to_int(block));
  references_[index(block)] = 1;
  --free_;
}

void Replay::release(BlockId block) {
  if (--references_[index(block)] > 0) return;
  filled_rows_ -= filled_[index(block)];
  filled_[index(block)] = 0;
  ++free_;
}

}  // namespace quire
