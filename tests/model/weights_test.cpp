#include "src/model/weights.h"

#include <gtest/gtest.h>

#include "src/model/safetensors.h"
#include "src/ops/eigen_ops.h"
#include "tests/model/stored_tensors.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace quire {
namespace {

using test::expect_error;
using test::TemporaryFolder;

const std::string kEmbedding = "model.embed_tokens.weight", kHead = "lm_head.weight";

ModelConfig small_config(bool tied) {
  return {.layers = 1,
          .hidden = 4,
          .heads = 2,
          .kv_heads = 1,
          .head_dim = 2,
          .ffn = 6,
          .vocabulary = 5,
          .max_positions = 8,
          .tied_embeddings = tied,
          .bos = std::nullopt,
          .eos = {}};
}

using test::Stored;
using Tensors = test::StoredTensors;

// All tensors of small_config, the head besides the embedding.
Tensors whole() {
  const std::string layer = "model.layers.0.";
  return {{kEmbedding, {{5, 4}}},
          {kHead, {{5, 4}}},
          {layer + "input_layernorm.weight", {{4}}},
          {layer + "self_attn.q_proj.weight", {{4, 4}}},
          {layer + "self_attn.k_proj.weight", {{2, 4}}},
          {layer + "self_attn.v_proj.weight", {{2, 4}}},
          {layer + "self_attn.o_proj.weight", {{4, 4}}},
          {layer + "post_attention_layernorm.weight", {{4}}},
          {layer + "mlp.gate_proj.weight", {{6, 4}}},
          {layer + "mlp.up_proj.weight", {{6, 4}}},
          {layer + "mlp.down_proj.weight", {{4, 6}}},
          {"model.norm.weight", {{4}}}};
}

Tensors without(const std::string& name) {
  Tensors checkpoint = whole();
  EXPECT_EQ(checkpoint.erase(name), 1u) << name;
  return checkpoint;
}

Tensors with(const std::string& name, const Stored& stored) {
  Tensors checkpoint = whole();
  checkpoint[name] = stored;
  return checkpoint;
}

std::shared_ptr<const SafeTensors> store(const Tensors& checkpoint) {
  const TemporaryFolder folder;
  return SafeTensors::open(folder.write("model.safetensors", test::file_of(checkpoint)));
}

// Where the table lies that a model takes for its embedding, and the one for its head.
std::pair<const std::byte*, const std::byte*> tables(bool tied, const Tensors& checkpoint) {
  EigenOps ops(1);
  const DecoderWeights weights = load_weights(small_config(tied), store(checkpoint), ops);
  EXPECT_EQ(weights.embedding.tensor.shape(), (Shape{5, 4}));
  EXPECT_EQ(weights.lm_head.tensor.shape(), (Shape{5, 4}));
  EXPECT_EQ(weights.layers.size(), 1u);
  return {weights.embedding.tensor.bytes(), weights.lm_head.tensor.bytes()};
}

void expect_refused(bool tied, const Tensors& checkpoint,
                    std::initializer_list<std::string_view> words) {
  const auto load = [&] { tables(tied, checkpoint); };
  expect_error(load, {"model.safetensors"});
  expect_error(load, words);
}

TEST(Weights, TiedEmbeddingsServeAsTheHeadHoweverTheyAreStored) {
  for (const Tensors& checkpoint : {whole(), without(kHead), without(kEmbedding)}) {
    const auto [embedding, head] = tables(true, checkpoint);
    EXPECT_EQ(embedding, head);
  }
}

TEST(Weights, UntiedEmbeddingsNeedAHead) {
  const auto [embedding, head] = tables(false, whole());
  EXPECT_NE(embedding, head);
  expect_refused(false, without(kHead), {"lm_head.weight is missing", "[5, 4]"});
  expect_refused(false, without(kEmbedding), {"model.embed_tokens.weight is missing"});
}

TEST(Weights, AHeadThatTiedEmbeddingsReplaceMustFitAllTheSame) {
  expect_refused(true, with(kHead, {{7, 4}}), {kHead, "[7, 4]", "[5, 4]"});
  expect_refused(true, with(kHead, {{5, 4}, "I64", 8}), {kHead, "I64", "F32, F16 or BF16"});
}

// The same model with biases in attention, or with norms of its heads.
ModelConfig changed_config(bool biases, bool norms) {
  ModelConfig config = small_config(false);
  config.qkv_bias = config.o_bias = biases;
  config.qk_norm = norms;
  return config;
}

const std::string kAttention = "model.layers.0.self_attn.";

Tensors with_biases() {
  Tensors tensors = whole();
  tensors.insert({{kAttention + "q_proj.bias", {{4}}},
                  {kAttention + "k_proj.bias", {{2}}},
                  {kAttention + "v_proj.bias", {{2}}},
                  {kAttention + "o_proj.bias", {{4}}}});
  return tensors;
}

Tensors with_norms() {
  Tensors tensors = whole();
  tensors.insert({{kAttention + "q_norm.weight", {{2}}}, {kAttention + "k_norm.weight", {{2}}}});
  return tensors;
}

DecoderWeights load(const ModelConfig& config, const Tensors& tensors) {
  EigenOps ops(1);
  return load_weights(config, store(tensors), ops);
}

TEST(Weights, BiasesBelongToTheirProjections) {
  const LayerWeights layer = load(changed_config(true, false), with_biases()).layers[0];
  for (const auto& [projection, size] :
       {std::pair(layer.q, 4), {layer.k, 2}, {layer.v, 2}, {layer.o, 4}}) {
    ASSERT_TRUE(projection.bias.has_value());
    EXPECT_EQ(projection.bias->tensor.shape(), Shape{size});
  }
  const LayerWeights plain = load(small_config(false), whole()).layers[0];
  EXPECT_FALSE(plain.q.bias || plain.k.bias || plain.v.bias || plain.o.bias);
}

TEST(Weights, NormsOfHeadsAreAsWideAsAHead) {
  const LayerWeights layer = load(changed_config(false, true), with_norms()).layers[0];
  ASSERT_TRUE(layer.q_norm && layer.k_norm);
  EXPECT_EQ(layer.q_norm->tensor.shape(), Shape{2});
  EXPECT_EQ(layer.k_norm->tensor.shape(), Shape{2});
}

TEST(Weights, WhatTheArchitectureExpectsMayNotBeMissing) {
  for (const auto& [config, tensors] : {std::pair(changed_config(true, false), with_biases()),
                                        {changed_config(false, true), with_norms()}}) {
    for (const auto& [name, stored] : tensors) {
      Tensors incomplete = tensors;
      incomplete.erase(name);
      expect_error([&] { load(config, incomplete); }, {"tensor " + name + " is missing"});
    }
  }
}

TEST(Weights, ABiasThatTheArchitectureDoesNotHaveIsNamed) {
  expect_error([] { load(small_config(false), with_biases()); },
               {"_proj.bias", "not part of this architecture"});
  expect_error([] { load(small_config(false), with_norms()); },
               {"_norm.weight", "not part of this architecture"});
}

TEST(Weights, AMissingTensorIsNamed) {
  for (const auto& [name, stored] : whole()) {
    expect_refused(false, without(name), {"tensor " + name + " is missing"});
  }
}

TEST(Weights, ATensorThatNobodyUsesIsNamed) {
  expect_refused(false, with("model.layers.1.mlp.up_proj.weight", {{6, 4}}),
                 {"model.layers.1.mlp.up_proj.weight", "not part of this architecture"});
  expect_refused(false, with("a\nb", {{1}}), {"\"a\\nb\"", "not part of this architecture"});
}

TEST(Weights, AWrongShapeIsNamedWithTheRightOne) {
  const std::string name = "model.layers.0.self_attn.k_proj.weight";
  expect_refused(false, with(name, {{4, 4}}), {name, "[4, 4]", "[2, 4]", "config.json"});
  expect_refused(false, with(name, {{8}}), {name, "[8]", "[2, 4]"});
}

TEST(Weights, FrequenciesOfOldCheckpointsAreIgnoredAndCounted) {
  const Tensors old = with("model.layers.0.self_attn.rotary_emb.inv_freq", {{1}, "F64", 8});
  tables(false, old);
  EXPECT_EQ(store(old)->data_bytes(), store(whole())->data_bytes() + 8);
}

}  // namespace
}  // namespace quire
