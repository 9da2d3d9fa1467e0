#include "src/kv/step.h"

#include "src/core/error.h"

namespace quire {

Step close_the_gap(SequenceId sequence, const std::vector<TokenId>& known, int stored) {
  const int rows = static_cast<int>(known.size()) - stored;
  require(stored >= 0 && rows > 0, "a step needs tokens to compute: {} known, {} stored",
          known.size(), stored);
  Step step;
  step.tokens.assign(known.begin() + stored, known.end());
  step.spans = {{.sequence = sequence, .first_row = 0, .rows = rows, .context = stored}};
  step.logits_rows = {rows - 1};
  return step;
}

void check(const Step& step) {
  int row = 0;
  for (const Span& span : step.spans) {
    require(span.first_row == row, "the span of sequence {} begins at row {}, expected {}",
            to_int(span.sequence), span.first_row, row);
    require(span.rows > 0 && span.context >= 0, "the span of sequence {} has {} rows after {}",
            to_int(span.sequence), span.rows, span.context);
    row += span.rows;
  }
  require(row == step.rows(), "the spans cover {} rows, the step has {}", row, step.rows());
  int previous = -1;
  for (const int logits_row : step.logits_rows) {
    require(logits_row > previous && logits_row < row,
            "logits are wanted of row {} after row {}; rows must ascend below {}", logits_row,
            previous, row);
    previous = logits_row;
  }
}

}  // namespace quire
