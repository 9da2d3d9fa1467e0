// How long each kernel takes, beside how long it would take at least.
//
// kernel_times [--small] [FILE]: prints a table, and writes JSON to a file. Every launch moves far more
// than the cache of a card holds; with --small it is the same launches on next to nothing, which shows
// that they work and no more.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <fstream>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/add/add.h"
#include "kernels/add_bias/add_bias.h"
#include "kernels/argmax/argmax.h"
#include "kernels/attend/attend.h"
#include "kernels/copy_blocks/copy_blocks.h"
#include "kernels/embed/embed.h"
#include "kernels/gather_rows/gather_rows.h"
#include "kernels/linear/linear.h"
#include "kernels/linear/widen.h"
#include "kernels/rms_norm/rms_norm.h"
#include "kernels/rope_and_store/rope_and_store.h"
#include "kernels/silu_mul/silu_mul.h"
#include "kernels/softmax/softmax.h"
#include "src/report/format.h"
#include "tests/gpu/device_numbers.h"
#include "tests/gpu/launch_times.h"

namespace quire::test {
namespace {

// One layer of a large model, and what it computes at a time.
struct Sizes {
  std::int64_t rows, hidden, ffn, heads, kv_heads, head_dim, vocabulary;
  std::int64_t sequences, keys;  // that decode, and what each of them sees
  std::int64_t prompt;           // rows of a prompt
};

constexpr Sizes kLarge = {.rows = 4096,
                          .hidden = 8192,
                          .ffn = 28672,
                          .heads = 64,
                          .kv_heads = 8,
                          .head_dim = 128,
                          .vocabulary = 128256,
                          .sequences = 16,
                          .keys = 8192,
                          .prompt = 2048};
constexpr Sizes kSmall = {.rows = 4,
                          .hidden = 64,
                          .ffn = 96,
                          .heads = 4,
                          .kv_heads = 2,
                          .head_dim = 16,
                          .vocabulary = 100,
                          .sequences = 2,
                          .keys = 300,
                          .prompt = 16};

// The sizes, for whoever times the same elsewhere.
nlohmann::json json_of(const Sizes& s) {
  return {{"rows", s.rows},
          {"hidden", s.hidden},
          {"ffn", s.ffn},
          {"heads", s.heads},
          {"kv_heads", s.kv_heads},
          {"head_dim", s.head_dim},
          {"vocabulary", s.vocabulary},
          {"sequences", s.sequences},
          {"keys", s.keys},
          {"prompt", s.prompt}};
}

class KernelTimes {
 public:
  explicit KernelTimes(const Sizes& sizes)
      : s_(sizes), times_(4 * sizes.rows * sizes.hidden, sizes.hidden / 2) {
    element_by_element();
    rows();
    rope_and_store();
    copy_blocks();
    linear();
    attention();
  }

  const LaunchTimes& times() const { return times_; }

 private:
  void element_by_element();
  void rows();
  void rope_and_store();
  void copy_blocks();
  void linear();
  void attention();
  void attend(const std::string& what, const std::vector<kernels::AttendRow>& places,
              std::int64_t keys);

