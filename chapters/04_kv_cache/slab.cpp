#include "chapters/04_kv_cache/slab.h"

#include "src/core/error.h"

namespace quire {

bool Slab::open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) {
  if (!OneSequence::open(sequence, tokens, max_rows)) return false;
  stored_ = reserved_ = 0;
  return true;
}

int Slab::stored(SequenceId sequence) const {
  expect_open(sequence);
  return stored_;
}

bool Slab::reserve(SequenceId sequence, int rows) {
  expect_open(sequence);
  if (rows > capacity() - stored_) return false;
  reserved_ = stored_ + rows;
  return true;
}

void Slab::commit(SequenceId sequence, int rows) {
  expect_open(sequence);
  require(rows >= 0 && rows <= reserved_ - stored_, "cannot commit {} rows: {} are reserved", rows,
          reserved_ - stored_);
  stored_ += rows;
}

void Slab::truncate(SequenceId sequence, int rows) {
  expect_open(sequence);
  require(rows >= 0 && rows <= stored_, "cannot keep {} rows: {} are stored", rows, stored_);
  stored_ = reserved_ = rows;
}

}  // namespace quire
