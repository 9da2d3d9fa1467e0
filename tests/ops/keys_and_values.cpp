#include "tests/ops/keys_and_values.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tests/ops/device_tensor.h"

namespace quire::test {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

std::vector<float> random_floats(Random& random, int count, DType dtype) {
  return floats_of(random_tensor(random, {count}, dtype));
}

// One row of one head out of [length, heads, head_dim].
std::span<float> head_of(std::vector<float>& rows, int position, int heads, int head,
                         int head_dim) {
  return std::span(rows).subspan(size((position * heads + head) * head_dim), size(head_dim));
}

int first_visible(int position, int window) {
  return window == 0 ? 0 : std::max(0, position - window + 1);
}

// Blocks of a pool, handed out to spans; the rest of the pool stays poisoned.
class Pool {
 public:
  Pool(const KeysAndValues& known, const std::vector<Span>& spans, const Layout& layout)
      : known_(known), block_size_(block_size_of(spans, layout)) {
    Index needed = 0;
    for (const Span& span : spans) needed += blocks_of(span);
    std::vector<BlockId> order(size(static_cast<int>(needed) + 2));
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = BlockId{static_cast<int>(i)};
    shuffle(order, layout.shuffle);
    const Shape slots{static_cast<Index>(order.size()) * block_size_, known.heads.kv,
                      known.heads.head_dim};
    k_ = std::make_unique<TestTensor>(slots, known.dtype);
    v_ = std::make_unique<TestTensor>(slots, known.dtype);
    auto next = order.begin();
    for (const Span& span : spans) {
      tables_.emplace_back(next, next + blocks_of(span));
      next += blocks_of(span);
    }
  }

  void store(std::size_t s, const Span& span, int window) {
    const auto sequence = static_cast<std::size_t>(to_int(span.sequence));
    for (int p = first_visible(span.context, window); p < span.context + span.rows; ++p) {
      const BlockId block = tables_[s][size(p / block_size_)];
      const Index slot = to_int(slot_of(block, block_size_, p));
      const std::size_t row = size(known_.heads.kv * known_.heads.head_dim);
      assign(k_->tensor().rows(slot, 1), std::span(known_.k[sequence]).subspan(size(p) * row, row));
      assign(v_->tensor().rows(slot, 1), std::span(known_.v[sequence]).subspan(size(p) * row, row));
    }
  }

  // One entry more than anybody needs, and -1 wherever nothing is to be read.
  TestTensor tables() const {
    std::size_t width = 1;
    for (const auto& table : tables_) width = std::max(width, table.size() + 1);
    TestTensor result({static_cast<Index>(tables_.size()), static_cast<Index>(width)}, DType::i32);
    for (std::size_t s = 0; s < tables_.size(); ++s) {
      const auto row = result.values<BlockId>().subspan(s * width, width);
      std::copy(tables_[s].begin(), tables_[s].end(), row.begin());
    }
    return result;
  }

  int block_size() const { return block_size_; }
  const TestTensor& k() const { return *k_; }
  const TestTensor& v() const { return *v_; }

 private:
  static int block_size_of(const std::vector<Span>& spans, const Layout& layout) {
    if (layout.block_size > 0) return layout.block_size;
    int longest = 1;
    for (const Span& span : spans) longest = std::max(longest, span.context + span.rows);
    return longest;
  }

  Index blocks_of(const Span& span) const {
    return blocks_needed(span.context + span.rows, block_size_);
  }

  static void shuffle(std::vector<BlockId>& order, std::uint64_t seed) {
    if (seed == 0) return;
    Random random(seed);
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  }

  const KeysAndValues& known_;
  int block_size_;
  std::unique_ptr<TestTensor> k_, v_;
  std::vector<std::vector<BlockId>> tables_;
};

TestTensor queries_of(const KeysAndValues& known, const std::vector<Span>& spans) {
  std::vector<float> queries;
  const auto row = static_cast<Index>(known.heads.query) * known.heads.head_dim;
  int rows = 0;
  for (const Span& span : spans) {
    const auto first = known.q[size(to_int(span.sequence))].begin() + span.context * row;
    queries.insert(queries.end(), first, first + span.rows * row);
    rows += span.rows;
  }
  TestTensor q({rows, known.heads.query, known.heads.head_dim});
  assign(q, queries);
  return q;
}

}  // namespace

