#include "src/model/config.h"

#include <gtest/gtest.h>

#include "tests/model/small_config.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace quire {
namespace {

using test::expect_error;
using test::load;
using test::nothing;
using test::small_config;
using test::TemporaryFolder;

std::vector<int> eos_of(const ModelConfig& config) {
  std::vector<int> ids;
  for (const TokenId id : config.eos) ids.push_back(to_int(id));
  return ids;
}

TEST(ModelConfig, HoldsWhatTheFileSays) {
  const ModelConfig config = load(nothing);
  EXPECT_EQ(config.layers, 3);
  EXPECT_EQ(config.hidden, 64);
  EXPECT_EQ(config.heads, 4);
  EXPECT_EQ(config.kv_heads, 2);
  EXPECT_EQ(config.head_dim, 16);
  EXPECT_EQ(config.ffn, 176);
  EXPECT_EQ(config.vocabulary, 1000);
  EXPECT_EQ(config.max_positions, 512);
  EXPECT_EQ(config.rope_theta, 500000.0);
  EXPECT_EQ(config.norm_epsilon, 1e-5f);
  EXPECT_TRUE(config.tied_embeddings);
  EXPECT_EQ(config.window, 0);
  EXPECT_EQ(config.bos, TokenId{1});
  EXPECT_EQ(eos_of(config), std::vector<int>{2});
}

TEST(ModelConfig, WhatIsAbsentHasTheFamilysDefault) {
  const ModelConfig config = load([](Json& c) {
    for (const char* key : {"num_key_value_heads", "max_position_embeddings", "rms_norm_eps",
                            "rope_theta", "tie_word_embeddings", "bos_token_id", "eos_token_id"}) {
      c.erase(key);
    }
  });
  EXPECT_EQ(config.kv_heads, 4);
  EXPECT_EQ(config.max_positions, 2048);
  EXPECT_EQ(config.norm_epsilon, 1e-6f);
  EXPECT_EQ(config.rope_theta, 10000.0);
  EXPECT_FALSE(config.tied_embeddings);
  EXPECT_EQ(config.bos, std::nullopt);
  EXPECT_TRUE(config.eos.empty());
}

TEST(ModelConfig, AnExplicitHeadDimWins) {
  const ModelConfig config = load([](Json& c) {
    c["hidden_size"] = 24;
    c["head_dim"] = 8;
  });
  EXPECT_EQ(config.head_dim, 8);
  EXPECT_EQ(load([](Json& c) { c["head_dim"] = nullptr; }).head_dim, 16);
}

TEST(ModelConfig, KvHeadsMustDivideHeads) {
  const auto with = [](int heads, int kv_heads) {
    return load([=](Json& c) {
      c["num_attention_heads"] = heads;
      c["num_key_value_heads"] = kv_heads;
      c["head_dim"] = 8;
    });
  };
  for (const auto& [heads, kv_heads] : {std::pair{1, 1}, {3, 1}, {14, 2}, {28, 4}, {6, 3}}) {
    EXPECT_EQ(with(heads, kv_heads).kv_heads, kv_heads);
  }
  expect_error([&] { with(6, 4); }, {"config.json", "6", "4", "heads"});
}

TEST(ModelConfig, EosIsOneIdOrAList) {
  EXPECT_EQ(eos_of(load([](Json& c) { c["eos_token_id"] = {7, 9}; })), (std::vector<int>{7, 9}));
  EXPECT_EQ(eos_of(load([](Json& c) { c["eos_token_id"] = Json::array(); })), std::vector<int>{});
  EXPECT_EQ(eos_of(load([](Json& c) { c["eos_token_id"] = nullptr; })), std::vector<int>{});
}

TEST(ModelConfig, TheGenerationConfigsEosCounts) {
  EXPECT_EQ(eos_of(load(nothing, {{"eos_token_id", {5, 2}}})), (std::vector<int>{5, 2}));
  EXPECT_EQ(eos_of(load(nothing, {{"eos_token_id", 5}})), std::vector<int>{5});
  EXPECT_EQ(eos_of(load(nothing, {{"eos_token_id", nullptr}})), std::vector<int>{2});
  EXPECT_EQ(eos_of(load(nothing, Json::object())), std::vector<int>{2});
  expect_error(
      [] {
        load(nothing, {{"eos_token_id", 1000}});
      },
      {"generation_config.json", "eos_token_id", "1000", "999"});
}

TEST(ModelConfig, WhatWouldChangeTheResultIsRefusedByName) {
  const test::Refusal refusals[] = {
      {[](Json& c) { c["hidden_act"] = "gelu"; }, {"hidden_act", "gelu", "silu"}},
      {[](Json& c) { c["mlp_bias"] = true; }, {"mlp_bias", "true", "false"}},
      {[](Json& c) { c["pretraining_tp"] = 2; }, {"pretraining_tp", "2", "1"}},
      {[](Json& c) { c["partial_rotary_factor"] = 0.5; }, {"partial_rotary_factor", "0.5"}},
      {[](Json& c) {
         c["quantization_config"] = {{"bits", 4}};
       },
       {"quantization_config"}},
      {[](Json& c) { c["compression_config"] = Json::object(); }, {"compression_config"}},
      {[](Json& c) { c["rope_interleaved"] = true; }, {"rope_interleaved", "true", "false"}},
      {[](Json& c) { c["use_mrope"] = true; }, {"use_mrope", "true", "false"}},
      {[](Json& c) { c["is_encoder_decoder"] = true; }, {"is_encoder_decoder", "true"}},
      {[](Json& c) { c["add_cross_attention"] = true; }, {"add_cross_attention", "true"}},
      {[](Json& c) { c["num_experts"] = 8; }, {"num_experts", "8"}},
      {[](Json& c) { c["num_local_experts"] = 8; }, {"num_local_experts", "8"}},
      {[](Json& c) { c["attn_logit_softcapping"] = 50.0; }, {"attn_logit_softcapping", "50"}},
      {[](Json& c) { c["final_logit_softcapping"] = 30.0; }, {"final_logit_softcapping", "30"}},
      {[](Json& c) { c["embedding_multiplier"] = 12.0; }, {"embedding_multiplier", "12", "1"}},
      {[](Json& c) { c["residual_multiplier"] = 0.2; }, {"residual_multiplier", "0.2", "1"}},
      {[](Json& c) { c["logits_scaling"] = 8.0; }, {"logits_scaling", "8", "1"}},
      {[](Json& c) { c["logit_scale"] = 0.06; }, {"logit_scale", "0.06", "1"}},
      {[](Json& c) { c["attention_multiplier"] = 0.1; }, {"attention_multiplier", "0.1"}},
  };
  for (const test::Refusal& refusal : refusals) {
    expect_error([&] { load(refusal.change); }, refusal.words);
  }
}

TEST(ModelConfig, HarmlessValuesAreAccepted) {
  const ModelConfig config = load([](Json& c) {
    c.update({{"hidden_act", "silu"},
              {"attention_bias", false},
              {"mlp_bias", false},
              {"pretraining_tp", 1},
              {"rope_scaling", nullptr},
              {"sliding_window", nullptr},
              {"rope_interleaved", false},
              {"layer_types", {"full_attention", "full_attention", "full_attention"}},
              {"torch_dtype", "bfloat16"},
              {"an_unknown_key", {1, 2}}});
  });
  EXPECT_EQ(config.layers, 3);
}

TEST(ModelConfig, EveryNumberIsChecked) {
  for (const char* key :
       {"hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
        "intermediate_size", "vocab_size", "max_position_embeddings", "head_dim"}) {
    const Json wrong[] = {0, -1, 1.5, "64", true, {64}, 1ull << 40, ~0ull, 1e30};
    for (const Json& value : wrong) {
      expect_error([&] { load([&](Json& c) { c[key] = value; }); },
                   {"config.json", key, "must be a whole number"});
    }
  }
  for (const char* key : {"hidden_size", "num_hidden_layers", "num_attention_heads",
                          "intermediate_size", "vocab_size"}) {
    expect_error([&] { load([&](Json& c) { c.erase(key); }); }, {key, "missing"});
  }
}

TEST(ModelConfig, WrongKindsOfValuesNameTheKey) {
  const test::Refusal refusals[] = {
      {[](Json& c) { c["rope_theta"] = 0; }, {"rope_theta", "0"}},
      {[](Json& c) { c["rope_theta"] = "big"; }, {"rope_theta", "big"}},
      {[](Json& c) { c["rms_norm_eps"] = 0.0; }, {"rms_norm_eps"}},
      {[](Json& c) { c["rms_norm_eps"] = true; }, {"rms_norm_eps", "true"}},
      {[](Json& c) { c["tie_word_embeddings"] = 1; }, {"tie_word_embeddings", "true or false"}},
      {[](Json& c) { c["eos_token_id"] = "</s>"; }, {"eos_token_id", "</s>"}},
      {[](Json& c) {
         c["eos_token_id"] = {1, 1.5};
       },
       {"eos_token_id", "1.5"}},
      {[](Json& c) { c["eos_token_id"] = -1; }, {"eos_token_id", "-1"}},
      {[](Json& c) { c["bos_token_id"] = 1000; }, {"bos_token_id", "1000", "999"}},
      {[](Json& c) {
         c["bos_token_id"] = {1, 2};
       },
       {"bos_token_id", "one id"}},
      {[](Json& c) { c["model_type"] = 7; }, {"model_type", "text", "7"}},
      {[](Json& c) { c["architectures"] = "Llama"; }, {"architectures", "array"}},
      {[](Json& c) { c["rope_scaling"] = 2.0; }, {"rope_scaling", "object"}},
      {[](Json& c) { c["head_dim"] = 15; }, {"15", "even"}},
      {[](Json& c) { c["hidden_size"] = 68; }, {"17", "even"}},
      {[](Json& c) { c["hidden_size"] = 66; }, {"66", "4", "multiple"}},
      {[](Json& c) { c = Json::array(); }, {"config.json", "object", "array"}},
  };
  for (const test::Refusal& refusal : refusals) {
    expect_error([&] { load(refusal.change); }, refusal.words);
  }
}

TEST(ModelConfig, AFolderWithoutAModelSaysWhatBelongsThere) {
  const TemporaryFolder folder;
  for (const auto& path : {folder.path(), folder.path() / "no such"}) {
    const std::string where = "no model in " + path.string();
    expect_error([&] { load_config(path); },
                 {where, "config.json is missing", "model.safetensors", "tokenizer.json"});
  }
}

TEST(ModelConfig, LinksThatLeadNowhereAreNotTakenForAbsentFiles) {
  const TemporaryFolder folder;
  const auto config = folder.path() / "config.json";
  std::filesystem::create_symlink("config.json", config);
  expect_error([&] { load_config(folder.path()); }, {"config.json", "cannot be read"});
  std::filesystem::remove(config);
  folder.write("config.json", small_config().dump());
  const auto generation = folder.path() / "generation_config.json";
  std::filesystem::create_symlink("generation_config.json", generation);
  expect_error([&] { load_config(folder.path()); }, {"generation_config.json", "cannot be read"});
  std::filesystem::remove(generation);
  std::filesystem::create_symlink("absent", generation);
  expect_error([&] { load_config(folder.path()); }, {"generation_config.json", "is a link to"});
}

TEST(ModelConfig, BrokenFilesAreNamed) {
  const TemporaryFolder folder;
  for (const char* text : {"", "{", "\xff", "{\"a\": 1, \"a\": 1}", "{} {}"}) {
    folder.write("config.json", text);
    expect_error([&] { load_config(folder.path()); }, {"config.json"});
  }
  std::filesystem::remove(folder.path() / "config.json");
  std::filesystem::create_directory(folder.path() / "config.json");
  expect_error([&] { load_config(folder.path()); }, {"config.json", "not a regular file"});
}

}  // namespace
}  // namespace quire
