#include "chapters/09_paged_attention/gathered_storage.h"

#include <algorithm>

#include "src/core/error.h"

namespace quire {
namespace {

Tensor in_device(Ops& ops, Buffer& buffer, const std::vector<std::int32_t>& values, Shape shape) {
  buffer = ops.allocate(values.size() * sizeof(std::int32_t));
  const Tensor tensor = buffer.tensor(DType::i32, shape);
  ops.upload(values.data(), tensor);
  return tensor;
}

}  // namespace

GatheredStorage::GatheredStorage(Ops& ops, const KvShape& shape, const Placement& placement)
    : ops_(ops), shape_(shape), placement_(placement), paged_(ops, shape, placement, true) {
  require(shape.dtype == DType::f32, "rows are gathered as F32; the cache stores {}",
          name_of(shape.dtype));
}

// [gather]
void GatheredStorage::begin(const Step& step) {
  paged_.begin(step);
  spans_ = step.spans;
  longest_ = 0;
  for (const Span& span : spans_) longest_ = std::max(longest_, span.context + span.rows);
  // Where each position of the dense copy comes from; what pads a short sequence repeats its first
  // row and is never looked at.
  std::vector<std::int32_t> sources, tables;
  for (const Span& span : spans_) {
    const auto table = placement_.table(span.sequence);
    const int length = span.context + span.rows, size = placement_.block_size();
    for (int p = 0; p < longest_; ++p) {
      const int position = p < length ? p : 0;
      const BlockId block = table[static_cast<std::size_t>(position / size)];
      sources.push_back(static_cast<std::int32_t>(to_int(slot_of(block, size, position))));
    }
    tables.push_back(static_cast<std::int32_t>(tables.size()));
  }
  const auto spans = static_cast<Index>(spans_.size());
  sources_ = in_device(ops_, device_sources_, sources, {spans * longest_});
  tables_ = in_device(ops_, device_tables_, tables, {spans, 1});
}

void GatheredStorage::attend(int layer, ConstTensor q, Tensor out) {
  const KvSlots rows = paged_.slots(layer);
  const KvView view{.k = gathered(rows.k, scratch_k_),
                    .v = gathered(rows.v, scratch_v_),
                    .block_size = longest_,
                    .tables = tables_,
                    .spans = spans_};
  ops_.attend(q, view, mask_of(shape_), out);
}

// All rows that the step may see, a dense copy of `longest_` rows for each sequence.
ConstTensor GatheredStorage::gathered(const Tensor& rows, Buffer& scratch) {
  const Index width = rows.shape().row_size();
  const Shape dense{sources_.size(), width};
  const auto bytes = static_cast<std::size_t>(dense.size()) * sizeof(float);
  if (scratch.bytes() < bytes) scratch = ops_.allocate(bytes);
  const Tensor out = scratch.tensor(DType::f32, dense);
  ops_.gather_rows(rows.reshaped({rows.extent(0), width}), sources_, out);
  return out.reshaped(rows.shape().with_rows(sources_.size()));
}
// [gather]

}  // namespace quire
