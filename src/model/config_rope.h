/// \file
/// \brief What config.json says of the rotation of queries and keys.
#pragma once

#include "src/core/json.h"
#include "src/model/config.h"

namespace quire {

/// \brief Reads the base of the rotation, and how its frequencies were scaled.
///
/// Older files have "rope_theta" and perhaps "rope_scaling", whose kind is under "type" or
/// "rope_type"; newer ones keep both in "rope_parameters". What is said twice must agree.
/// \param config  the whole of config.json
/// \param model   gets rope_theta and rope_scaling
/// \throws Error if a kind is unknown, a number of it is missing or makes no sense, or two keys
///         contradict each other
void read_rope(const JsonObject& config, ModelConfig& model);

}  // namespace quire
