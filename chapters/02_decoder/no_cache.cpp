#include "chapters/02_decoder/no_cache.h"

#include "src/core/error.h"

namespace quire {

// [no_cache]
int NoCache::stored(SequenceId sequence) const {
  expect_open(sequence);
  return 0;
}

bool NoCache::reserve(SequenceId sequence, int rows) {
  expect_open(sequence);
  require(rows >= 0, "cannot reserve {} rows; at least 0", rows);
  if (rows > capacity()) return false;
  reserved_ = rows;
  return true;
}

void NoCache::commit(SequenceId sequence, int rows) {
  expect_open(sequence);
  require(rows >= 0 && rows <= reserved_, "cannot commit {} rows: {} are reserved", rows,
          reserved_);
  reserved_ = 0;
}

void NoCache::truncate(SequenceId sequence, int rows) {
  expect_open(sequence);
  require(rows == 0, "cannot keep {} rows: nothing is stored", rows);
}
// [no_cache]

}  // namespace quire
