#include <algorithm>
#include <cmath>

#include "src/core/error.h"
#include "src/kv/kv_cache.h"

namespace quire {
namespace {

// A tensor with the given values in device memory that is kept from step to step and only grows.
template <class T>
Tensor upload(Ops& ops, Buffer& buffer, const std::vector<T>& values, Shape shape) {
  const std::size_t bytes = values.size() * sizeof(T);
  if (buffer.bytes() < bytes) buffer = ops.allocate(std::max(bytes, 2 * buffer.bytes()));
  const Tensor tensor = buffer.tensor(dtype_of<T>, shape);
  ops.upload(values.data(), tensor);
  return tensor;
}

// A row beyond the table would be stored over another's.
void expect_reserved(const Span& span, std::span<const BlockId> table, int block_size) {
  const Index blocks = blocks_needed(Index{span.context} + span.rows, block_size);
  require(blocks <= static_cast<Index>(table.size()),
          "sequence {} has no room for {} rows after {}: they were not reserved",
          to_int(span.sequence), span.rows, span.context);
}

}  // namespace

std::uint64_t KvShape::bytes_per_token() const {
  return 2 * static_cast<std::uint64_t>(layers) * static_cast<std::uint64_t>(kv_heads) *
         static_cast<std::uint64_t>(head_dim) * size_of(dtype);
}

AttentionMask mask_of(const KvShape& shape) {
  return {.scale = 1.0f / std::sqrt(static_cast<float>(shape.head_dim)), .window = shape.window};
}

KvStorage::KvStorage(Ops& ops, const KvShape& shape, const Placement& placement, bool retains)
    : ops_(ops), shape_(shape), placement_(placement) {
  const Shape rows{placement.slots(), shape.kv_heads, shape.head_dim};
  const auto bytes = static_cast<std::size_t>(rows.size()) * size_of(shape.dtype);
  const std::size_t pairs = retains ? static_cast<std::size_t>(shape.layers) : 1;
  storage_ = ops.allocate(2 * pairs * bytes);
  // One outermost index for each K or V; the views are cut out of it.
  const auto stack = static_cast<Index>(2 * pairs);
  const Tensor all = storage_.tensor(shape.dtype, {stack, rows[0], rows[1], rows[2]});
  for (Index i = 0; i < stack; i += 2) {
    layers_.push_back({all.rows(i, 1).reshaped(rows), all.rows(i + 1, 1).reshaped(rows)});
  }
}

// [begin]
void KvStorage::begin(const Step& step) {
  copy(step.copies);
  spans_ = step.spans;
  std::size_t width = 0;
  for (const Span& span : spans_) width = std::max(width, placement_.table(span.sequence).size());
  slots_.clear();
  tables_.clear();
  for (const Span& span : spans_) add_span(span, width);
  slots_of_rows_ = upload(ops_, device_slots_, slots_, {step.rows()});
  block_tables_ = upload(ops_, device_tables_, tables_,
                         {static_cast<Index>(spans_.size()), static_cast<Index>(width)});
}

// Copies come first: a block that was copied may belong to somebody else by now, who writes it in
// this step.
void KvStorage::copy(const std::vector<BlockCopy>& copies) {
  if (copies.empty()) return;
  std::vector<std::int32_t> pairs;
  for (const BlockCopy& copy : copies) {
    pairs.insert(pairs.end(), {to_int(copy.from), to_int(copy.to)});
  }
  const Tensor ids = upload(ops_, device_copies_, pairs, {static_cast<Index>(copies.size()), 2});
  for (const Layer& layer : layers_) {
    ops_.copy_blocks(layer.k, ids, placement_.block_size());
    ops_.copy_blocks(layer.v, ids, placement_.block_size());
  }
}

// Where the rows of one span go, and the table, filled up to the common width, by which it reads.
void KvStorage::add_span(const Span& span, std::size_t width) {
  const auto table = placement_.table(span.sequence);
  const int block_size = placement_.block_size();
  expect_reserved(span, table, block_size);
  for (int row = 0; row < span.rows; ++row) {
    const int position = span.position(row);
    const BlockId block = table[static_cast<std::size_t>(position / block_size)];
    slots_.push_back(slot_of(block, block_size, position));
  }
  tables_.insert(tables_.end(), table.begin(), table.end());
  tables_.insert(tables_.end(), width - table.size(), BlockId{-1});
}
// [begin]

KvSlots KvStorage::slots(int layer) {
  const Layer& rows = layers_[static_cast<std::size_t>(layer) % layers_.size()];
  return {rows.k, rows.v, slots_of_rows_};
}

void KvStorage::attend(int layer, ConstTensor q, Tensor out) {
  const Layer& rows = layers_[static_cast<std::size_t>(layer) % layers_.size()];
  const KvView view{rows.k, rows.v, placement_.block_size(), block_tables_, spans_};
  ops_.attend(q, view, mask_of(shape_), out);
}

std::uint64_t KvStorage::bytes() const {
  return storage_.bytes();
}

}  // namespace quire
