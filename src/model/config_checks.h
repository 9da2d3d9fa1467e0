/// \file
/// \brief What reading a config needs everywhere: the largest sizes, and refusing a key by name.
#pragma once

#include <string_view>

#include "src/core/json.h"

namespace quire {

/// \name The largest sizes of a model
/// Far beyond every published model, and small enough to be multiplied three at a time.
/// \{
inline constexpr int kMaxLayers = 1 << 12;      ///< decoder layers
inline constexpr int kMaxHeads = 1 << 12;       ///< heads of Q, K or V
inline constexpr int kMaxHeadDim = 1 << 12;     ///< elements a head
inline constexpr int kMaxWidth = 1 << 20;       ///< of the residual stream and the FFN
inline constexpr int kMaxVocabulary = 1 << 24;  ///< rows of the embedding
inline constexpr int kMaxPositions = 1 << 28;   ///< tokens of the longest sequence
/// \}

/// \brief Refuses a key that would change the result, unless it is absent, null, or harmless.
/// \param config    what may have the key
/// \param key       a key
/// \param harmless  the value with which the key changes nothing
/// \throws Error that names the key, its value, and the one that would be right
void refuse_unless(const JsonObject& config, std::string_view key, const Json& harmless);

}  // namespace quire
