#include "src/model/weights.h"

#include <set>
#include <string>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

// Hands out a checkpoint's tensors by name, and knows in the end which nobody asked for.
class Loader {
 public:
  Loader(const std::shared_ptr<const Checkpoint>& checkpoint, Ops& ops)
      : checkpoint_(checkpoint), ops_(ops) {}

  Weight take(const std::string& name, const Shape& shape) {
    const ConstTensor tensor = checked(name, shape);
    Weight weight = ops_.prepare(tensor, checkpoint_);
    // A copy was made, and two of them are one too many.
    if (weight.owner != checkpoint_) checkpoint_->let_go(tensor);
    return weight;
  }

  // A tensor that must be right although nobody needs it.
  void pass_over(const std::string& name, const Shape& shape) {
    if (contains(name)) checked(name, shape);
  }

  bool contains(const std::string& name) const { return checkpoint_->contains(name); }

  void expect_all_taken() const {
    for (const std::string& name : checkpoint_->names()) {
      require(taken_.contains(name) || name.ends_with(".rotary_emb.inv_freq"),
              "{}: tensor {} is not part of this architecture; its weights would be ignored",
              checkpoint_->path().string(), in_quotes(name));
    }
  }

 private:
  ConstTensor checked(const std::string& name, const Shape& shape) {
    require(checkpoint_->contains(name), "{}: tensor {} is missing, expected {}",
            checkpoint_->path().string(), name, to_string(shape));
    const ConstTensor tensor = checkpoint_->tensor(name);
    require(tensor.shape() == shape, "{}: tensor {} is {}, expected {} by config.json",
            checkpoint_->path().string(), name, to_string(tensor.shape()), to_string(shape));
    taken_.insert(name);
    return tensor;
  }

  std::shared_ptr<const Checkpoint> checkpoint_;
  Ops& ops_;
  std::set<std::string> taken_;
};

Projection load_projection(Loader& loader, const std::string& name, const Shape& shape,
                           bool has_bias) {
  Projection projection{loader.take(name + ".weight", shape), std::nullopt};
  if (has_bias) projection.bias = loader.take(name + ".bias", {shape[0]});
  return projection;
}

LayerWeights load_layer(const ModelConfig& config, Loader& loader, const std::string& prefix) {
  const Index hidden = config.hidden, ffn = config.ffn;
  const Index q_size = Index{config.heads} * config.head_dim;
  const Index kv_size = Index{config.kv_heads} * config.head_dim;
  const auto take = [&](const char* name, const Shape& shape) {
    return loader.take(prefix + name + ".weight", shape);
  };
  const auto projection = [&](const char* name, const Shape& shape, bool has_bias) {
    return load_projection(loader, prefix + name, shape, has_bias);
  };
  const auto head_norm = [&](const char* name) {
    return config.qk_norm ? std::optional(take(name, {config.head_dim})) : std::nullopt;
  };
  return {.attention_norm = take("input_layernorm", {hidden}),
          .q = projection("self_attn.q_proj", {q_size, hidden}, config.qkv_bias),
          .k = projection("self_attn.k_proj", {kv_size, hidden}, config.qkv_bias),
          .v = projection("self_attn.v_proj", {kv_size, hidden}, config.qkv_bias),
          .q_norm = head_norm("self_attn.q_norm"),
          .k_norm = head_norm("self_attn.k_norm"),
          .o = projection("self_attn.o_proj", {hidden, q_size}, config.o_bias),
          .ffn_norm = take("post_attention_layernorm", {hidden}),
          .gate = take("mlp.gate_proj", {ffn, hidden}),
          .up = take("mlp.up_proj", {ffn, hidden}),
          .down = take("mlp.down_proj", {hidden, ffn})};
}

void load_embeddings(const ModelConfig& config, Loader& loader, DecoderWeights& weights) {
  const std::string embedding = "model.embed_tokens.weight", lm_head = "lm_head.weight";
  const Shape table{config.vocabulary, config.hidden};
  const bool only_head = config.tied_embeddings && !loader.contains(embedding);
  weights.embedding =
      loader.take(only_head && loader.contains(lm_head) ? lm_head : embedding, table);
  if (config.tied_embeddings) {
    weights.lm_head = weights.embedding;
    loader.pass_over(lm_head, table);
  } else {
    weights.lm_head = loader.take(lm_head, table);
  }
}

}  // namespace

DecoderWeights load_weights(const ModelConfig& config,
                            const std::shared_ptr<const Checkpoint>& checkpoint, Ops& ops) {
  Loader loader(checkpoint, ops);
  DecoderWeights weights;
  load_embeddings(config, loader, weights);
  for (int layer = 0; layer < config.layers; ++layer) {
    weights.layers.push_back(
        load_layer(config, loader, "model.layers." + std::to_string(layer) + "."));
  }
  weights.final_norm = loader.take("model.norm.weight", {config.hidden});
  loader.expect_all_taken();
  return weights;
}

}  // namespace quire
