/// \file
/// \brief The frequencies at which the elements of a head turn from one position to the next.
#pragma once

#include <vector>

#include "src/model/config.h"

namespace quire {

/// \brief One frequency for each pair of a head's elements, from fast to slow, in radians a
/// position: theta^(-2i / head_dim), scaled as the config says.
///
/// Sources: Su et al., "RoFormer", 2021, section 3.2; "linear" is Chen et al., "Extending Context
/// Window of Large Language Models via Positional Interpolation", 2023; "llama3" comes with the
/// code of Llama 3.1.
/// \param config  the architecture
/// \return [head_dim / 2]
std::vector<float> rope_frequencies(const ModelConfig& config);

}  // namespace quire
