/// \file
/// \brief Chapter 05: the sizes of published models, and of one in a folder.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "src/model/config.h"

namespace quire {

/// \brief How a layer is built.
enum class Block {
  llama,  ///< RMSNorm, rotated Q and K, a gated FFN of three matrices
  gpt2,   ///< LayerNorm, learned positions, an FFN of two matrices, a bias for every product
};

/// \brief The sizes of a model: all that its bytes and FLOPs depend on.
struct ModelShape {
  std::string name = {};       ///< what it is called
  ModelConfig config = {};     ///< the sizes
  Block block = Block::llama;  ///< how a layer is built
};

/// \brief The shapes that have a name, the built-in model's not among them.
const std::vector<ModelShape>& all_shapes();

/// \brief A shape by its name; "builtin" is the model that comes with Quire.
/// \param option  what gave the name, for messages
/// \param name    such as "llama-3-8b"
/// \throws Error that lists the names
ModelShape shape_named(std::string_view option, std::string_view name);

/// \brief The shape of a model in a folder, by its config.json; no weights are read.
/// \param folder  holds config.json
/// \throws Error as load_config does
ModelShape shape_of(const std::filesystem::path& folder);

/// \brief What one of several devices holds if every matrix is cut among them: its heads, its part
/// of the FFN and of the vocabulary. A KV head that several devices need is kept by each.
/// \param whole  the model
/// \param ranks  how many devices
/// \throws Error if heads or FFN cannot be cut evenly
ModelShape rank_of(const ModelShape& whole, int ranks);

}  // namespace quire
