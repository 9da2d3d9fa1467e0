#include "src/simd/multiply.h"

#include "src/simd/tile.h"

namespace quire::simd {
namespace {

// While a few rows pass, the next panel is on its way: each tile asks for its share of it, spread
// over its work, so that memory and arithmetic keep each other company.
template <class Panels>
Product<Panels> with_next_panel(Product<Panels> tile, Index which, Index tiles) {
  constexpr Index kRowBytes = kPanel * static_cast<Index>(sizeof(typename Panels::Element));
  const Index elements = tile.inputs / Panels::kInputs;
  tile.ahead_step = kRowBytes / tiles;
  tile.ahead = reinterpret_cast<const std::byte*>(tile.weights.at(1, 0).data) +
               which * elements * tile.ahead_step;
  return tile;
}

}  // namespace

// [multiply]
template <class Panels>
void multiply(const Product<Panels>& product) {
  if (product.rows == 0) return;
  // As many tiles as are needed, and as even as can be: a tile of one row leaves registers idle.
  const Index tiles = (product.rows + kMostRows - 1) / kMostRows;
  const Index group = kPanel * panels_beside(static_cast<int>((product.rows + tiles - 1) / tiles));
  for (Index output = 0; output < product.outputs; output += group) {
    const auto panels = product.from_output(output).first_outputs(group);
    const bool more = tiles > 1 && group == kPanel && output + group < product.outputs;
    for (Index i = 0; i < tiles; ++i) {
      const Index first = product.rows * i / tiles, end = product.rows * (i + 1) / tiles;
      const auto tile = panels.some_rows(first, end - first);
      multiply_rows(more ? with_next_panel(tile, i, tiles) : tile);
    }
  }
}
// [multiply]

/// \cond Doxygen takes explicit instantiations for functions of their own.
template void multiply(const Product<F32Panels>&);
template void multiply(const Product<F16Panels>&);
template void multiply(const Product<BF16Panels>&);
/// \endcond

}  // namespace quire::simd
