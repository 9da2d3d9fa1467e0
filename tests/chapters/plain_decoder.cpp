#include "tests/chapters/plain_decoder.h"

#include <algorithm>
#include <cmath>

#include "src/ops/convert.h"

namespace quire::test {
namespace {

std::size_t size(int n) {
  return static_cast<std::size_t>(n);
}

Rows sum(Rows a, const Rows& b) {
  for (std::size_t row = 0; row < a.size(); ++row) {
    for (std::size_t i = 0; i < a[row].size(); ++i) a[row][i] += b[row][i];
  }
  return a;
}

Rows gated(Rows gate, const Rows& up) {
  for (std::size_t row = 0; row < gate.size(); ++row) {
    for (std::size_t i = 0; i < gate[row].size(); ++i) {
      gate[row][i] *= up[row][i] / (1 + std::exp(-gate[row][i]));
    }
  }
  return gate;
}

void softmax(std::vector<double>& scores) {
  double top = scores[0], total = 0;
  for (const double score : scores) top = std::max(top, score);
  for (double& score : scores) total += score = std::exp(score - top);
  for (double& score : scores) score /= total;
}

}  // namespace

PlainDecoder::PlainDecoder(const std::filesystem::path& folder)
    : config_(load_config(folder)), checkpoint_(SafeTensors::open(folder / "model.safetensors")) {}

std::map<std::string, Rows> PlainDecoder::run(const std::vector<TokenId>& tokens) const {
  std::map<std::string, Rows> values;
  const std::string table = "model.embed_tokens";
  Rows x;
  for (const TokenId token : tokens) x.push_back(weight(table)[size(to_int(token))]);
  values["embedding -1"] = x;
  for (int layer = 0; layer < config_.layers; ++layer) {
    const std::string prefix = "model.layers." + std::to_string(layer) + ".";
    const std::string suffix = " " + std::to_string(layer);
    const Rows normed = norm(x, prefix + "input_layernorm");
    const Rows q = values["q" + suffix] =
        norm_heads(linear(normed, prefix + "self_attn.q_proj"), prefix + "self_attn.q_norm");
    const Rows k = values["k" + suffix] =
        norm_heads(linear(normed, prefix + "self_attn.k_proj"), prefix + "self_attn.k_norm");
    const Rows v = values["v" + suffix] = linear(normed, prefix + "self_attn.v_proj");
    const Rows mixed = values["attention" + suffix] = attention(q, k, v);
    x = sum(x, linear(mixed, prefix + "self_attn.o_proj"));
    const Rows normed_again = norm(x, prefix + "post_attention_layernorm");
    const Rows hidden = values["ffn" + suffix] =
        gated(linear(normed_again, prefix + "mlp.gate_proj"),
              linear(normed_again, prefix + "mlp.up_proj"));
    x = values["residual" + suffix] = sum(x, linear(hidden, prefix + "mlp.down_proj"));
  }
  const std::string head = config_.tied_embeddings ? table : "lm_head";
  values["logits -1"] = linear(norm(x, "model.norm"), head);
  return values;
}

Rows PlainDecoder::weight(const std::string& name) const {
  return numbers(name + ".weight");
}

Rows PlainDecoder::numbers(const std::string& name) const {
  const ConstTensor stored = checkpoint_->tensor(name);
  const std::size_t width = static_cast<std::size_t>(stored.shape()[stored.shape().rank() - 1]);
  std::vector<float> wide(static_cast<std::size_t>(stored.size()));
  widen(stored, wide);
  Rows rows;
  for (std::size_t i = 0; i < wide.size(); i += width) {
    rows.emplace_back(wide.begin() + static_cast<std::ptrdiff_t>(i),
                      wide.begin() + static_cast<std::ptrdiff_t>(i + width));
  }
  return rows;
}

Rows PlainDecoder::linear(const Rows& x, const std::string& name) const {
  const Rows w = weight(name);
  Rows out(x.size(), std::vector<double>(w.size(), 0.0));
  if (checkpoint_->contains(name + ".bias")) {
    for (std::vector<double>& row : out) row = numbers(name + ".bias")[0];
  }
  for (std::size_t row = 0; row < x.size(); ++row) {
    for (std::size_t o = 0; o < w.size(); ++o) {
      for (std::size_t i = 0; i < w[o].size(); ++i) out[row][o] += w[o][i] * x[row][i];
    }
  }
  return out;
}

Rows PlainDecoder::norm(const Rows& x, const std::string& name) const {
  const std::vector<double> gain = weight(name)[0];
  Rows out = x;
  for (std::vector<double>& row : out) {
    double squares = 0;
    for (const double value : row) squares += value * value;
    const double scale = 1 / std::sqrt(squares / static_cast<double>(row.size()) +
                                       static_cast<double>(config_.norm_epsilon));
    for (std::size_t i = 0; i < row.size(); ++i) row[i] *= scale * gain[i];
  }
  return out;
}

// Every head for itself, all with one gain, if the checkpoint has one.
Rows PlainDecoder::norm_heads(Rows x, const std::string& name) const {
  if (!checkpoint_->contains(name + ".weight")) return x;
  const auto head_dim = static_cast<std::ptrdiff_t>(config_.head_dim);
  for (std::vector<double>& row : x) {
    for (auto head = row.begin(); head != row.end(); head += head_dim) {
      const Rows normed = norm({{head, head + head_dim}}, name);
      std::copy(normed[0].begin(), normed[0].end(), head);
    }
  }
  return x;
}

// By the wavelength, as Llama 3.1 describes it: long ones are stretched, short ones kept, and those
// between are a mixture.
double PlainDecoder::frequency(std::size_t pair) const {
  const RopeScaling& s = config_.rope_scaling;
  const double exponent = -2.0 * static_cast<double>(pair) / config_.head_dim;
  const double plain = std::pow(config_.rope_theta, exponent);
  if (s.kind == RopeKind::plain) return plain;
  const double wavelength = 2 * 3.14159265358979323846 / plain;
  const double longest = s.original_max_positions / s.low_frequency_factor;
  const double shortest = s.original_max_positions / s.high_frequency_factor;
  if (s.kind == RopeKind::linear || wavelength > longest) return plain / s.factor;
  if (wavelength < shortest) return plain;
  const double kept = (s.original_max_positions / wavelength - s.low_frequency_factor) /
                      (s.high_frequency_factor - s.low_frequency_factor);
  return kept * plain + (1 - kept) * plain / s.factor;
}

void PlainDecoder::rotate(Rows& rows) const {
  const std::size_t head_dim = size(config_.head_dim), half = head_dim / 2;
  for (std::size_t position = 0; position < rows.size(); ++position) {
    for (std::size_t head = 0; head < rows[position].size(); head += head_dim) {
      for (std::size_t i = 0; i < half; ++i) {
        const double angle = static_cast<double>(position) * frequency(i);
        double& first = rows[position][head + i];
        double& second = rows[position][head + i + half];
        const double turned = first * std::cos(angle) - second * std::sin(angle);
        second = first * std::sin(angle) + second * std::cos(angle);
        first = turned;
      }
    }
  }
}

Rows PlainDecoder::attention(const Rows& q, const Rows& k, const Rows& v) const {
  Rows queries = q, keys = k, out(q.size(), std::vector<double>(q[0].size(), 0.0));
  rotate(queries);
  rotate(keys);
  const std::size_t head_dim = size(config_.head_dim);
  const std::size_t group = size(config_.heads / config_.kv_heads);
  const std::size_t window = config_.window > 0 ? size(config_.window) : q.size();
  for (std::size_t row = 0; row < q.size(); ++row) {
    const std::size_t oldest = row < window ? 0 : row + 1 - window;
    for (std::size_t head = 0; head < size(config_.heads); ++head) {
      const std::size_t from = head * head_dim, kv = head / group * head_dim;
      std::vector<double> scores(row + 1 - oldest, 0.0);
      for (std::size_t p = oldest; p <= row; ++p) {
        double& score = scores[p - oldest];
        for (std::size_t i = 0; i < head_dim; ++i)
          score += queries[row][from + i] * keys[p][kv + i];
        score /= std::sqrt(static_cast<double>(head_dim));
      }
      softmax(scores);
      for (std::size_t p = oldest; p <= row; ++p) {
        const double share = scores[p - oldest];
        for (std::size_t i = 0; i < head_dim; ++i) out[row][from + i] += share * v[p][kv + i];
      }
    }
  }
  return out;
}

}  // namespace quire::test
