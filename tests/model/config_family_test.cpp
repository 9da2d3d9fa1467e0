#include <gtest/gtest.h>

#include "tests/model/small_config.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

struct Names {
  const char* model_type;
  const char* architecture;
};

constexpr Names kLlama{"llama", "LlamaForCausalLM"}, kMistral{"mistral", "MistralForCausalLM"},
    kQwen2{"qwen2", "Qwen2ForCausalLM"}, kQwen3{"qwen3", "Qwen3ForCausalLM"};

// small_config of a family, with some keys changed; a null erases.
ModelConfig of(const Names& names, const Json& keys = Json::object(),
               const Change& more = nothing) {
  return load([&](Json& c) {
    c["model_type"] = names.model_type;
    c["architectures"] = {names.architecture};
    c.update(keys);
    more(c);
  });
}

void expect_refused(const Names& names, const Json& keys,
                    std::initializer_list<std::string_view> words) {
  expect_error([&] { of(names, keys); }, words);
}

TEST(Family, IsNamedByTypeOrArchitecture) {
  for (const Names& names : {kLlama, kMistral, kQwen2, kQwen3}) {
    EXPECT_EQ(of(names).layers, 3);
    for (const char* key : {"model_type", "architectures"}) {
      const ModelConfig config = of(names, Json::object(), [&](Json& c) { c.erase(key); });
      EXPECT_EQ(config.qk_norm, of(names).qk_norm) << key;
      EXPECT_EQ(config.qkv_bias, of(names).qkv_bias) << key;
    }
  }
}

TEST(Family, TypeAndArchitectureMustBelongTogether) {
  expect_refused({"qwen2", "LlamaForCausalLM"}, Json::object(),
                 {"config.json", "model_type", "qwen2", "architectures", "LlamaForCausalLM"});
  expect_refused({"llama", "Qwen3ForCausalLM"}, Json::object(), {"llama", "Qwen3ForCausalLM"});
}

TEST(Family, AnUnknownOneIsRefusedByItsName) {
  expect_refused({"gemma", "GemmaForCausalLM"}, Json::object(),
                 {"model_type", "gemma", "llama", "mistral", "qwen2", "qwen3"});
  expect_refused({"llama", "GPT2LMHeadModel"}, Json::object(),
                 {"architectures", "GPT2LMHeadModel", "LlamaForCausalLM"});
  expect_refused(kLlama, {{"architectures", Json::array()}}, {"architectures", "one", "0"});
  expect_refused(kLlama, {{"architectures", {1}}}, {"architectures", "1"});
  expect_error([] { load([](Json& c) { c.erase("model_type"), c.erase("architectures"); }); },
               {"model_type", "missing"});
}

TEST(Family, WhatIsAbsentMeansWhatTheFamilyMeansByIt) {
  const auto sizes_absent = [](Json& c) {
    for (const char* key : {"num_key_value_heads", "max_position_embeddings"}) c.erase(key);
    c["num_attention_heads"] = 32;
    c["hidden_size"] = 2048;
  };
  const auto check = [&](const Names& names, int kv_heads, int head_dim, int positions) {
    const ModelConfig config = of(names, Json::object(), sizes_absent);
    EXPECT_EQ(config.kv_heads, kv_heads) << names.model_type;
    EXPECT_EQ(config.head_dim, head_dim) << names.model_type;
    EXPECT_EQ(config.max_positions, positions) << names.model_type;
  };
  check(kLlama, 32, 64, 2048);
  check(kMistral, 8, 64, 131072);
  check(kQwen2, 32, 64, 32768);
  check(kQwen3, 32, 128, 32768);
}

TEST(Family, BiasesAreTheFamilysOrAskedFor) {
  const auto biases = [](const Names& names, const Json& keys) {
    const ModelConfig config = of(names, keys);
    return std::pair(config.qkv_bias, config.o_bias);
  };
  const Json none = Json::object(), asked = {{"attention_bias", true}},
             declined = {{"attention_bias", false}};
  for (const Names& names : {kLlama, kQwen3}) {
    EXPECT_EQ(biases(names, none), std::pair(false, false));
    EXPECT_EQ(biases(names, declined), std::pair(false, false));
    EXPECT_EQ(biases(names, asked), std::pair(true, true));
  }
  EXPECT_EQ(biases(kQwen2, none), std::pair(true, false));
  EXPECT_EQ(biases(kMistral, none), std::pair(false, false));
  expect_refused(kMistral, asked, {"attention_bias", "true", "false"});
  expect_refused(kQwen2, declined, {"attention_bias", "false", "true"});
  expect_refused(kQwen2, {{"mlp_bias", true}}, {"mlp_bias"});
}

