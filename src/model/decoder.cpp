#include "src/model/decoder.h"

#include <cmath>
#include <utility>

#include "src/core/error.h"
#include "src/model/arena.h"
#include "src/model/rope.h"

namespace quire {
namespace {

void check_fits(const Step& step, const ModelConfig& config) {
  check(step);
  for (const TokenId token : step.tokens) {
    require(to_int(token) >= 0 && to_int(token) < config.vocabulary,
            "token {} is outside the vocabulary of {}", to_int(token), config.vocabulary);
  }
  for (const Span& span : step.spans) {
    require(span.context + span.rows <= config.max_positions,
            "sequence {} would be {} tokens long; the model's context is {}", to_int(span.sequence),
            span.context + span.rows, config.max_positions);
  }
}

}  // namespace

Decoder::Decoder(const ModelConfig& config, DecoderWeights weights, Ops& ops)
    : config_(config),
      weights_(std::move(weights)),
      ops_(ops),
      inverse_frequencies_(rope_frequencies(config)) {}

// [forward]
std::span<const float> Decoder::forward(const Step& step, KvCache& cache, Observer& observer) {
  check_fits(step, config_);
  begin(step);
  cache.begin(step);
  ops_.embed(weights_.embedding, a_.tokens, a_.x);
  observer.on_value("embedding", -1, a_.x);
  for (int layer = 0; layer < config_.layers; ++layer) {
    attention_block(layer, cache, observer);
    ffn_block(layer, observer);
  }
  return logits(step, observer);
}
// [forward]

void Decoder::begin(const Step& step) {
  const Index rows = step.rows(), hidden = config_.hidden, ffn = config_.ffn;
  const Index q_size = Index{config_.heads} * config_.head_dim;
  const Index kv_size = Index{config_.kv_heads} * config_.head_dim;
  const auto cut = [&](Arena& arena) {
    a_ = {.tokens = arena.take(DType::i32, {rows}),
          .rotation = arena.take(DType::f32, {rows, 2, config_.head_dim / 2}),
          .x = arena.take(DType::f32, {rows, hidden}),
          .normed = arena.take(DType::f32, {rows, hidden}),
          .q = arena.take(DType::f32, {rows, q_size}),
          .k = arena.take(DType::f32, {rows, kv_size}),
          .v = arena.take(DType::f32, {rows, kv_size}),
          .attended = arena.take(DType::f32, {rows, q_size}),
          .gate = arena.take(DType::f32, {rows, ffn}),
          .up = arena.take(DType::f32, {rows, ffn}),
          .delta = arena.take(DType::f32, {rows, hidden})};
  };
  lay_out(ops_, arena_, cut);
  ops_.upload(step.tokens.data(), a_.tokens);
  upload_rotation(step);
}

// [rotation]
// The cosines and sines by which each row's heads are rotated: angle = position * frequency.
void Decoder::upload_rotation(const Step& step) {
  rotation_.clear();
  // exercise 02.1 begin: Append to rotation_ the cosines and then the sines of each row's angles,
  // one for each of inverse_frequencies_.
  for (const Span& span : step.spans) {
    for (int row = 0; row < span.rows; ++row) {
      const auto position = static_cast<float>(span.position(row));
      for (const float frequency : inverse_frequencies_) {
        rotation_.push_back(std::cos(position * frequency));
      }
      for (const float frequency : inverse_frequencies_) {
        rotation_.push_back(std::sin(position * frequency));
      }
    }
  }
  // exercise 02.1 end
  ops_.upload(rotation_.data(), a_.rotation);
}
// [rotation]

// [project]
// A matrix, and a bias where the model has one (Qwen2).
void Decoder::project(ConstTensor x, const Projection& to, Tensor out) {
  ops_.linear(x, to.matrix, out);
  if (to.bias) ops_.add_bias(*to.bias, out);
}

// Where the model has it (Qwen3), each head is normed by itself, all with the same gain.
void Decoder::norm_heads(const std::optional<Weight>& gain, Tensor heads) {
  if (!gain) return;
  const Tensor each = heads.reshaped({heads.size() / config_.head_dim, config_.head_dim});
  ops_.rms_norm(each, *gain, config_.norm_epsilon, each);
}
// [project]

// [attention_block]
void Decoder::attention_block(int layer, KvCache& cache, Observer& observer) {
  const LayerWeights& w = weights_.layers[static_cast<std::size_t>(layer)];
  const Index rows = a_.x.extent(0);
  const Shape q_heads{rows, config_.heads, config_.head_dim};
  const Shape kv_heads{rows, config_.kv_heads, config_.head_dim};

  // exercise 02.2 begin: Norm, project to Q, K and V, norm the heads of Q and K, show all three to
  // the observer, rotate and store, attend, show "attention", project back, and add to the residual
  // stream a_.x.
  ops_.rms_norm(a_.x, w.attention_norm, config_.norm_epsilon, a_.normed);
  project(a_.normed, w.q, a_.q);
  project(a_.normed, w.k, a_.k);
  project(a_.normed, w.v, a_.v);
  norm_heads(w.q_norm, a_.q);
  norm_heads(w.k_norm, a_.k);
  observer.on_value("q", layer, a_.q.reshaped(q_heads));
  observer.on_value("k", layer, a_.k.reshaped(kv_heads));
  observer.on_value("v", layer, a_.v.reshaped(kv_heads));

  ops_.rope_and_store(a_.q.reshaped(q_heads), a_.k.reshaped(kv_heads), a_.v.reshaped(kv_heads),
                      a_.rotation, cache.slots(layer));
  cache.attend(layer, a_.q.reshaped(q_heads), a_.attended.reshaped(q_heads));
  observer.on_value("attention", layer, a_.attended.reshaped(q_heads));

  project(a_.attended, w.o, a_.delta);
  ops_.add(a_.delta, a_.x);
  // exercise 02.2 end
}
// [attention_block]

// [ffn_block]
void Decoder::ffn_block(int layer, Observer& observer) {
  const LayerWeights& w = weights_.layers[static_cast<std::size_t>(layer)];
  // exercise 02.3 begin: Norm, project to gate and up, combine them, show "ffn" to the observer,
  // project down, add to the residual stream, and show it as "residual".
  ops_.rms_norm(a_.x, w.ffn_norm, config_.norm_epsilon, a_.normed);
  ops_.linear(a_.normed, w.gate, a_.gate);
  ops_.linear(a_.normed, w.up, a_.up);
  ops_.silu_mul(a_.gate, a_.up, a_.gate);
  observer.on_value("ffn", layer, a_.gate);
  ops_.linear(a_.gate, w.down, a_.delta);
  ops_.add(a_.delta, a_.x);
  observer.on_value("residual", layer, a_.x);
  // exercise 02.3 end
}
// [ffn_block]

// [logits]
std::span<const float> Decoder::logits(const Step& step, Observer& observer) {
  const auto rows = static_cast<Index>(step.logits_rows.size());
  logits_.resize(static_cast<std::size_t>(rows * config_.vocabulary));
  if (rows == 0) return logits_;
  Tensor picked_rows, x, normed, scores;
  lay_out(ops_, head_arena_, [&](Arena& arena) {
    picked_rows = arena.take(DType::i32, {rows});
    x = arena.take(DType::f32, {rows, config_.hidden});
    normed = arena.take(DType::f32, {rows, config_.hidden});
    scores = arena.take(DType::f32, {rows, config_.vocabulary});
  });
  // exercise 02.4 begin: Gather the rows of a_.x that want logits, norm them, multiply by the head,
  // show "logits" to the observer, and download them into logits_.
  ops_.upload(step.logits_rows.data(), picked_rows);
  ops_.gather_rows(a_.x, picked_rows, x);
  ops_.rms_norm(x, weights_.final_norm, config_.norm_epsilon, normed);
  ops_.linear(normed, weights_.lm_head, scores);
  observer.on_value("logits", -1, scores);
  ops_.download(scores, logits_.data());
  // exercise 02.4 end
  return logits_;
}
// [logits]

}  // namespace quire
