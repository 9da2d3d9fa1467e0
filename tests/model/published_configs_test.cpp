// What published models say in config.json, and how many parameters their authors count.
#include <gtest/gtest.h>

#include "src/core/json.h"
#include "src/model/bill.h"
#include "src/model/config.h"
#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

struct PublishedConfig {
  const char* name;
  const char* config;
  std::uint64_t parameters;
  void (*check)(const ModelConfig&);  // what the family is about
};

void has_plain_rope(const ModelConfig& config) {
  EXPECT_EQ(config.rope_scaling, RopeScaling{});
  EXPECT_EQ(config.window, 0);
  EXPECT_FALSE(config.qkv_bias || config.o_bias || config.qk_norm);
}

void has_stretched_rope(const ModelConfig& config) {
  EXPECT_EQ(config.rope_scaling.kind, RopeKind::llama3);
  EXPECT_EQ(config.rope_scaling.original_max_positions, 8192);
  EXPECT_EQ(config.max_positions, 131072);
}

void has_a_window(const ModelConfig& config) {
  EXPECT_EQ(config.window, 4096);
}

void has_no_window(const ModelConfig& config) {
  EXPECT_EQ(config.window, 0);
  EXPECT_EQ(config.max_positions, 32768);
}

void has_biases(const ModelConfig& config) {
  EXPECT_TRUE(config.qkv_bias);
  EXPECT_FALSE(config.o_bias || config.qk_norm);
  EXPECT_EQ(config.window, 0);
}

void has_normed_heads(const ModelConfig& config) {
  EXPECT_TRUE(config.qk_norm);
  EXPECT_FALSE(config.qkv_bias || config.o_bias);
  EXPECT_EQ(config.head_dim, 128);
}

