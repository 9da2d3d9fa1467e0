#include "tests/bench/random_model.h"

#include "src/core/random.h"

namespace quire::bench {
namespace {

// Bits of 64 random ones make four bfloat16 numbers: any sign, any fraction, about 2^-5.
Weight random_weight(Random& random, Ops& ops, Shape shape) {
  const auto owner = std::make_shared<Buffer>(
      allocate_host(static_cast<std::size_t>(shape.size()) * size_of(DType::bf16)));
  const Tensor tensor = owner->tensor(DType::bf16, shape);
  std::uint64_t bits = 0;
  Index at = 0;
  for (BFloat16& number : tensor.values<BFloat16>()) {
    bits = at++ % 4 == 0 ? random.bits() : bits >> 16;
    number.bits = static_cast<std::uint16_t>((bits & 0x80ffu) | 0x3d00u);
  }
  return ops.prepare(tensor, owner);
}

}  // namespace

ModelConfig smollm2_135m() {
  ModelConfig config;
  config.layers = 30;
  config.hidden = 576;
  config.heads = 9;
  config.kv_heads = 3;
  config.head_dim = 64;
  config.ffn = 1536;
  config.vocabulary = 49152;
  config.max_positions = 8192;
  config.rope_theta = 100000;
  config.norm_epsilon = 1e-5f;
  config.tied_embeddings = true;
  return config;
}

DecoderWeights random_weights(const ModelConfig& config, Ops& ops) {
  Random random(1);
  const Index hidden = config.hidden, ffn = config.ffn;
  const Index q = Index{config.heads} * config.head_dim;
  const Index kv = Index{config.kv_heads} * config.head_dim;
  const auto weight = [&](Shape shape) { return random_weight(random, ops, shape); };
  DecoderWeights weights;
  weights.embedding = weights.lm_head = weight({config.vocabulary, hidden});
  weights.final_norm = weight({hidden});
  for (int layer = 0; layer < config.layers; ++layer) {
    LayerWeights w;
    w.attention_norm = weight({hidden});
    w.q.matrix = weight({q, hidden});
    w.k.matrix = weight({kv, hidden});
    w.v.matrix = weight({kv, hidden});
    w.o.matrix = weight({hidden, q});
    w.ffn_norm = weight({hidden});
    w.gate = weight({ffn, hidden});
    w.up = weight({ffn, hidden});
    w.down = weight({hidden, ffn});
    weights.layers.push_back(w);
  }
  return weights;
}

EqualSlabs::EqualSlabs(int sequences, int rows) : rows_(rows) {
  for (int i = 0; i < sequences; ++i) blocks_.push_back(BlockId{i});
}

}  // namespace quire::bench
