#include "chapters/05_memory_and_roofline/shapes.h"

#include <algorithm>

#include "chapters/05_memory_and_roofline/exact.h"
#include "chapters/05_memory_and_roofline/names.h"
#include "src/app/options.h"
#include "src/core/error.h"

namespace quire {
namespace {

constexpr std::string_view kBuiltIn = "builtin";

// The sizes that differ from model to model, as the models' config.json files give them.
struct Sizes {
  int layers, hidden, heads, kv_heads, ffn, vocabulary, positions;
  bool tied;
};

ModelShape make(const char* name, const Sizes& sizes) {
  ModelShape shape{.name = name};
  shape.config.layers = sizes.layers;
  shape.config.hidden = sizes.hidden;
  shape.config.heads = sizes.heads;
  shape.config.kv_heads = sizes.kv_heads;
  shape.config.head_dim = sizes.hidden / sizes.heads;
  shape.config.ffn = sizes.ffn;
  shape.config.vocabulary = sizes.vocabulary;
  shape.config.max_positions = sizes.positions;
  shape.config.tied_embeddings = sizes.tied;
  return shape;
}

ModelShape gpt2() {
  ModelShape shape = make("gpt2", {12, 768, 12, 12, 3072, 50257, 1024, true});
  shape.block = Block::gpt2;
  return shape;
}

ModelShape qwen2_5_7b() {
  ModelShape shape = make("qwen2.5-7b", {28, 3584, 28, 4, 18944, 152064, 131072, false});
  shape.config.qkv_bias = true;
  return shape;
}

ModelShape qwen3_8b() {
  ModelShape shape = make("qwen3-8b", {36, 4096, 32, 8, 12288, 151936, 40960, false});
  shape.config.qk_norm = true;
  return shape;
}

// Version 0.1; later ones look back without a limit.
ModelShape mistral_7b() {
  ModelShape shape = make("mistral-7b", {32, 4096, 32, 8, 14336, 32000, 32768, false});
  shape.config.window = 4096;
  return shape;
}

std::vector<ModelShape> shapes() {
  return {gpt2(),
          make("llama-7b", {32, 4096, 32, 32, 11008, 32000, 2048, false}),
          make("llama-2-7b", {32, 4096, 32, 32, 11008, 32000, 4096, false}),
          make("llama-3-8b", {32, 4096, 32, 8, 14336, 128256, 8192, false}),
          make("llama-3.1-70b", {80, 8192, 64, 8, 28672, 128256, 131072, false}),
          qwen2_5_7b(),
          qwen3_8b(),
          mistral_7b(),
          make("smollm2-135m", {30, 576, 9, 3, 1536, 49152, 8192, true})};
}

int cut(const ModelShape& whole, const char* what, int size, int ranks) {
  require(size % ranks == 0, "{} has {} {}, which {} ranks cannot share evenly", whole.name, size,
          what, ranks);
  return size / ranks;
}

}  // namespace

const std::vector<ModelShape>& all_shapes() {
  static const std::vector<ModelShape> all = shapes();
  return all;
}

ModelShape shape_named(std::string_view option, std::string_view name) {
  if (plain_name(name) == kBuiltIn) {
    ModelShape shape = shape_of(data_folder() / "model");
    shape.name = kBuiltIn;
    return shape;
  }
  struct Named {
    std::string_view name;
    const ModelShape* shape;
  };
  std::vector<Named> list;
  for (const ModelShape& shape : all_shapes()) list.push_back({shape.name, &shape});
  list.push_back({kBuiltIn, nullptr});
  return *find_named(option, name, list).shape;
}

ModelShape shape_of(const std::filesystem::path& folder) {
  // "models/tiny/" is called "tiny" too.
  const std::filesystem::path named = folder.has_filename() ? folder : folder.parent_path();
  return {.name = named.filename().string(), .config = load_config(folder)};
}

ModelShape rank_of(const ModelShape& whole, int ranks) {
  ModelShape part = whole;
  part.config.heads = cut(whole, "query heads", whole.config.heads, ranks);
  part.config.ffn = cut(whole, "FFN columns", whole.config.ffn, ranks);
  const int kv_heads = whole.config.kv_heads;
  require(kv_heads % ranks == 0 || ranks % kv_heads == 0,
          "{} has {} KV heads, which {} ranks cannot share evenly", whole.name, kv_heads, ranks);
  part.config.kv_heads = std::max(1, kv_heads / ranks);
  part.config.vocabulary = static_cast<int>(divided_up(
      static_cast<std::uint64_t>(whole.config.vocabulary), static_cast<std::uint64_t>(ranks)));
  return part;
}

}  // namespace quire