  Sizes s_;
  LaunchTimes times_;
};

void KernelTimes::element_by_element() {
  const std::int64_t size = s_.rows * s_.hidden;
  const auto n = static_cast<double>(size);
  const auto x = noise<float>(size), y = noise<float>(size), out = noise<float>(size);
  const auto stored = noise<BFloat16>(size), bias = noise<BFloat16>(s_.hidden);
  using namespace kernels;
  times_.time("add", {12 * n, n}, [&] { add(out.data(), x.data(), size, nullptr); });
  times_.time("add_bias", {8 * n, n},
              [&] { add_bias(out.data(), bias.data(), s_.rows, s_.hidden, nullptr); });
  times_.time("silu_mul", {12 * n, 5 * n},
              [&] { silu_mul(out.data(), x.data(), y.data(), size, nullptr); });
  times_.time("widen", {6 * n, 0}, [&] { widen(out.data(), stored.data(), size, nullptr); });
}

void KernelTimes::rows() {
  const std::int64_t size = s_.rows * s_.hidden, vocabulary = s_.vocabulary, choices = 512;
  const auto n = static_cast<double>(size);
  const auto x = noise<float>(size), y = noise<float>(size), out = noise<float>(size);
  const auto sum = noise<float>(size), logits = noise<float>(choices * vocabulary);
  const auto gain = noise<BFloat16>(s_.hidden), embeddings = noise<BFloat16>(size);
  const auto picked = scattered<std::int32_t>(s_.rows);
  const simt::DeviceArray<std::int32_t> chosen(choices);
  const auto norm = [&](const float* residual, float* to) {
    kernels::rms_norm(out.data(), x.data(), residual, to, gain.data(), 1e-5f, s_.rows, s_.hidden,
                      nullptr);
  };
  using namespace kernels;
  times_.time("argmax", {4.0 * static_cast<double>(choices * vocabulary), 0},
              [&] { argmax(chosen.data(), logits.data(), choices, vocabulary, nullptr); });
  times_.time("embed", {6 * n, 0}, [&] {
    embed(out.data(), embeddings.data(), picked.data(), s_.rows, s_.hidden, nullptr);
  });
  times_.time("gather_rows", {8 * n, 0}, [&] {
    gather_rows(out.data(), x.data(), picked.data(), s_.rows, s_.hidden, nullptr);
  });
  times_.time("rms_norm", {8 * n, 4 * n}, [&] { norm(nullptr, nullptr); });
  times_.time("rms_norm of a sum", {16 * n, 5 * n}, [&] { norm(y.data(), sum.data()); });
  times_.time("softmax", {8 * n, 4 * n},
              [&] { softmax(out.data(), x.data(), s_.rows, s_.hidden, nullptr); });
}

void KernelTimes::rope_and_store() {
  const std::int64_t q_width = s_.heads * s_.head_dim, kv_width = s_.kv_heads * s_.head_dim;
  const auto q = noise<float>(s_.rows * q_width), k = noise<float>(s_.rows * kv_width);
  const auto angles = noise<float>(s_.rows * s_.head_dim);
  const auto keys = noise<BFloat16>(s_.rows * kv_width),
             values = noise<BFloat16>(s_.rows * kv_width);
  const auto slots = scattered<std::int64_t>(s_.rows);
  const auto moved = 8 * q_width + 12 * kv_width + 4 * s_.head_dim;
  times_.time("rope_and_store",
              {static_cast<double>(s_.rows * moved), 3.0 * static_cast<double>(s_.rows * q_width)},
              [&] {
                kernels::rope_and_store(q.data(), k.data(), k.data(), angles.data(), keys.data(),
                                        values.data(), slots.data(),
                                        {s_.rows, s_.heads, s_.kv_heads, s_.head_dim}, nullptr);
              });
}

// Half of the blocks, of 16 rows each, into the other half.
void KernelTimes::copy_blocks() {
  const std::int64_t kv_width = s_.kv_heads * s_.head_dim;
  const std::int64_t pairs = s_.rows / 2, block_bytes = 16 * kv_width * 2;
  const auto storage = noise<BFloat16>(2 * pairs * block_bytes / 2);
  const auto blocks = scattered<std::int32_t>(2 * pairs);
  times_.time("copy_blocks", {2.0 * static_cast<double>(pairs * block_bytes), 0}, [&] {
    kernels::copy_blocks(storage.data(), blocks.data(), pairs, block_bytes, nullptr);
  });
}

void KernelTimes::linear() {
  const std::int64_t most = 1024, inputs = s_.hidden, outputs = s_.ffn;
  const auto x = noise<float>(most * inputs), out = noise<float>(most * outputs);
  const auto weight = noise<BFloat16>(outputs * inputs);
  const auto needs = [&](std::int64_t rows) {
    return Needs{static_cast<double>(2 * outputs * inputs + 4 * rows * (inputs + outputs)),
                 2.0 * static_cast<double>(rows * inputs * outputs)};
  };
  for (const std::int64_t rows : {1, kernels::kFewRows}) {
    times_.time(fmt::format("linear, {} {}", rows, rows == 1 ? "row" : "rows"), needs(rows), [&] {
      kernels::linear_few_rows(out.data(), x.data(), weight.data(), {rows, inputs, outputs},
                               nullptr);
    });
  }
  const std::int64_t many = std::min(most, s_.rows);
  times_.time(fmt::format("linear, {} rows", many), needs(many), [&] {
    kernels::linear_tiled(out.data(), x.data(), weight.data(), {many, inputs, outputs}, nullptr);
  });
}

void KernelTimes::attention() {
  std::vector<kernels::AttendRow> places;
  for (std::int32_t i = 0; i < s_.sequences; ++i) {
    places.push_back({.span = i, .position = static_cast<std::int32_t>(s_.keys) - 1});
  }
  attend("decode", places, s_.keys);
  places.clear();
  for (std::int32_t i = 0; i < s_.prompt; ++i) places.push_back({.span = 0, .position = i});
  attend("a prompt", places, s_.prompt);
}

void KernelTimes::attend(const std::string& what, const std::vector<kernels::AttendRow>& places,
                         std::int64_t keys) {
  const auto rows = static_cast<std::int64_t>(places.size()), block_size = std::int64_t{16};
  const std::int64_t spans = places.back().span + 1, blocks = (keys + block_size - 1) / block_size;
  const std::int64_t width = s_.heads * s_.head_dim, kv_width = s_.kv_heads * s_.head_dim;
  const auto q = noise<float>(rows * width), out = noise<float>(rows * width);
  const auto k = noise<BFloat16>(spans * blocks * block_size * kv_width);
  const auto v = noise<BFloat16>(spans * blocks * block_size * kv_width);
  const auto tables = scattered<std::int32_t>(spans * blocks);
  const simt::DeviceArray<kernels::AttendRow> of_rows(places);
  const kernels::AttendArguments<BFloat16> arguments{
      .q = q.data(),
      .k = k.data(),
      .v = v.data(),
      .tables = tables.data(),
      .places = of_rows.data(),
      .out = out.data(),
      .shape = {.rows = static_cast<int>(rows),
                .heads = static_cast<int>(s_.heads),
                .kv_heads = static_cast<int>(s_.kv_heads),
                .head_dim = static_cast<int>(s_.head_dim),
                .block_size = static_cast<int>(block_size),
                .table_width = blocks,
                .longest = static_cast<int>(keys)}};
  const simt::DeviceArray<float> room(
      std::max(kernels::scores_size(arguments.shape), kernels::partials_size(arguments.shape)));
  double visible = 0;
  for (const auto& place : places) visible += place.position + 1;
  const Needs needs{static_cast<double>(8 * rows * width + 4 * spans * keys * kv_width),
                    4 * visible * static_cast<double>(width)};
  using namespace kernels;
  times_.time("attend v0, " + what, needs, [&] { attend_scores(arguments, room.data(), nullptr); });
  times_.time("attend v1, " + what, needs, [&] { attend_online(arguments, nullptr); });
  times_.time("attend v2, " + what, needs, [&] { attend_split(arguments, room.data(), nullptr); });
}

int run(const std::vector<std::string_view>& arguments) {
  if (simt::device_name() == nullptr) {
    fmt::print(stderr, "error: there is no GPU here that runs CUDA; kernels were not timed\n");
    return 2;
  }
  const bool small = !arguments.empty() && arguments.front() == "--small";
  const Sizes sizes = small ? kSmall : kLarge;
  const LaunchTimes times = KernelTimes(sizes).times();
  nlohmann::json json = times.json();
  json["sizes"] = json_of(sizes);
  const auto& products = json["product_flops_per_second"];
  fmt::print("{}: a copy moves {}B/s, {}\n\n{}", simt::device_name(),
             format_si(json["copy_bytes_per_second"].get<double>()),
             products.is_null()
                 ? "no library computes products"
                 : "a product in F32 is " + format_si(products.get<double>()) + "FLOP/s",
             times.table().text());
  if (arguments.size() > (small ? 1u : 0u)) {
    std::ofstream(std::string(arguments.back())) << json.dump(2) << '\n';
  }
  return 0;
}

}  // namespace
}  // namespace quire::test

int main(int argc, char** argv) {
  try {
    return quire::test::run({argv + 1, argv + argc});
  } catch (const std::exception& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return 2;
  }
}
