#include "chapters/05_memory_and_roofline/request.h"

#include <algorithm>
#include <cmath>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

constexpr int kMostTokens = 1 << 28, kMostSequences = 1 << 16, kMostRanks = 1 << 12;
constexpr int kDefaultLength = 4096;
constexpr double kGiB = 1024.0 * 1024.0 * 1024.0;
constexpr double kLeast = 1e-3, kMost = 1e9;

double parse_size(const std::string& name, const std::string& text, double lowest) {
  const double value = parse_number(name, text, lowest);
  require(value <= kMost, "{} is {}, expected a number, {} to {}", name, in_quotes(text), lowest,
          kMost);
  return value;
}

void add_size(Arguments& arguments, const std::string& name, std::optional<double>& value,
              const std::string& unit, const std::string& help) {
  arguments.custom(
      name, unit, "",
      [=, &value](const std::string& text) { value = parse_size(name, text, kLeast); }, help);
}

void add_integer(Arguments& arguments, const std::string& name, std::optional<int>& value,
                 int lowest, const std::string& help) {
  arguments.custom(
      name, "N", "",
      [=, &value](const std::string& text) {
        value = static_cast<int>(parse_integer(name, text, lowest, kMostTokens));
      },
      help);
}

std::vector<std::uint64_t> parse_lengths(const std::string& text) {
  std::vector<std::uint64_t> lengths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    require(lengths.size() < kMostSequences, "--lengths lists more than {} sequences",
            kMostSequences);
    lengths.push_back(static_cast<std::uint64_t>(
        parse_integer("a length of --lengths", text.substr(begin, end - begin), 1, kMostTokens)));
    begin = end + 1;
  }
  return lengths;
}

void add_model_options(Arguments& arguments, PlanOptions& options) {
  arguments.text("shape", "NAME", options.shape,
                 "a published model: gpt2, llama-7b, llama-2-7b, llama-3-8b, llama-3.1-70b, "
                 "qwen2.5-7b, qwen3-8b, mistral-7b, smollm2-135m; or builtin");
  arguments.custom(
      "--model", "DIR", "",
      [&options](const std::string& folder) {
        require(!folder.empty(), "--model is \"\", expected a folder with config.json");
        options.model = folder;
      },
      "a folder with config.json instead; no weights are read");
  arguments.exclude("--model", "shape");
  add_integer(arguments, "--window", options.window, 0,
              "tokens that attention may see, 0 for all; without it, as the model says");
  arguments.integer("--ranks", options.ranks, 1, kMostRanks,
                    "devices that share every matrix; the plan is that of one");
}

void add_card_options(Arguments& arguments, PlanOptions& options) {
  arguments.text("--card", "NAME", options.card,
                 "A100-40, A100-80, H100, H200, RTX-3070 or RTX-4090");
  add_size(arguments, "--memory", options.memory, "GiB", "of a card of your own");
  add_size(arguments, "--bandwidth", options.bandwidth, "GB/s", "of a card of your own");
  add_size(arguments, "--flops", options.teraflops, "TFLOP/s",
           "of a card of your own, dense BF16 without sparsity");
  arguments.custom(
      "--reserve", "GiB", "0",
      [&options](const std::string& text) { options.reserved = parse_size("--reserve", text, 0); },
      "memory kept free for activations and the driver");
}

void add_format_options(Arguments& arguments, PlanOptions& options) {
  arguments.custom(
      "--weights", "FORMAT", "BF16",
      [&options](const std::string& text) { options.weights = parse_format("--weights", text); },
      "of the layers' matrices: F32, F16, BF16, INT8, FP8, INT4; INT4:64 gives every 64 numbers of "
      "a "
      "row a 16-bit scale");
  arguments.custom(
      "--tables", "FORMAT", "",
      [&options](const std::string& text) { options.tables = parse_format("--tables", text); },
      "of embedding and output head; without it as --weights, but at least 16 bits");
  arguments.custom(
      "--kv", "FORMAT", "BF16",
      [&options](const std::string& text) { options.kv = parse_format("--kv", text); },
      "of keys and values; INT8:128 gives every 128 numbers of a head a 16-bit scale");
}

void add_sequence_options(Arguments& arguments, PlanOptions& options) {
  add_integer(arguments, "--length", options.length, 1,
              "tokens of each sequence; without it 4096, or what the model was made for");
  arguments.integer("--batch", options.batch, 1, kMostSequences, "how many sequences");
  arguments.custom(
      "--lengths", "N,N,...", "",
      [&options](const std::string& text) { options.lengths = parse_lengths(text); },
      "tokens of each of several sequences, instead of --length and --batch");
  arguments.exclude("--lengths", "--length");
  arguments.exclude("--lengths", "--batch");
  arguments.integer("--block-size", options.block_size, 1, kMostTokens, "tokens a block");
}

Card card_of(const PlanOptions& options) {
  Card card = card_named("--card", options.card);
  if (options.memory || options.bandwidth || options.teraflops) card.name = "your card";
  if (options.memory) card.memory = static_cast<std::uint64_t>(*options.memory * kGiB);
  if (options.bandwidth) card.bandwidth = *options.bandwidth * 1e9;
  if (options.teraflops) card.flops = *options.teraflops * 1e12;
  return card;
}

// Norms and biases are too few to be worth quantising; tables are quantised only if asked for.
Formats formats_of(const PlanOptions& options) {
  const NumberFormat wide = options.weights.is_wide() ? options.weights : NumberFormat{};
  return {.matrices = options.weights,
          .tables = options.tables.value_or(wide),
          .vectors = wide,
          .kv = options.kv};
}

}  // namespace

void add_plan_options(Arguments& arguments, PlanOptions& options) {
  add_model_options(arguments, options);
  add_card_options(arguments, options);
  add_format_options(arguments, options);
  add_sequence_options(arguments, options);
}

PlanRequest request_of(const PlanOptions& options) {
  PlanRequest request{.shape = options.model.empty() ? shape_named("the shape", options.shape)
                                                     : shape_of(options.model),
                      .card = card_of(options),
                      .formats = formats_of(options),
                      .lengths = options.lengths,
                      .block_size = static_cast<std::uint64_t>(options.block_size),
                      .reserved = static_cast<std::uint64_t>(options.reserved * kGiB),
                      .ranks = options.ranks};
  if (options.window) request.shape.config.window = *options.window;
  const int usual = std::min(kDefaultLength, request.shape.config.max_positions);
  if (request.lengths.empty()) {
    request.lengths.assign(static_cast<std::size_t>(options.batch),
                           static_cast<std::uint64_t>(options.length.value_or(usual)));
  }
  return request;
}

}  // namespace quire
