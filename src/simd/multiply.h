/// \file
/// \brief Products of rows with panels: linear layers, QK^T and PV alike.
#pragma once

#include <algorithm>

#include "src/simd/panels.h"

namespace quire::simd {

/// \brief Rows of floats in memory.
/// \tparam Float  float, or const float
template <class Float>
struct Rows {
  Float* data = nullptr;  ///< the first element
  Index stride = 0;       ///< from a row to the next

  /// \brief The rows from some place on.
  /// \param row     how many rows further
  /// \param column  how many elements further
  Rows at(Index row, Index column) const { return {data + row * stride + column, stride}; }
  /// \brief One element.
  /// \param row     which row
  /// \param column  which element of it
  Float& of(Index row, Index column) const { return data[row * stride + column]; }
  /// \brief The first row of a tile.
  /// \param tile   which, at most `tiles`
  /// \param tiles  of how many: as even as can be, since a tile of one row leaves registers idle
  /// \param rows   rows of all tiles
  static Index first_row(Index tile, Index tiles, Index rows) { return rows * tile / tiles; }
};

/// \brief Rows that a tile may have.
inline constexpr int kMostRows = std::min(kAccumulators / kVectors, 12);

/// \brief Rows in the order in which tiles read them: those of a tile beside each other, input by
/// input, [ceil(rows / kMostRows), inputs, kMostRows].
///
/// A tile then reads one stream of memory instead of kMostRows, with one address in a register, and
/// no two of its rows fight for a place in the cache.
struct RowTiles {
  const float* data = nullptr;  ///< the first element
  Index inputs = 0;             ///< elements a row

  /// \brief The tiles from some place on.
  /// \param row     how many rows further, a multiple of kMostRows
  /// \param column  how many elements further
  RowTiles at(Index row, Index column) const {
    return {data + row * inputs + column * kMostRows, inputs};
  }
  /// \brief One element of the first tile.
  /// \param row     which row
  /// \param column  which element of it
  const float& of(Index row, Index column) const { return data[column * kMostRows + row]; }
  /// \brief The first row of a tile.
  /// \param tile  which
  /// \param rows  rows of all tiles
  static Index first_row(Index tile, Index, Index rows) { return std::min(tile * kMostRows, rows); }
};

/// \brief Some consecutive panels, or some consecutive inputs of them.
/// \tparam Panels  their layout
template <class Panels>
struct PanelsView {
  const typename Panels::Element* data = nullptr;  ///< the first element
  Index stride = 0;                                ///< elements from a panel to the next

  /// \brief The panels from some place on.
  /// \param panel  how many panels further
  /// \param input  how many inputs further, a multiple of Panels::kInputs
  PanelsView at(Index panel, Index input) const {
    return {data + panel * stride + input / Panels::kInputs * kPanel, stride};
  }
  /// \brief A vector of the first element's weights.
  /// \param v  which, counted through the panels
  const typename Panels::Element* vector(int v) const {
    return data + v / kVectors * stride + v % kVectors * kLanes;
  }
};

/// \brief Rows of floats wherever each of them lies, as panels: a row is an input, and 16 elements of
/// it are a panel's outputs.
struct ScatteredRows {
  using Element = float;             ///< what is stored
  static constexpr int kInputs = 1;  ///< inputs an element
  /// \copydoc F32Panels::load_input
  static Vec load_input(const Element* from, int) { return load(from); }

  const std::byte* const* rows = nullptr;  ///< where each row begins
  Index column = 0;                        ///< the first element that counts

  /// \copydoc PanelsView::at
  ScatteredRows at(Index panel, Index input) const {
    return {rows + input, column + panel * kPanel};
  }
  /// \copydoc PanelsView::vector
  const float* vector(int v) const {
    return reinterpret_cast<const float*>(*rows) + column + v * kLanes;
  }
};

/// \brief How a product sees weights of a layout.
/// \tparam Panels  the layout
template <class Panels>
struct ViewOf {
  using Type = PanelsView<Panels>;  ///< panels in memory
};
/// \brief Scattered rows are their own view.
template <>
struct ViewOf<ScatteredRows> {
  using Type = ScatteredRows;  ///< itself
};

/// \brief Where sums begin.
enum class Begin {
  at_zero,    ///< a new sum
  where_left  ///< what `out` holds
};

/// \brief A product to compute: out[r, o] (+)= sum over i of x[r, i] * weight[o, i].
/// \tparam Panels  the layout of the weight
/// \tparam Inputs  that of x
template <class Panels, class Inputs = Rows<const float>>
struct Product {
  Inputs x;                               ///< [rows, inputs]
  typename ViewOf<Panels>::Type weights;  ///< panels that cover the outputs
  Rows<float> out;                        ///< [rows, outputs]
  Index rows = 0;                         ///< any number
  Index inputs = 0;                       ///< any number
  Index outputs = 0;                      ///< any number
  Begin begin = Begin::at_zero;           ///< where sums begin
  const std::byte* ahead = nullptr;       ///< what is read next, to be asked for meanwhile; or null
  Index ahead_step = 0;                   ///< bytes of it for each element of a panel

  /// \brief The same product without its first outputs.
  /// \param output  how many, a multiple of kPanel
  Product from_output(Index output) const {
    Product rest = *this;
    rest.weights = weights.at(output / kPanel, 0);
    rest.out = out.at(0, output);
    rest.outputs -= output;
    return rest;
  }
  /// \brief The same product for some of its rows.
  /// \param row    the first of them
  /// \param count  how many
  Product some_rows(Index row, Index count) const {
    Product some = *this;
    some.x = x.at(row, 0);
    some.out = out.at(row, 0);
    some.rows = count;
    return some;
  }
  /// \brief The part of the sums that some inputs make; all but the first go on where it left.
  /// \param input  the first of them, a multiple of Panels::kInputs
  /// \param count  how many
  Product some_inputs(Index input, Index count) const {
    Product some = *this;
    some.x = x.at(0, input);
    some.weights = weights.at(0, input);
    some.inputs = count;
    if (input > 0) some.begin = Begin::where_left;
    return some;
  }
  /// \brief The same product for its first outputs only.
  /// \param count  how many at most
  Product first_outputs(Index count) const {
    Product some = *this;
    some.outputs = std::min(outputs, count);
    return some;
  }
};

/// \brief Computes a product on the calling thread.
///
/// Panels outside, rows inside: a few panels stay in the nearest cache while all rows pass. Every
/// output is summed by multiply-adds in the order of the inputs, so row i does not depend on how many
/// rows there are.
/// \param product  of at most some thousand inputs, so that a panel stays in the cache
template <class Panels, class Inputs>
void multiply(const Product<Panels, Inputs>& product);

}  // namespace quire::simd
