/// \file
/// \brief A checkpoint in several safetensors files, and the index that says what is in which.
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "src/model/safetensors.h"

namespace quire {

/// \brief The shards of a checkpoint as one.
///
/// The index is JSON: its `weight_map` gives for each tensor the file beside the index that holds
/// it. It is as hostile as the files: a name that leads out of the folder is refused, and the shards
/// must hold the tensors that the map says, each where it says, and no others.
class ShardedSafeTensors : public Checkpoint {
 public:
  /// \brief Opens all shards and checks them against the index.
  /// \param index  usually `model.safetensors.index.json`
  /// \throws Error if the index or a shard is broken or missing, or they contradict each other; it
  ///         names both
  static std::shared_ptr<const ShardedSafeTensors> open(const std::filesystem::path& index);

  const std::filesystem::path& path() const override { return path_; }
  std::vector<std::string> names() const override;
  bool contains(const std::string& name) const override { return shard_of_.contains(name); }
  std::uint64_t data_bytes() const override;
  ConstTensor tensor(const std::string& name) const override;
  void let_go(ConstTensor tensor) const override;

 private:
  explicit ShardedSafeTensors(const std::filesystem::path& index);

  void open_shard(const std::string& file, const std::string& tensor);
  void expect_no_others() const;

  std::filesystem::path path_;
  std::map<std::string, std::shared_ptr<const SafeTensors>> shards_;  // by file
  std::map<std::string, std::string> shard_of_;                       // the file of each tensor
};

}  // namespace quire
