#include "src/kv/one_sequence.h"

#include "src/core/error.h"

namespace quire {

OneSequence::OneSequence(int rows) : rows_(rows) {
  require(rows > 0, "a cache of {} rows holds nothing; at least 1", rows);
}

bool OneSequence::open(SequenceId sequence, std::span<const TokenId>, int max_rows) {
  require(max_rows >= 0, "a sequence of {} rows; at least 0", max_rows);
  require(max_rows <= rows_, "a sequence of {} rows can never fit into a cache of {}", max_rows,
          rows_);
  require(!open_ || sequence != sequence_, "sequence {} is already open", to_int(sequence));
  if (open_) return false;
  open_ = true;
  sequence_ = sequence;
  return true;
}

void OneSequence::fork(SequenceId, SequenceId) {
  fail("this cache holds one sequence; its rows cannot be shared");
}

void OneSequence::release(SequenceId sequence) {
  expect_open(sequence);
  open_ = false;
}

std::span<const BlockId> OneSequence::table(SequenceId sequence) const {
  static constexpr BlockId kOnlyBlock[] = {BlockId{0}};
  expect_open(sequence);
  return kOnlyBlock;
}

void OneSequence::expect_open(SequenceId sequence) const {
  require(open_ && sequence == sequence_, "sequence {} is not open", to_int(sequence));
}

}  // namespace quire