KeysAndValues::KeysAndValues(Random& random, const Heads& heads_of_all, DType stored,
                             const std::vector<int>& lengths)
    : heads(heads_of_all), dtype(stored) {
  for (const int length : lengths) {
    q.push_back(random_floats(random, length * heads.query * heads.head_dim, DType::f32));
    k.push_back(random_floats(random, length * heads.kv * heads.head_dim, dtype));
    v.push_back(random_floats(random, length * heads.kv * heads.head_dim, dtype));
  }
}

std::span<float> KeysAndValues::key(int sequence, int position, int head) {
  return head_of(k[size(sequence)], position, heads.kv, head, heads.head_dim);
}

std::span<float> KeysAndValues::value(int sequence, int position, int head) {
  return head_of(v[size(sequence)], position, heads.kv, head, heads.head_dim);
}

std::span<float> KeysAndValues::query(int sequence, int position, int head) {
  return head_of(q[size(sequence)], position, heads.query, head, heads.head_dim);
}

std::vector<Span> in_row_order(std::vector<Span> spans) {
  int row = 0;
  for (Span& span : spans) {
    span.first_row = row;
    row += span.rows;
  }
  return spans;
}

std::vector<float> attend(Ops& ops, const KeysAndValues& known, const std::vector<Span>& spans,
                          int window, const Layout& layout) {
  Pool pool(known, spans, layout);
  for (std::size_t s = 0; s < spans.size(); ++s) pool.store(s, spans[s], window);
  const TestTensor queries = queries_of(known, spans);
  const DeviceTensor q(ops, queries.tensor()), out(ops, queries.tensor().shape());
  const DeviceTensor k(ops, pool.k().tensor()), v(ops, pool.v().tensor());
  const DeviceTensor tables(ops, pool.tables().tensor());
  const auto scale = static_cast<float>(1 / std::sqrt(known.heads.head_dim));
  ops.attend(q, {k, v, pool.block_size(), tables, spans}, {.scale = scale, .window = window}, out);
  return out.floats();
}

Oracle attend_oracle(const KeysAndValues& known, const std::vector<Span>& spans, int window,
                     double unit, Mistake mistake) {
  const Heads& heads = known.heads;
  Oracle oracle{.values = {}, .slack = {}, .row_size = size(heads.head_dim)};
  const auto head_at = [&](const std::vector<float>& rows, int position, int of, int head) {
    const auto first = rows.begin() + (position * of + head) * heads.head_dim;
    return std::vector<double>(first, first + heads.head_dim);
  };
  for (const Span& span : spans) {
    const std::size_t s = size(to_int(span.sequence));
    for (int row = 0; row < span.rows; ++row) {
      const int position = span.position(row);
      const int seen = window + (mistake == Mistake::wide_window ? 1 : 0);
      const int last = position + (mistake == Mistake::sees_next ? 1 : 0) -
                       (mistake == Mistake::misses_self ? 1 : 0);
      for (int h = 0; h < heads.query; ++h) {
        const int kv =
            mistake == Mistake::other_heads ? h % heads.kv : h / (heads.query / heads.kv);
        std::vector<std::vector<double>> keys, values;
        for (int p = first_visible(position, window == 0 ? 0 : seen); p <= last; ++p) {
          keys.push_back(head_at(known.k[s], p, heads.kv, kv));
          values.push_back(head_at(known.v[s], p, heads.kv, kv));
        }
        const auto query = head_at(known.q[s], position, heads.query, h);
        const double scale = static_cast<float>(1 / std::sqrt(heads.head_dim));
        attend_oracle({.query = query,
                       .keys = {keys.begin(), keys.end()},
                       .values = {values.begin(), values.end()},
                       .scale = mistake == Mistake::no_scale ? 1 : scale},
                      unit, oracle);
      }
    }
  }
  return oracle;
}

}  // namespace quire::test
