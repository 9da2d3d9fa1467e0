#include "src/model/checkpoint.h"

#include "src/model/config.h"
#include "src/model/safetensors.h"
#include "src/model/sharded_safetensors.h"

namespace quire {

std::shared_ptr<const Checkpoint> open_checkpoint(const std::filesystem::path& model_dir) {
  const auto whole = model_dir / "model.safetensors";
  const auto index = model_dir / "model.safetensors.index.json";
  std::error_code ignored;
  if (!std::filesystem::exists(whole, ignored) && std::filesystem::exists(index, ignored)) {
    return ShardedSafeTensors::open(index);
  }
  expect_model_file(model_dir, "model.safetensors");
  return SafeTensors::open(whole);
}

}  // namespace quire
