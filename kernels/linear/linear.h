/// \file
/// \brief Products with a weight, on a device.
///
/// Two forms. In both, an element of the result is a sum in one order that depends on the number of
/// inputs alone: a row's result is the same to the bit whatever rows are beside it and however many
/// there are. The two forms sum in different orders, so they agree within rounding.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"

namespace quire::kernels {

/// \brief The extents of a product.
struct LinearShape {
  std::int64_t rows = 0;     ///< of the step
  std::int64_t inputs = 0;   ///< elements of a row
  std::int64_t outputs = 0;  ///< rows of the weight
};

/// \brief So many rows the form for few rows takes.
inline constexpr int kFewRows = 8;

/// \brief out[r, o] = sum over i of x[r, i] * weight[o, i], a warp for each output.
///
/// The form for decoding: the weight is read once, whatever the number of rows.
/// \tparam Stored  float, Float16 or BFloat16
/// \param out     [rows, outputs]; does not overlap x
/// \param x       [rows, inputs]
/// \param weight  [outputs, inputs]
/// \param shape   the extents; at most kFewRows rows
/// \param stream  where the work is enqueued
template <class Stored>
void linear_few_rows(float* out, const float* x, const Stored* weight, const LinearShape& shape,
                     simt::Stream stream);

/// \brief out[r, o] = sum over i of x[r, i] * weight[o, i], a block for each tile of the result.
///
/// The form for prompts and large batches, for any number of rows.
/// \tparam Stored  float, Float16 or BFloat16
/// \param out     [rows, outputs]; does not overlap x
/// \param x       [rows, inputs]
/// \param weight  [outputs, inputs]
/// \param shape   the extents
/// \param stream  where the work is enqueued
template <class Stored>
void linear_tiled(float* out, const float* x, const Stored* weight, const LinearShape& shape,
                  simt::Stream stream);

/// \brief The form that suits the number of rows: linear_few_rows up to kFewRows, else linear_tiled.
/// \tparam Stored  float, Float16 or BFloat16
/// \param out     [rows, outputs]; does not overlap x
/// \param x       [rows, inputs]
/// \param weight  [outputs, inputs]
/// \param shape   the extents
/// \param stream  where the work is enqueued
template <class Stored>
void linear(float* out, const float* x, const Stored* weight, const LinearShape& shape,
            simt::Stream stream) {
  const auto form = shape.rows <= kFewRows ? linear_few_rows<Stored> : linear_tiled<Stored>;
  form(out, x, weight, shape, stream);
}

}  // namespace quire::kernels
