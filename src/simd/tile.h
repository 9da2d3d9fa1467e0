/// \file
/// \brief The one inner loop: a tile of rows and panels whose sums stay in registers.
///
/// Every output is summed by multiply-adds in the order of the inputs, in one lane of one register,
/// whatever the tile: which rows and panels share it, and where a sum is put aside and taken up
/// again, changes no bit.
#pragma once

#include <algorithm>

#include "src/simd/multiply.h"

namespace quire::simd {

/// \brief Panels that a tile of some rows has: as many as the registers hold, but no more than eight
/// vectors a row, which is what hides the latency of a multiply-add. A power of two.
/// \param rows  1 to kMostRows
constexpr int panels_beside(int rows) {
  const int most = std::min(kAccumulators / (rows * kVectors), 8 / kVectors);
  return static_cast<int>(std::bit_floor(static_cast<unsigned>(std::max(most, 1))));
}

// [tile]
/// \brief The sums of a tile.
/// \tparam kRows    its rows
/// \tparam kPanels  its panels
template <int kRows, int kPanels>
struct Tile {
  static constexpr int kSums = kPanels * kVectors;  ///< vectors a row

  Vec sums[kRows][kSums];  ///< [row, output]

  /// \brief Adds the products of all inputs, in order.
  /// \tparam kAhead  whether the product names what is read next
  /// \param product  kRows rows
  template <bool kAhead, class Panels, class Inputs>
  void add_and_prefetch(const Product<Panels, Inputs>& product) {
    auto x = product.x;
    auto weights = product.weights;
    const std::byte* ahead = product.ahead;
    Index left = product.inputs;
    for (; left >= Panels::kInputs; left -= Panels::kInputs) {
      if constexpr (kAhead) {
        prefetch(ahead);
        ahead += product.ahead_step;
      }
      add<Panels, Panels::kInputs>(x, weights);
      x = x.at(0, Panels::kInputs);
      weights = weights.at(0, Panels::kInputs);
    }
    if (left > 0) add<Panels, 1>(x, weights);
  }

  /// \brief Adds the products of one input, or of a pair, to all sums.
  ///
  /// All sums stay in registers, so there is room for few other vectors: each row's input, or each
  /// vector of weights, is read once and used at once, and only the other ones are held.
  /// \tparam Panels   the layout
  /// \tparam kInputs  how many of the element's inputs
  /// \param x         the rows, at the first of the inputs
  /// \param weights   the panels, at its element
  template <class Panels, int kInputs, class Inputs, class Weights>
  void add(const Inputs& x, const Weights& weights) {
#pragma GCC unroll 2
    for (int input = 0; input < kInputs; ++input) {
      const auto weight = [&](int v) { return Panels::load_input(weights.vector(v), input); };
      const auto value = [&](int r) { return splat(x.of(r, input)); };
      if constexpr (kRows < kSums) {
        Vec rows[kRows];
#pragma GCC unroll 12
        for (int r = 0; r < kRows; ++r) rows[r] = value(r);
#pragma GCC unroll 8
        for (int v = 0; v < kSums; ++v) {
          const Vec w = weight(v);
#pragma GCC unroll 12
          for (int r = 0; r < kRows; ++r) sums[r][v] = multiply_add(rows[r], w, sums[r][v]);
        }
      } else {
        Vec columns[kSums];
#pragma GCC unroll 8
        for (int v = 0; v < kSums; ++v) columns[v] = weight(v);
#pragma GCC unroll 12
        for (int r = 0; r < kRows; ++r) {
          const Vec row = value(r);
#pragma GCC unroll 8
          for (int v = 0; v < kSums; ++v) sums[r][v] = multiply_add(row, columns[v], sums[r][v]);
        }
      }
    }
  }

  /// \brief Adds the products of all inputs, in order.
  /// \param product  kRows rows
  template <class Panels, class Inputs>
  void add_all(const Product<Panels, Inputs>& product) {
    if (product.ahead != nullptr) return add_and_prefetch<true>(product);
    add_and_prefetch<false>(product);
  }

  /// \brief Calls `body(sum, place, n)` for every vector of sums: n of its lanes are outputs.
  /// \param product  kRows rows
  /// \param body     takes Vec&, float*, Index
  template <class Panels, class Inputs, class Body>
  void for_each_sum(const Product<Panels, Inputs>& product, const Body& body) {
#pragma GCC unroll 12
    for (int r = 0; r < kRows; ++r) {
#pragma GCC unroll 8
      for (int v = 0; v < kSums; ++v) {
        body(sums[r][v], product.out.data + r * product.out.stride + v * kLanes,
             std::clamp<Index>(product.outputs - v * kLanes, 0, kLanes));
      }
    }
  }
};
// [tile]

/// \brief Computes a tile.
/// \tparam kRows    rows of the tile
/// \tparam kPanels  panels of the tile
/// \param product   kRows rows; outputs of the first kPanels panels are computed
template <int kRows, int kPanels, class Panels, class Inputs>
void multiply_tile(const Product<Panels, Inputs>& product) {
  Tile<kRows, kPanels> tile;
  const bool whole = product.outputs >= kPanels * kPanel;
  tile.for_each_sum(product, [&](Vec& sum, const float* from, Index n) {
    if (product.begin == Begin::at_zero) {
      sum = Vec{};
    } else {
      sum = whole ? load(from) : load(from, n);
    }
  });
  tile.add_all(product);
  tile.for_each_sum(
      product, [&](Vec sum, float* to, Index n) { whole ? store(sum, to) : store(sum, to, n); });
}

/// \brief The product of a whole number of rows with panels, from left to right: first as many
/// panels at a time as the registers hold, then half as many, down to one.
/// \tparam kRows    the number of rows
/// \tparam kPanels  panels of a tile
/// \param product   kRows rows, any number of outputs
template <int kRows, int kPanels, class Panels, class Inputs>
void multiply_across(const Product<Panels, Inputs>& product) {
  constexpr Index kOutputs = kPanels * kPanel;
  const auto another = [&](Index output) { return product.outputs - output > kOutputs - kPanel; };
  Index output = 0;
  if (another(output)) {
    // Mostly it is the only one, and a copy of the product would take as long as some inputs.
    multiply_tile<kRows, kPanels>(product);
    output += kOutputs;
  }
  for (; another(output); output += kOutputs) {
    multiply_tile<kRows, kPanels>(product.from_output(output));
  }
  if constexpr (kPanels > 1) {
    if (output < product.outputs) multiply_across<kRows, kPanels / 2>(product.from_output(output));
  }
}

/// \brief The product of at most kRows rows: finds the tile for their number.
/// \tparam kRows   the largest number of rows that there is a tile for
/// \param product  1 to kRows rows
template <int kRows = kMostRows, class Panels, class Inputs>
void multiply_rows(const Product<Panels, Inputs>& product) {
  if constexpr (kRows > 1) {
    if (product.rows < kRows) return multiply_rows<kRows - 1>(product);
  }
  multiply_across<kRows, panels_beside(kRows)>(product);
}

}  // namespace quire::simd
