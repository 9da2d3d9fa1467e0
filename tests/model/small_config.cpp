#include "tests/model/small_config.h"

#include "tests/support/temporary_folder.h"

namespace quire::test {

Json small_config() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"model_type", "llama"},
          {"hidden_size", 64},
          {"num_hidden_layers", 3},
          {"num_attention_heads", 4},
          {"num_key_value_heads", 2},
          {"intermediate_size", 176},
          {"vocab_size", 1000},
          {"max_position_embeddings", 512},
          {"rms_norm_eps", 1e-5},
          {"rope_theta", 500000.0},
          {"tie_word_embeddings", true},
          {"bos_token_id", 1},
          {"eos_token_id", 2}};
}

ModelConfig load(const Change& change, const Json& generation) {
  const TemporaryFolder folder;
  Json config = small_config();
  change(config);
  folder.write("config.json", config.dump());
  if (!generation.is_null()) folder.write("generation_config.json", generation.dump());
  return load_config(folder.path());
}

}  // namespace quire::test
