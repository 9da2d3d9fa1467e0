#include "src/kv/row_count.h"

namespace quire {

void RowCount::commit(int rows) {
  require(rows >= 0 && rows <= reserved, "cannot commit {} rows: {} are reserved", rows, reserved);
  stored += rows;
  reserved -= rows;
}

void RowCount::keep(int rows) {
  require(rows >= 0 && rows <= stored, "cannot keep {} rows: {} are stored", rows, stored);
  stored = rows;
  reserved = 0;
}

}  // namespace quire
