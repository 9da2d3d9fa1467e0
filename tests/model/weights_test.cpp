#include "src/model/weights.h"

#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "src/core/json.h"
#include "src/ops/eigen_ops.h"
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

// A tensor of zeros, as a header describes it.
struct Stored {
  std::vector<int> shape;
  const char* dtype = "F32";
  int element_bytes = 4;
};

using Checkpoint = std::map<std::string, Stored>;

// All tensors of small_config, the head besides the embedding.
Checkpoint whole() {
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

Checkpoint without(const std::string& name) {
  Checkpoint checkpoint = whole();
  EXPECT_EQ(checkpoint.erase(name), 1u) << name;
  return checkpoint;
}

Checkpoint with(const std::string& name, const Stored& stored) {
  Checkpoint checkpoint = whole();
  checkpoint[name] = stored;
  return checkpoint;
}

std::shared_ptr<const SafeTensors> store(const Checkpoint& checkpoint) {
  Json header = Json::object();
  std::uint64_t end = 0;
  for (const auto& [name, stored] : checkpoint) {
    const std::uint64_t begin = end;
    std::uint64_t bytes = static_cast<std::uint64_t>(stored.element_bytes);
    for (const int extent : stored.shape) bytes *= static_cast<std::uint64_t>(extent);
    end += bytes;
    header[name] = {
        {"dtype", stored.dtype}, {"shape", stored.shape}, {"data_offsets", {begin, end}}};
  }
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  std::string file(sizeof(length), '\0');
  std::memcpy(file.data(), &length, sizeof(length));
  const TemporaryFolder folder;
  return SafeTensors::open(folder.write("model.safetensors", file + text + std::string(end, '\0')));
}

// Where the table lies that a model takes for its embedding, and the one for its head.
std::pair<const std::byte*, const std::byte*> tables(bool tied, const Checkpoint& checkpoint) {
  EigenOps ops(1);
  const DecoderWeights weights = load_weights(small_config(tied), store(checkpoint), ops);
  EXPECT_EQ(weights.embedding.tensor.shape(), (Shape{5, 4}));
  EXPECT_EQ(weights.lm_head.tensor.shape(), (Shape{5, 4}));
  EXPECT_EQ(weights.layers.size(), 1u);
  return {weights.embedding.tensor.bytes(), weights.lm_head.tensor.bytes()};
}

void expect_refused(bool tied, const Checkpoint& checkpoint,
                    std::initializer_list<std::string_view> words) {
  const auto load = [&] { tables(tied, checkpoint); };
  expect_error(load, {"model.safetensors"});
  expect_error(load, words);
}

TEST(Weights, TiedEmbeddingsServeAsTheHeadHoweverTheyAreStored) {
  for (const Checkpoint& checkpoint : {whole(), without(kHead), without(kEmbedding)}) {
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
  const Checkpoint old = with("model.layers.0.self_attn.rotary_emb.inv_freq", {{1}, "F64", 8});
  tables(false, old);
  EXPECT_EQ(store(old)->data_bytes(), store(whole())->data_bytes() + 8);
}

}  // namespace
}  // namespace quire
