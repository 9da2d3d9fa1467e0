#include "src/simd/multiply.h"

#include <type_traits>

#include "src/simd/tile.h"

namespace quire::simd {
namespace {

// While a few rows pass, the next panel is on its way: each tile asks for its share of it, spread
// over its work, so that memory and arithmetic keep each other company.
template <class Panels, class Inputs>
void ask_for_next_panel(Product<Panels, Inputs>& tile, Index which, Index tiles) {
  constexpr Index kRowBytes = kPanel * static_cast<Index>(sizeof(typename Panels::Element));
  const Index elements = tile.inputs / Panels::kInputs;
  tile.ahead_step = kRowBytes / tiles;
  tile.ahead = reinterpret_cast<const std::byte*>(tile.weights.at(1, 0).vector(0)) +
               which * elements * tile.ahead_step;
}

}  // namespace

// [multiply]
template <class Panels, class Inputs>
void multiply(const Product<Panels, Inputs>& product) {
  if (product.rows == 0) return;
  const Index tiles = (product.rows + kMostRows - 1) / kMostRows;
  const auto first_row = [&](Index tile) { return Inputs::first_row(tile, tiles, product.rows); };
  const Index most_rows = (product.rows + tiles - 1) / tiles;
  const Index group = kPanel * panels_beside(static_cast<int>(most_rows));
  // Scattered rows have their next panel beside the last one.
  constexpr bool kApart = !std::is_same_v<Panels, ScatteredRows>;
  for (Index output = 0; output < product.outputs; output += group) {
    const auto panels = product.from_output(output).first_outputs(group);
    const bool more = kApart && tiles > 1 && group == kPanel && output + group < product.outputs;
    for (Index i = 0; i < tiles; ++i) {
      auto tile = panels.some_rows(first_row(i), first_row(i + 1) - first_row(i));
      if (more) ask_for_next_panel(tile, i, tiles);
      multiply_rows(tile);
    }
  }
}
// [multiply]

/// \cond Doxygen takes explicit instantiations for functions of their own.
template void multiply(const Product<F32Panels>&);
template void multiply(const Product<ScatteredRows>&);
template void multiply(const Product<F16Panels>&);
template void multiply(const Product<BF16Panels>&);
template void multiply(const Product<F32Panels, RowTiles>&);
template void multiply(const Product<F16Panels, RowTiles>&);
template void multiply(const Product<BF16Panels, RowTiles>&);
/// \endcond

}  // namespace quire::simd
