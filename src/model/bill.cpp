#include "src/model/bill.h"

#include <algorithm>

namespace quire {
namespace {

using u64 = std::uint64_t;

constexpr u64 kF32 = 4, kId = 4, kSlot = 8;

// The sizes of the model, unsigned.
struct Sizes {
  explicit Sizes(const ModelConfig& c)
      : layers(static_cast<u64>(c.layers)),
        hidden(static_cast<u64>(c.hidden)),
        q(static_cast<u64>(c.heads) * static_cast<u64>(c.head_dim)),
        kv(static_cast<u64>(c.kv_heads) * static_cast<u64>(c.head_dim)),
        ffn(static_cast<u64>(c.ffn)),
        vocabulary(static_cast<u64>(c.vocabulary)),
        head_dim(static_cast<u64>(c.head_dim)),
        biases((c.qkv_bias ? q + 2 * kv : 0) + (c.o_bias ? hidden : 0)),
        normed_heads(c.qk_norm ? q + kv : 0) {}

  u64 matrices_of_layer() const { return 2 * hidden * q + 2 * hidden * kv + 3 * hidden * ffn; }

  u64 head_gains() const { return normed_heads > 0 ? 2 * head_dim : 0; }

  u64 layers, hidden, q, kv, ffn, vocabulary, head_dim;
  u64 biases;        // elements of a row of a layer that a bias is added to
  u64 normed_heads;  // elements of a row of a layer in heads that are normed
};

Work linear_bill(const Sizes& s, u64 rows, u64 logits_rows, u64 weight_bytes) {
  // Rows go in and out of seven matrices a layer; the head sees only the rows that want logits.
  const u64 in = 3 * s.hidden + s.q + 2 * s.hidden + s.ffn;
  const u64 out = s.q + 2 * s.kv + s.hidden + 2 * s.ffn + s.hidden;
  const u64 head = logits_rows > 0 ? s.hidden * s.vocabulary : 0;
  return {.flops = 2 * (rows * s.layers * s.matrices_of_layer() + logits_rows * head),
          .bytes_read = (s.layers * s.matrices_of_layer() + head) * weight_bytes +
                        kF32 * (rows * s.layers * in + logits_rows * s.hidden),
          .bytes_written = kF32 * (rows * s.layers * out + logits_rows * s.vocabulary)};
}

// Sums 1 + 2 + ... without a window, and stops growing at the window with one.
u64 visible_keys(const Span& span, int window) {
  u64 visible = 0;
  for (int i = 0; i < span.rows; ++i) {
    const int known = span.context + i + 1;
    visible += static_cast<u64>(window > 0 ? std::min(known, window) : known);
  }
  return visible;
}

Work attend_bill(const Sizes& s, const Storage& storage, const Step& step, int window) {
  Work layer;
  for (const Span& span : step.spans) {
    const int end = span.context + span.rows;
    const int first = window > 0 ? std::max(0, span.context + 1 - window) : 0;
    const int blocks = (end - 1) / storage.block_size - first / storage.block_size + 1;
    const u64 stored_rows = static_cast<u64>(end - first);
    layer += {
        .flops = 4 * s.q * visible_keys(span, window),
        .bytes_read = stored_rows * 2 * s.kv * size_of(storage.kv) + kId * static_cast<u64>(blocks),
        .bytes_written = 0};
  }
  const u64 rows = static_cast<u64>(step.rows());
  return {.flops = s.layers * layer.flops,
          .bytes_read = s.layers * (layer.bytes_read + rows * s.q * kF32),
          .bytes_written = s.layers * rows * s.q * kF32};
}

Work rms_norm_bill(const Sizes& s, u64 rows, u64 logits_rows, u64 weight_bytes) {
  // The stream twice a layer and once at the end; in some models the heads of Q and K as well.
  const u64 elements = s.layers * rows * (2 * s.hidden + s.normed_heads) + logits_rows * s.hidden;
  const u64 gains = s.layers * (2 * s.hidden + s.head_gains()) + (logits_rows > 0 ? s.hidden : 0);
  return {.flops = 4 * elements,
          .bytes_read = kF32 * elements + gains * weight_bytes,
          .bytes_written = kF32 * elements};
}

Work rope_bill(const Sizes& s, const Storage& storage, u64 rows) {
  const u64 elements = s.layers * rows;
  return {.flops = 3 * elements * (s.q + s.kv),
          .bytes_read = elements * (kF32 * (s.q + 2 * s.kv + s.head_dim) + kSlot),
          .bytes_written = elements * (kF32 * s.q + 2 * s.kv * size_of(storage.kv))};
}

Work add_bias_bill(const Sizes& s, u64 rows, u64 weight_bytes) {
  const u64 elements = s.layers * rows * s.biases;
  return {.flops = elements,
          .bytes_read = kF32 * elements + s.layers * s.biases * weight_bytes,
          .bytes_written = kF32 * elements};
}

// An operator that reads two equal tensors and writes a third.
Work elementwise_bill(u64 elements, u64 flops) {
  return {.flops = flops * elements,
          .bytes_read = 2 * kF32 * elements,
          .bytes_written = kF32 * elements};
}

// Keys and values of every layer; their calls read the ids of the blocks each.
Work copy_bill(const Sizes& s, const Storage& storage, u64 copies) {
  const u64 calls = 2 * s.layers;
  const u64 copied = copies * static_cast<u64>(storage.block_size) * s.kv * size_of(storage.kv);
  return {.flops = 0,
          .bytes_read = calls * (copied + copies * 2 * kId),
          .bytes_written = calls * copied};
}

}  // namespace

KvShape kv_shape_of(const ModelConfig& config, DType dtype) {
  return {.layers = config.layers,
          .kv_heads = config.kv_heads,
          .head_dim = config.head_dim,
          .dtype = dtype,
          .window = config.window};
}

std::uint64_t parameter_count(const ModelConfig& config) {
  const Sizes s(config);
  const u64 tables = config.tied_embeddings ? 1 : 2;
  const u64 layer = s.matrices_of_layer() + 2 * s.hidden + s.biases + s.head_gains();
  return tables * s.vocabulary * s.hidden + s.layers * layer + s.hidden;
}

Counters bill_of(const ModelConfig& config, const Storage& storage, const Step& step) {
  const Sizes s(config);
  const u64 rows = static_cast<u64>(step.rows()), weight = size_of(storage.weights);
  const u64 logits_rows = step.logits_rows.size();
  const u64 row_of_x = s.hidden * kF32;
  Counters bill;
  bill.add(Operator::embed, {.flops = 0,
                             .bytes_read = rows * (kId + s.hidden * weight),
                             .bytes_written = rows * row_of_x});
  bill.add(Operator::rms_norm, rms_norm_bill(s, rows, logits_rows, weight));
  bill.add(Operator::linear, linear_bill(s, rows, logits_rows, weight));
  bill.add(Operator::add_bias, add_bias_bill(s, rows, weight));
  bill.add(Operator::rope_and_store, rope_bill(s, storage, rows));
  bill.add(Operator::attend, attend_bill(s, storage, step, config.window));
  bill.add(Operator::silu_mul, elementwise_bill(s.layers * rows * s.ffn, 4));
  bill.add(Operator::add, elementwise_bill(2 * s.layers * rows * s.hidden, 1));
  bill.add(Operator::gather_rows, {.flops = 0,
                                   .bytes_read = logits_rows * (kId + row_of_x),
                                   .bytes_written = logits_rows * row_of_x});
  bill.add(Operator::copy_blocks, copy_bill(s, storage, step.copies.size()));
  return bill;
}

}  // namespace quire
