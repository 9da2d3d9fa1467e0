/// \file
/// \brief The layout of a weight: panels of 16 outputs, in the order in which a tile reads them.
///
/// ```text
/// weight   [out, in], a row for each output
/// panels   [ceil(out / 16), in, 16]            F32, F16
///          [ceil(out / 16), ceil(in / 2), 16]  BF16: words of 32 bits, an even input's weight in
///                                              the lower half, the next one's in the upper
/// ```
/// Outputs beyond the last are 0. A pair of bfloat16 numbers becomes two vectors of floats by a shift
/// and a mask, without any movement between lanes.
#pragma once

#include "src/core/tensor.h"
#include "src/simd/vector.h"

namespace quire::simd {

/// \brief Outputs a panel.
inline constexpr Index kPanel = 16;
/// \brief Vectors that hold one input's weights of a panel.
inline constexpr int kVectors = static_cast<int>(kPanel) / kLanes;

/// \brief Panels that cover a number of outputs.
/// \param outputs  0 or more
constexpr Index panels_of(Index outputs) {
  return (outputs + kPanel - 1) / kPanel;
}

/// \brief Panels of floats.
struct F32Panels {
  using Element = float;             ///< what is stored
  static constexpr int kInputs = 1;  ///< inputs an element
  /// \brief The weights of one input.
  /// \param from  kLanes elements
  static Vec load_input(const Element* from, int) { return load(from); }
};

/// \brief Panels of halves.
struct F16Panels {
  using Element = Float16;           ///< what is stored
  static constexpr int kInputs = 1;  ///< inputs an element
  /// \brief The weights of one input, widened.
  /// \param from  kLanes elements
  static Vec load_input(const Element* from, int) { return load_wide(from); }
};

/// \brief Panels of pairs of bfloat16 numbers.
struct BF16Panels {
  using Element = std::uint32_t;     ///< two inputs' weights of one output
  static constexpr int kInputs = 2;  ///< inputs an element
  /// \brief The weights of one input of a pair, widened.
  /// \param from   kLanes elements
  /// \param input  0 or 1
  static Vec load_input(const Element* from, int input) {
    const UVec pairs = load<UVec>(from);
    return float_of(input == 0 ? pairs << 16 : pairs & 0xffff0000u);
  }
};

/// \brief Elements of one panel.
/// \tparam Panels  one of the three layouts
/// \param inputs   0 or more
template <class Panels>
constexpr Index panel_size(Index inputs) {
  return (inputs + Panels::kInputs - 1) / Panels::kInputs * kPanel;
}

/// \brief Calls `body(Panels{})` with the layout of a stored type.
/// \param dtype  F32, F16 or BF16
/// \param body   callable with each of the three
template <class Body>
void with_panels(DType dtype, const Body& body) {
  if (dtype == DType::f32) return body(F32Panels{});
  if (dtype == DType::f16) return body(F16Panels{});
  body(BF16Panels{});
}

/// \brief Bytes that a weight takes in panels.
/// \param weight  F32, F16 or BF16 [out, in]
std::size_t packed_bytes(ConstTensor weight);

/// \brief Copies a weight into panels.
/// \param weight  F32, F16 or BF16 [out, in], in host memory
/// \param panels  packed_bytes(weight) bytes
void pack(ConstTensor weight, std::byte* panels);

/// \brief One row of a weight that was packed, widened: an embedding's.
/// \param panels  what pack made
/// \param dtype   of the weight
/// \param inputs  elements a row
/// \param row     0 <= row < out
/// \param out     `inputs` floats
void unpack_row(const std::byte* panels, DType dtype, Index inputs, Index row, float* out);

}  // namespace quire::simd
