/// \file
/// \brief What a step must cost, by arithmetic on the model's config alone.
#pragma once

#include <cstdint>

#include "src/core/counters.h"
#include "src/kv/kv_cache.h"
#include "src/kv/step.h"
#include "src/model/config.h"

namespace quire {

/// \brief What a model asks of its cache.
/// \param config  the model
/// \param dtype   the element type of stored rows
KvShape kv_shape_of(const ModelConfig& config, DType dtype = DType::f32);

/// \brief The number of weights; tied embeddings count once.
/// \param config  the model
std::uint64_t parameter_count(const ModelConfig& config);

/// \brief How a step's bytes are stored.
struct Storage {
  DType weights = DType::bf16;  ///< all weights
  DType kv = DType::f32;        ///< keys and values
  int block_size = 1;           ///< tokens that a block table's entry stands for
};

/// \brief The bill of one step, operator by operator.
///
/// Derived from the architecture, not from the calls that a decoder makes: the counters of the
/// calls must come to the same numbers.
/// \param config the model
/// \param storage the formats
/// \param step     the spans and the rows that want logits
Counters bill_of(const ModelConfig& config, const Storage& storage, const Step& step);

}  // namespace quire
