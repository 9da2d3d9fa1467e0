#include "src/simd/multiply.h"
#include "src/simd/rows.h"
#include "src/simd/simd_ops.h"
#include "src/simd/transpose.h"

namespace quire {
namespace simd {
namespace {

// Panels that a thread takes at least: as many as a tile of one row has.
constexpr Index kLeastPanels = std::max(2, 4 / kVectors);
// From so many rows on it pays to lay them out in tiles first.
constexpr Index kManyRows = 2 * kMostRows;
// So many rows are laid out at a time: the copy stays small, and weights are seldom read again.
constexpr Index kRowsAtATime = 480 / kMostRows * kMostRows;
// Rows whose inputs stay in the second cache ...
constexpr Index kRowsInCache = 96 / kMostRows * kMostRows;
// ... while each panel, and each tile's rows beside it, are in the first one.
constexpr Index kInputsAtATime = 512;

// Every panel meets the rows in pieces that the caches hold.
template <class Panels>
void multiply_in_pieces(const Product<Panels, RowTiles>& product) {
  const Index pieces = std::max<Index>(1, (product.inputs + kInputsAtATime - 1) / kInputsAtATime);
  // Even pieces, of an even number of inputs. One of none still sets its sums to 0.
  const Index size = std::max<Index>(2, (product.inputs / pieces + 1) / 2 * 2);
  for (Index row = 0; row < product.rows; row += kRowsInCache) {
    const auto rows = product.some_rows(row, std::min(kRowsInCache, product.rows - row));
    for (Index input = 0; input == 0 || input < product.inputs; input += size) {
      multiply(rows.some_inputs(input, std::min(size, product.inputs - input)));
    }
  }
}

// The same product of rows that have been laid out.
template <class Panels>
Product<Panels, RowTiles> with_tiles(const Product<Panels>& product, RowTiles tiles) {
  return {tiles, product.weights, product.out, product.rows, product.inputs, product.outputs};
}

// One tile of some rows, at most kMostRows.
void lay_out_tile(Rows<const float> rows, Index count, Index inputs, float* to) {
  Index row = 0;
  for (; row + 4 <= count; row += 4) {
    transpose_four<kMostRows>(
        {&rows.of(row, 0), &rows.of(row + 1, 0), &rows.of(row + 2, 0), &rows.of(row + 3, 0)},
        inputs, to + row);
  }
  for (; row < count; ++row) {
    for (Index i = 0; i < inputs; ++i) to[i * kMostRows + row] = rows.of(row, i);
  }
}

// Its outputs, split over threads.
template <class Panels, class Inputs, class Body>
void share_outputs(ThreadPool& threads, const Product<Panels, Inputs>& product, const Body& body) {
  threads.parallel_chunks(
      panels_of(product.outputs), kLeastPanels, [&](Index begin, Index end, Index) {
        body(product.from_output(begin * kPanel).first_outputs((end - begin) * kPanel));
      });
}

}  // namespace
}  // namespace simd

void SimdOps::do_linear(ConstTensor x, const Weight& weight, Tensor out) {
  using namespace simd;
  const Index inputs = x.shape().row_size(), outputs = out.shape().row_size();
  with_panels(weight.tensor.dtype(), [&](auto layout) {
    using Panels = decltype(layout);
    const auto* panels = reinterpret_cast<const typename Panels::Element*>(weight.tensor.bytes());
    const Product<Panels> product{.x = {x.values<float>().data(), inputs},
                                  .weights = {panels, panel_size<Panels>(inputs)},
                                  .out = {out.values<float>().data(), outputs},
                                  .rows = out.extent(0),
                                  .inputs = inputs,
                                  .outputs = outputs};
    if (product.rows < kManyRows) {
      return share_outputs(threads_, product, [](const auto& part) { multiply(part); });
    }
    for (Index row = 0; row < product.rows; row += kRowsAtATime) {
      const auto rows = product.some_rows(row, std::min(kRowsAtATime, product.rows - row));
      share_outputs(threads_, with_tiles(rows, lay_out(rows.x, rows.rows, inputs)),
                    [](const auto& part) { multiply_in_pieces(part); });
    }
  });
}

simd::RowTiles SimdOps::lay_out(simd::Rows<const float> rows, Index count, Index inputs) {
  using namespace simd;
  const Index tiles = (count + kMostRows - 1) / kMostRows;
  const auto bytes = static_cast<std::size_t>(tiles * kMostRows * inputs) * sizeof(float);
  if (tiles_.bytes() < bytes) tiles_ = allocate_host(bytes);
  float* const to = tiles_.tensor(DType::f32, {0}).values<float>().data();
  threads_.parallel_for(
      tiles, rows_worth_a_thread(kMostRows * inputs), [&](Index begin, Index end) {
        for (Index tile = begin; tile < end; ++tile) {
          const Index first = tile * kMostRows;
          lay_out_tile(rows.at(first, 0), std::min<Index>(kMostRows, count - first), inputs,
                       to + first * inputs);
        }
      });
  return {to, inputs};
}

}  // namespace quire
