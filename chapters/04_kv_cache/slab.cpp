#include "chapters/04_kv_cache/slab.h"

#include "src/core/error.h"

namespace quire {

// [slab]
bool Slab::open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) {
  // exercise 04.1 begin: Let the sequence in, if there is room, with nothing stored.
  if (!OneSequence::open(sequence, tokens, max_rows)) return false;
  stored_ = reserved_ = 0;
  return true;
  // exercise 04.1 end
}

int Slab::stored(SequenceId sequence) const {
  expect_open(sequence);
  return stored_;
}

bool Slab::reserve(SequenceId sequence, int rows) {
  expect_open(sequence);
  // exercise 04.2 begin: Make room for some rows after those stored, or say that there is none;
  // a negative number is an Error.
  require(rows >= 0, "cannot reserve {} rows; at least 0", rows);
  if (rows > capacity() - stored_) return false;
  reserved_ = stored_ + rows;
  return true;
  // exercise 04.2 end
}

void Slab::commit(SequenceId sequence, int rows) {
  expect_open(sequence);
  // exercise 04.3 begin: The step ran, so its rows are stored; refuse more than were reserved.
  require(rows >= 0 && rows <= reserved_ - stored_, "cannot commit {} rows: {} are reserved", rows,
          reserved_ - stored_);
  stored_ += rows;
  // exercise 04.3 end
}

void Slab::truncate(SequenceId sequence, int rows) {
  expect_open(sequence);
  // exercise 04.4 begin: Forget all rows but the first few; refuse to keep more than are stored.
  require(rows >= 0 && rows <= stored_, "cannot keep {} rows: {} are stored", rows, stored_);
  stored_ = reserved_ = rows;
  // exercise 04.4 end
}
// [slab]

}  // namespace quire
