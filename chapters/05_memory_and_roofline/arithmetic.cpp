#include "chapters/05_memory_and_roofline/arithmetic.h"

#include <algorithm>

#include "chapters/05_memory_and_roofline/exact.h"
#include "src/core/error.h"

namespace quire {
namespace {

using u64 = std::uint64_t;

constexpr u64 kLongestPrompt = u64{1} << 16;
constexpr double kMostSequences = 0x1p40;

// The sizes of a model, unsigned.
struct Sizes {
  explicit Sizes(const ModelShape& shape)
      : layers(static_cast<u64>(shape.config.layers)),
        hidden(static_cast<u64>(shape.config.hidden)),
        heads(static_cast<u64>(shape.config.heads)),
        kv_heads(static_cast<u64>(shape.config.kv_heads)),
        head_dim(static_cast<u64>(shape.config.head_dim)),
        ffn(static_cast<u64>(shape.config.ffn)),
        vocabulary(static_cast<u64>(shape.config.vocabulary)),
        positions(static_cast<u64>(shape.config.max_positions)),
        window(static_cast<u64>(shape.config.window)) {}

  u64 q() const { return heads * head_dim; }
  u64 kv() const { return kv_heads * head_dim; }

  u64 layers, hidden, heads, kv_heads, head_dim, ffn, vocabulary, positions, window;
};

// The numbers of a layer's biases: GPT-2 has one for each output of a product, Qwen2 those of Q, K
// and V alone.
u64 biases_of_layer(const ModelShape& shape, const Sizes& s) {
  const u64 qkv = s.q() + 2 * s.kv();
  if (shape.block == Block::gpt2) return qkv + s.hidden + s.ffn + s.hidden;
  return (shape.config.qkv_bias ? qkv : 0) + (shape.config.o_bias ? s.hidden : 0);
}

// Two norms a layer and one at the end; LayerNorm shifts as well as scales.
u64 norms_of_model(const ModelShape& shape, const Sizes& s) {
  const u64 of_width = (2 * s.layers + 1) * s.hidden * (shape.block == Block::gpt2 ? 2 : 1);
  return of_width + (shape.config.qk_norm ? s.layers * 2 * s.head_dim : 0);
}

// [weights]
// Adds up the weights, whatever of them is counted: `bytes(rows, columns, format)` says what a
// matrix comes to.
template <class Bytes>
WeightParts add_up(const ModelShape& shape, const Formats& formats, const Bytes& bytes) {
  const Sizes s(shape);
  const bool gpt2 = shape.block == Block::gpt2;
  const auto matrix = [&](u64 outputs, u64 inputs) {
    return exact_product({s.layers, bytes(outputs, inputs, formats.matrices)});
  };
  WeightParts parts;
  // exercise 05.1 begin: Count the parts. Matrices are [outputs, inputs]: Q, K, V and the output
  // projection; two or three of the FFN. Tables have a row for each token or position.
  parts.embedding = bytes(s.vocabulary, s.hidden, formats.tables);
  parts.positions = gpt2 ? bytes(s.positions, s.hidden, formats.tables) : 0;
  parts.attention =
      matrix(s.q(), s.hidden) + 2 * matrix(s.kv(), s.hidden) + matrix(s.hidden, s.q());
  parts.ffn = (gpt2 ? 1 : 2) * matrix(s.ffn, s.hidden) + matrix(s.hidden, s.ffn);
  parts.biases = bytes(1, s.layers * biases_of_layer(shape, s), formats.vectors);
  parts.norms = bytes(1, norms_of_model(shape, s), formats.vectors);
  parts.head = shape.config.tied_embeddings ? 0 : bytes(s.vocabulary, s.hidden, formats.tables);
  // exercise 05.1 end
  return parts;
}
// [weights]

// The weights that a step reads: everything but the tables, of which it reads the rows of its
// tokens. The head is read whole, and is the embedding table where the two are tied.
u64 weight_bytes_read(const ModelShape& shape, const Formats& formats, u64 rows) {
  const Sizes s(shape);
  const WeightParts parts = weight_bytes_of(shape, formats);
  const u64 row = formats.tables.row_bytes(s.hidden) * (shape.block == Block::gpt2 ? 2 : 1);
  const u64 head = shape.config.tied_embeddings ? parts.embedding : parts.head;
  return exact_sum(
      {parts.attention, parts.ffn, parts.biases, parts.norms, head, exact_product({rows, row})});
}

// 1 + 2 + ... + n.
u64 sum_up_to(u64 n) {
  return n % 2 == 0 ? exact_product({n / 2, n + 1}) : exact_product({n, n / 2 + 1});
}

}  // namespace

std::uint64_t WeightParts::total() const {
  return exact_sum({embedding, positions, attention, ffn, biases, norms, head});
}

WeightParts parameters_of(const ModelShape& shape) {
  return add_up(shape, {}, [](u64 rows, u64 columns, const NumberFormat&) {
    return exact_product({rows, columns});
  });
}

WeightParts weight_bytes_of(const ModelShape& shape, const Formats& formats) {
  return add_up(shape, formats, [](u64 rows, u64 columns, const NumberFormat& format) {
    return exact_product({rows, format.row_bytes(columns)});
  });
}

// [memory]
std::uint64_t kv_bytes_per_token(const ModelShape& shape, const NumberFormat& format) {
  const Sizes s(shape);
  // exercise 05.2 begin: A key and a value, in each layer, for each head that has them.
  return exact_product({2, s.layers, s.kv_heads, format.row_bytes(s.head_dim)});
  // exercise 05.2 end
}

std::uint64_t tokens_kept(std::uint64_t length, std::uint64_t block_size, std::uint64_t window) {
  // exercise 05.3 begin: Whole blocks, and no more of them than a window can touch.
  const u64 of_length = divided_up(length, block_size);
  const u64 of_window = window == 0 ? of_length : divided_up(window - 1, block_size) + 1;
  return exact_product({std::min(of_length, of_window), block_size});
  // exercise 05.3 end
}
// [memory]

std::optional<std::uint64_t> longest_that_fits(std::uint64_t free_bytes, std::uint64_t sequences,
                                               std::uint64_t bytes_per_token,
                                               std::uint64_t block_size, std::uint64_t window) {
  const u64 of_block = exact_product({sequences, bytes_per_token, block_size});
  const u64 blocks = free_bytes / of_block;
  if (window > 0 && blocks > divided_up(window - 1, block_size)) return std::nullopt;
  return blocks * block_size;
}

std::uint64_t StepCost::flops() const {
  return exact_sum({linear_flops, attention_flops});
}

std::uint64_t StepCost::bytes() const {
  return exact_sum({weight_bytes, kv_read, kv_written});
}

double StepCost::intensity() const {
  return static_cast<double>(flops()) / static_cast<double>(bytes());
}

std::uint64_t visible_keys(std::uint64_t context, std::uint64_t rows, std::uint64_t window) {
  // Rows see context + 1, context + 2, ... keys, until there are as many as the window holds.
  const u64 growing = window == 0 ? rows : std::min(rows, window - std::min(window, context));
  return exact_sum({exact_product({growing, context}), sum_up_to(growing),
                    exact_product({rows - growing, window})});
}

// [step]
StepCost step_cost(const ModelShape& shape, const Formats& formats,
                   std::span<const EqualSpans> spans) {
  const Sizes s(shape);
  const WeightParts parameters = parameters_of(shape);
  const u64 matrices = parameters.attention + parameters.ffn, head = s.vocabulary * s.hidden;
  const u64 kv_row = kv_bytes_per_token(shape, formats.kv);
  StepCost cost;
  for (const EqualSpans& span : spans) {
    // exercise 05.4 begin: Add what these sequences cost. The head works for one row of each, and
    // attention multiplies each visible key and each value once for every query head. Under a
    // window of W a step reads the keys of its rows and of W - 1 tokens before them. The weights
    // are added below.
    const u64 rows = exact_product({span.sequences, span.rows});
    const u64 seen =
        exact_product({span.sequences, visible_keys(span.context, span.rows, s.window)});
    const u64 behind = s.window == 0 ? span.context : std::min(span.context, s.window - 1);
    cost.rows += rows;
    cost.linear_flops = exact_sum({cost.linear_flops, exact_product({2, rows, matrices}),
                                   exact_product({2, span.sequences, head})});
    cost.attention_flops =
        exact_sum({cost.attention_flops, exact_product({4, s.layers, s.q(), seen})});
    cost.kv_read = exact_sum(
        {cost.kv_read, exact_product({span.sequences, exact_sum({behind, span.rows}), kv_row})});
    cost.kv_written = exact_sum({cost.kv_written, exact_product({rows, kv_row})});
    // exercise 05.4 end
  }
  cost.weight_bytes = weight_bytes_read(shape, formats, cost.rows);
  return cost;
}
// [step]

// [limit]
StepTime time_of(const StepCost& cost, const Card& card) {
  return {.arithmetic = static_cast<double>(cost.flops()) / card.flops,
          .reading = static_cast<double>(cost.bytes()) / card.bandwidth};
}

std::optional<std::uint64_t> compute_bound_batch(const ModelShape& shape, const Formats& formats,
                                                 const Card& card, std::uint64_t length) {
  const auto time_at = [&](u64 sequences) {
    const EqualSpans span{.sequences = sequences, .context = length - 1, .rows = 1};
    return time_of(step_cost(shape, formats, {&span, 1}), card);
  };
  const StepTime one = time_at(1);
  if (!one.memory_bound()) return 1;
  // exercise 05.5 begin: What does a further sequence add to either clock? The weights are
  // read already. Find the first whole number of sequences at which arithmetic is behind; beyond 2^40 say none.
  const StepTime two = time_at(2);
  const double arithmetic = two.arithmetic - one.arithmetic, reading = two.reading - one.reading;
  if (arithmetic <= reading) return std::nullopt;
  const double more = (one.reading - one.arithmetic) / (arithmetic - reading);
  if (more >= kMostSequences) return std::nullopt;
  return static_cast<u64>(more) + 2;
  // exercise 05.5 end
}
// [limit]

std::optional<std::uint64_t> compute_bound_prompt(const ModelShape& shape, const Formats& formats,
                                                  const Card& card) {
  const auto limited_by_memory = [&](u64 tokens) {
    const EqualSpans span{.sequences = 1, .context = 0, .rows = tokens};
    return time_of(step_cost(shape, formats, {&span, 1}), card).memory_bound();
  };
  if (limited_by_memory(kLongestPrompt)) return std::nullopt;
  u64 low = 0, high = kLongestPrompt;
  while (high - low > 1) {
    const u64 middle = low + (high - low) / 2;
    (limited_by_memory(middle) ? low : high) = middle;
  }
  return high;
}

}  // namespace quire
