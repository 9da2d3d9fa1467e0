#include "src/simd/multiply.h"
#include "src/simd/simd_ops.h"

namespace quire {
namespace simd {
namespace {

// Panels that a thread takes at least: as many as a tile of one row has.
constexpr Index kLeastPanels = std::max(2, 4 / kVectors);
// So many inputs of a panel and of a tile's rows stay in the nearest cache together ...
constexpr Index kInputsAtATime = 512;
// ... so many rows of inputs in the next, beside so many panels.
constexpr Index kRowsAtATime = 96, kPanelsAtATime = 8;

// Many rows: every panel meets them in pieces that the caches hold.
template <class Panels>
void multiply_in_pieces(const Product<Panels>& product) {
  for (Index row = 0; row < product.rows; row += kRowsAtATime) {
    const auto rows = product.some_rows(row, std::min(kRowsAtATime, product.rows - row));
    const Index pieces = std::max<Index>(1, (product.inputs + kInputsAtATime - 1) / kInputsAtATime);
    // Even pieces, of an even number of inputs.
    const Index size = (product.inputs / pieces + 1) / 2 * 2;
    for (Index input = 0; input < product.inputs; input += size) {
      multiply(rows.some_inputs(input, std::min(size, product.inputs - input)));
    }
  }
}

template <class Panels>
void multiply_large(const Product<Panels>& product) {
  for (Index output = 0; output < product.outputs; output += kPanelsAtATime * kPanel) {
    multiply_in_pieces(product.from_output(output).first_outputs(kPanelsAtATime * kPanel));
  }
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
    threads_.parallel_chunks(panels_of(outputs), kLeastPanels, [&](Index begin, Index end, Index) {
      const auto part = product.from_output(begin * kPanel).first_outputs((end - begin) * kPanel);
      product.rows > kRowsAtATime ? multiply_large(part) : multiply(part);
    });
  });
}

}  // namespace quire