const PublishedConfig kConfigs[] = {
    {"Llama_2_7B", R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
       "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 11008,
       "max_position_embeddings": 4096, "num_attention_heads": 32, "num_hidden_layers": 32,
       "num_key_value_heads": 32, "pretraining_tp": 1, "rms_norm_eps": 1e-05,
       "rope_scaling": null, "tie_word_embeddings": false, "vocab_size": 32000,
       "bos_token_id": 1, "eos_token_id": 2})",
     6738415616, has_plain_rope},
    {"Llama_3_1_8B", R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
       "attention_bias": false, "mlp_bias": false, "hidden_act": "silu", "hidden_size": 4096,
       "intermediate_size": 14336, "max_position_embeddings": 131072, "num_attention_heads": 32,
       "num_hidden_layers": 32, "num_key_value_heads": 8, "pretraining_tp": 1,
       "rms_norm_eps": 1e-05, "rope_theta": 500000.0, "vocab_size": 128256,
       "rope_scaling": {"factor": 8.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 8192, "rope_type": "llama3"},
       "tie_word_embeddings": false, "bos_token_id": 128000,
       "eos_token_id": [128001, 128008, 128009]})",
     8030261248, has_stretched_rope},
    {"Llama_3_2_1B", R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
       "hidden_act": "silu", "hidden_size": 2048, "head_dim": 64, "intermediate_size": 8192,
       "max_position_embeddings": 131072, "num_attention_heads": 32, "num_hidden_layers": 16,
       "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_theta": 500000.0,
       "rope_scaling": {"factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
         "original_max_position_embeddings": 8192, "rope_type": "llama3"},
       "tie_word_embeddings": true, "vocab_size": 128256})",
     1235814400, has_stretched_rope},
    {"SmolLM2_135M", R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
       "attention_bias": false, "hidden_act": "silu", "hidden_size": 576,
       "intermediate_size": 1536, "is_llama_config": true, "max_position_embeddings": 8192,
       "mlp_bias": false, "num_attention_heads": 9, "num_hidden_layers": 30,
       "num_key_value_heads": 3, "pad_token_id": 2, "rms_norm_eps": 1e-05,
       "rope_interleaved": false, "rope_scaling": null, "rope_theta": 100000,
       "tie_word_embeddings": true, "vocab_size": 49152})",
     134515008, has_plain_rope},
    {"TinyLlama_1_1B", R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama",
       "attention_bias": false, "hidden_act": "silu", "hidden_size": 2048,
       "intermediate_size": 5632, "max_position_embeddings": 2048, "num_attention_heads": 32,
       "num_hidden_layers": 22, "num_key_value_heads": 4, "rms_norm_eps": 1e-05,
       "rope_theta": 10000.0, "tie_word_embeddings": false, "vocab_size": 32000})",
     1100048384, has_plain_rope},
    {"Mistral_7B_0_1", R"({"architectures": ["MistralForCausalLM"], "model_type": "mistral",
       "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 14336,
       "max_position_embeddings": 32768, "num_attention_heads": 32, "num_hidden_layers": 32,
       "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_theta": 10000.0,
       "sliding_window": 4096, "tie_word_embeddings": false, "vocab_size": 32000})",
     7241732096, has_a_window},
    {"Mistral_7B_0_2", R"({"architectures": ["MistralForCausalLM"], "model_type": "mistral",
       "hidden_act": "silu", "hidden_size": 4096, "intermediate_size": 14336,
       "max_position_embeddings": 32768, "num_attention_heads": 32, "num_hidden_layers": 32,
       "num_key_value_heads": 8, "rms_norm_eps": 1e-05, "rope_theta": 1000000.0,
       "sliding_window": null, "tie_word_embeddings": false, "vocab_size": 32000})",
     7241732096, has_no_window},
    {"Qwen2_5_0_5B", R"({"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2",
       "attention_dropout": 0.0, "hidden_act": "silu", "hidden_size": 896,
       "intermediate_size": 4864, "max_position_embeddings": 32768, "max_window_layers": 21,
       "num_attention_heads": 14, "num_hidden_layers": 24, "num_key_value_heads": 2,
       "rms_norm_eps": 1e-06, "rope_theta": 1000000.0, "sliding_window": 32768,
       "tie_word_embeddings": true, "use_mrope": false, "use_sliding_window": false,
       "vocab_size": 151936})",
     494032768, has_biases},
    {"Qwen2_5_7B", R"({"architectures": ["Qwen2ForCausalLM"], "model_type": "qwen2",
       "hidden_act": "silu", "hidden_size": 3584, "intermediate_size": 18944,
       "max_position_embeddings": 131072, "max_window_layers": 28, "num_attention_heads": 28,
       "num_hidden_layers": 28, "num_key_value_heads": 4, "rms_norm_eps": 1e-06,
       "rope_theta": 1000000.0, "sliding_window": 131072, "tie_word_embeddings": false,
       "use_sliding_window": false, "vocab_size": 152064})",
     7615616512, has_biases},
    {"Qwen3_0_6B", R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
       "attention_bias": false, "head_dim": 128, "hidden_act": "silu", "hidden_size": 1024,
       "intermediate_size": 3072, "max_position_embeddings": 40960, "max_window_layers": 28,
       "num_attention_heads": 16, "num_hidden_layers": 28, "num_key_value_heads": 8,
       "rms_norm_eps": 1e-06, "rope_scaling": null, "rope_theta": 1000000,
       "sliding_window": null, "tie_word_embeddings": true, "use_sliding_window": false,
       "vocab_size": 151936})",
     596049920, has_normed_heads},
    {"Qwen3_8B", R"({"architectures": ["Qwen3ForCausalLM"], "model_type": "qwen3",
       "attention_bias": false, "head_dim": 128, "hidden_act": "silu", "hidden_size": 4096,
       "intermediate_size": 12288, "max_position_embeddings": 40960, "max_window_layers": 36,
       "num_attention_heads": 32, "num_hidden_layers": 36, "num_key_value_heads": 8,
       "rms_norm_eps": 1e-06, "rope_scaling": null, "rope_theta": 1000000,
       "sliding_window": null, "tie_word_embeddings": false, "use_sliding_window": false,
       "vocab_size": 151936})",
     8190735360, has_normed_heads},
};

void PrintTo(const PublishedConfig& published, std::ostream* out) {
  *out << published.name;
}

class PublishedConfigs : public testing::TestWithParam<PublishedConfig> {};

INSTANTIATE_TEST_SUITE_P(Of, PublishedConfigs, testing::ValuesIn(kConfigs),
                         [](const auto& info) { return info.param.name; });

TEST_P(PublishedConfigs, AreReadAndComeToThePublishedNumberOfParameters) {
  const TemporaryFolder folder;
  folder.write("config.json", GetParam().config);
  const ModelConfig config = load_config(folder.path());
  EXPECT_EQ(parameter_count(config), GetParam().parameters);
  GetParam().check(config);
}

}  // namespace
}  // namespace quire::test