TEST(Family, OnlyQwen3NormsItsHeads) {
  EXPECT_TRUE(of(kQwen3).qk_norm);
  for (const Names& names : {kLlama, kMistral, kQwen2}) EXPECT_FALSE(of(names).qk_norm);
}

TEST(Window, OfMistralIsWhatItsKeySays) {
  EXPECT_EQ(of(kMistral, {{"sliding_window", 100}}).window, 100);
  EXPECT_EQ(of(kMistral, {{"sliding_window", nullptr}}).window, 0) << "null means none";
  EXPECT_EQ(of(kMistral).window, 4096) << "nothing said means the usual one";
  for (const Json& wrong : {Json(0), Json(-1), Json(1.5), Json("all"), Json(1ull << 40)}) {
    expect_refused(kMistral, {{"sliding_window", wrong}}, {"sliding_window", "whole number"});
  }
  expect_refused(kMistral, {{"use_sliding_window", false}}, {"use_sliding_window", "false"});
}

TEST(Window, OfLlamaIsRefused) {
  EXPECT_EQ(of(kLlama, {{"sliding_window", nullptr}}).window, 0);
  expect_refused(kLlama, {{"sliding_window", 4096}}, {"sliding_window", "4096"});
  expect_refused(kLlama, {{"use_sliding_window", true}}, {"use_sliding_window", "true"});
}

TEST(Window, OfQwenIsOnlyThereIfAskedFor) {
  for (const Names& names : {kQwen2, kQwen3}) {
    const auto with = [&](const Json& use, const Json& window, const Json& first) {
      return of(names, {{"use_sliding_window", use},
                        {"sliding_window", window},
                        {"max_window_layers", first}})
          .window;
    };
    EXPECT_EQ(of(names, {{"sliding_window", 7}}).window, 0);
    EXPECT_EQ(with(false, 7, 0), 0);
    EXPECT_EQ(with(true, 7, 0), 7);
    EXPECT_EQ(with(true, nullptr, 0), 0);
    EXPECT_EQ(with(true, 7, 3), 0) << "all three layers come before the first with a window";
    EXPECT_EQ(with(true, 7, 28), 0);
    EXPECT_EQ(of(names, {{"use_sliding_window", true}, {"sliding_window", 7}}).window, 0)
        << "28 layers without one, if nothing is said";
    EXPECT_EQ(of(names, {{"use_sliding_window", true}, {"max_window_layers", 0}}).window, 4096);
    expect_refused(names,
                   {{"use_sliding_window", true}, {"sliding_window", 7}, {"max_window_layers", 1}},
                   {"max_window_layers", "1", "layers 1 to 2 only"});
  }
}

TEST(Window, LayerTypesMustSayTheSame) {
  const Json full = {"full_attention", "full_attention", "full_attention"};
  const Json sliding = {"sliding_attention", "sliding_attention", "sliding_attention"};
  const Json mixed = {"full_attention", "sliding_attention", "full_attention"};
  EXPECT_EQ(of(kQwen3, {{"layer_types", full}}).window, 0);
  EXPECT_EQ(of(kMistral, {{"sliding_window", 9}, {"layer_types", sliding}}).window, 9);
  expect_refused(kQwen3, {{"layer_types", mixed}}, {"layer_types", "sliding_attention"});
  expect_refused(kQwen3, {{"layer_types", sliding}}, {"layer_types", "sliding_attention"});
  expect_refused(kMistral, {{"layer_types", full}}, {"layer_types", "full_attention"});
  expect_refused(kLlama, {{"layer_types", {"full_attention"}}}, {"layer_types", "1", "3"});
  expect_refused(kLlama, {{"layer_types", {"chunked_attention", 1, 2}}}, {"chunked_attention"});
  expect_refused(kLlama, {{"layer_types", "full_attention"}}, {"layer_types", "array"});
}

}  // namespace
}  // namespace quire::test
