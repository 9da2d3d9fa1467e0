#include "src/app/loaded_model.h"

#include <utility>

#include "src/core/error.h"
#include "src/model/checkpoint.h"
#include "src/model/config.h"
#include "src/model/weights.h"

namespace quire {

LoadedModel load_model(const std::filesystem::path& folder, const Device& device) {
  const ModelConfig config = load_config(folder);
  const auto checkpoint = open_checkpoint(folder);
  expect_model_file(folder, "tokenizer.json");
  auto tokenizer = Tokenizer::load(folder / "tokenizer.json");
  require(tokenizer.vocabulary_size() <= config.vocabulary,
          "{}: tokenizer.json has {} entries, the model's embedding only {}", folder.string(),
          tokenizer.vocabulary_size(), config.vocabulary);
  auto ops = make_ops(device);
  auto decoder = std::make_unique<Decoder>(config, load_weights(config, checkpoint, *ops), *ops);
  return {.tokenizer = std::move(tokenizer),
          .ops = std::move(ops),
          .decoder = std::move(decoder),
          .weight_bytes = checkpoint->data_bytes()};
}

Generation continue_prompt(LoadedModel& model, const MakeMemory& make,
                           const std::vector<TokenId>& prompt, const GenerationOptions& options,
                           Observer& observer, std::uint64_t* kv_bytes) {
  const int limit = token_limit(model.config(), prompt.size(), options.max_tokens);
  const int rows = static_cast<int>(prompt.size()) + limit - 1;
  const Memory memory = make(*model.ops, model.config(), rows);
  if (kv_bytes != nullptr) *kv_bytes = memory.storage->bytes();
  return generate(*model.decoder, *memory.manager, *memory.storage, prompt, options, observer);
}

}  // namespace quire
