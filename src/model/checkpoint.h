/// \file
/// \brief The weights of a model as files hold them: tensors by name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "src/core/tensor.h"

namespace quire {

/// \brief Named tensors out of one file or several, read-only.
class Checkpoint {
 public:
  virtual ~Checkpoint() = default;

  /// \brief Where it came from, as messages call it.
  virtual const std::filesystem::path& path() const = 0;
  /// \brief The names of all tensors, sorted.
  virtual std::vector<std::string> names() const = 0;
  /// \brief Whether there is a tensor of a name.
  /// \param name  any name
  virtual bool contains(const std::string& name) const = 0;
  /// \brief The bytes of all tensors, also of those that are never asked for.
  virtual std::uint64_t data_bytes() const = 0;
  /// \brief A tensor, valid as long as this checkpoint is.
  /// \param name  a tensor of F32, F16 or BF16 numbers and at most 4 dimensions
  /// \throws Error if there is no such tensor, or it is of another type or rank
  virtual ConstTensor tensor(const std::string& name) const = 0;
  /// \brief Gives the memory of a tensor back to the system, for whoever made a copy. The tensor
  /// stays valid: reading it reads the file again.
  /// \param tensor  what tensor() returned
  virtual void let_go(ConstTensor tensor) const = 0;
};

/// \brief Opens the weights of a model folder: `model.safetensors`, or else the shards that
/// `model.safetensors.index.json` names.
/// \param model_dir  the folder
/// \throws Error if it has neither, or what it has is broken
std::shared_ptr<const Checkpoint> open_checkpoint(const std::filesystem::path& model_dir);

}  // namespace quire
