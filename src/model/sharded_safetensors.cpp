#include "src/model/sharded_safetensors.h"

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

// A file beside the index, and nothing else: no folder, no way up, no empty name.
bool is_plain_name(const std::string& file) {
  return !file.empty() && file != "." && file != ".." &&
         file.find_first_of(std::string_view("/\\\0", 3)) == std::string::npos;
}

}  // namespace

std::shared_ptr<const ShardedSafeTensors> ShardedSafeTensors::open(
    const std::filesystem::path& index) {
  return std::shared_ptr<const ShardedSafeTensors>(new ShardedSafeTensors(index));
}

ShardedSafeTensors::ShardedSafeTensors(const std::filesystem::path& index) : path_(index) {
  const Json json = read_json(index);
  const JsonObject map = JsonObject(json, index.string()).object("weight_map");
  for (const auto& [tensor, value] : json.at("weight_map").items()) {
    const std::string& file = map.text(tensor);
    require(is_plain_name(file), "{} must be a file in the same folder, not {}",
            map.name_of(tensor), in_quotes(file));
    open_shard(file, tensor);
    require(shards_.at(file)->contains(tensor), "{} says that {} is in {}, but it is not",
            path_.string(), in_quotes(tensor), in_quotes(file));
    shard_of_.emplace(tensor, file);
  }
  expect_no_others();
}

void ShardedSafeTensors::open_shard(const std::string& file, const std::string& tensor) {
  if (shards_.contains(file)) return;
  const std::filesystem::path place = path_.parent_path() / file;
  std::error_code ignored;
  require(std::filesystem::exists(place, ignored), "{} is missing; {} says that {} is in it",
          place.string(), path_.string(), in_quotes(tensor));
  shards_.emplace(file, SafeTensors::open(place));
}

// Whoever reads the shards without the index would see these too, and perhaps prefer them.
void ShardedSafeTensors::expect_no_others() const {
  for (const auto& [file, shard] : shards_) {
    for (const std::string& tensor : shard->names()) {
      const auto known = shard_of_.find(tensor);
      require(known != shard_of_.end() && known->second == file, "{} holds {}, which {} puts {}",
              shard->path().string(), in_quotes(tensor), path_.string(),
              known == shard_of_.end() ? "nowhere" : "into " + in_quotes(known->second));
    }
  }
}

std::vector<std::string> ShardedSafeTensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, file] : shard_of_) names.push_back(name);
  return names;
}

std::uint64_t ShardedSafeTensors::data_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [file, shard] : shards_) sum += shard->data_bytes();
  return sum;
}

ConstTensor ShardedSafeTensors::tensor(const std::string& name) const {
  const auto found = shard_of_.find(name);
  require(found != shard_of_.end(), "{} has no tensor {}", path_.string(), in_quotes(name));
  return shards_.at(found->second)->tensor(name);
}

void ShardedSafeTensors::let_go(ConstTensor tensor) const {
  // Each leaves alone what is not its own.
  for (const auto& [file, shard] : shards_) shard->let_go(tensor);
}

}  // namespace quire
