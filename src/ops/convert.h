/// \file
/// \brief Between F32 and the formats that weights and caches are stored in.
#pragma once

#include <span>

#include "src/core/tensor.h"

namespace quire {

/// \brief Widens stored numbers to F32, exactly.
/// \param source  F32, F16 or BF16
/// \param target  `source.size()` floats
/// \throws Error if the source holds integers
void widen(ConstTensor source, std::span<float> target);

/// \brief Rounds F32 numbers to a storage format, to nearest, ties to even.
/// \param source  `target.size()` floats
/// \param target  F32, F16 or BF16
/// \throws Error if the target holds integers
void narrow(std::span<const float> source, Tensor target);

}  // namespace quire
