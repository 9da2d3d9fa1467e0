#include "tests/bench/steps.h"

#include "chapters/10_continuous_batching/engine.h"
#include "src/model/bill.h"
#include "src/simd/simd_ops.h"

namespace quire::bench {

Runner::Runner(int threads, int sequences, int rows)
    : ops_(std::make_unique<SimdOps>(threads)),
      decoder_(config_, random_weights(config_, *ops_), *ops_),
      slabs_(sequences, rows),
      storage_(*ops_, kv_shape_of(config_), slabs_, true),
      paged_storage_(*ops_, kv_shape_of(config_), blocks_, true) {}

void Runner::decode(int sequences, int context) {
  Step step;
  for (int i = 0; i < sequences; ++i) {
    step.tokens.push_back(TokenId{1000 + i});
    step.spans.push_back(
        {.sequence = SequenceId{i}, .first_row = i, .rows = 1, .context = context});
    step.logits_rows.push_back(i);
  }
  decoder_.forward(step, storage_, nobody_);
}

void Runner::prefill(int rows, int sequence) {
  std::vector<TokenId> prompt;
  for (int i = 0; i < rows; ++i) prompt.push_back(TokenId{i});
  decoder_.forward(close_the_gap(SequenceId{sequence}, prompt, 0), storage_, nobody_);
}

int Runner::serve(int requests) {
  constexpr int kPromptTokens = 32, kNewTokens = 64;
  Engine engine(decoder_, blocks_, paged_storage_);
  for (int i = 0; i < requests; ++i) {
    std::vector<TokenId> prompt;
    for (int k = 0; k < kPromptTokens; ++k) prompt.push_back(TokenId{100 * i + k});
    engine.add({.prompt = prompt, .options = {.max_tokens = kNewTokens, .ignore_eos = true}});
  }
  int tokens = 0;
  while (!engine.idle()) tokens += static_cast<int>(engine.step().size());
  return tokens;
}

std::uint64_t Runner::weight_bytes() const {
  return parameter_count(config_) * size_of(DType::bf16);
}

}  // namespace quire::bench
