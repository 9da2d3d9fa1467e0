#include "tests/model/test_model.h"

#include "chapters/02_decoder/no_cache.h"
#include "chapters/04_kv_cache/slab.h"
#include "kernels/module.h"
#include "src/model/bill.h"
#include "src/ops/eigen_ops.h"
#include "src/simd/simd_ops.h"

namespace quire::test {

const std::vector<std::string>& tiny_models() {
  static const std::vector<std::string> kNames = {
      "llama-1-1",   "llama-4-2",    "llama-6-2",    "llama-wide-heads",
      "llama3-rope", "linear-rope",  "llama-biases", "mistral-window",
      "qwen2",       "qwen2-window", "qwen3",        "sharded"};
  return kNames;
}

std::filesystem::path folder_of(const std::string& name) {
  const std::filesystem::path root = QUIRE_SOURCE_DIR;
  return name == "builtin" ? root / "data/model" : root / "tests/golden" / name;
}

const char* name_of(Backend backend) {
  constexpr const char* kNames[] = {"eigen", "simd", "emulated", "gpu"};
  return kNames[static_cast<int>(backend)];
}

std::unique_ptr<Ops> make_ops(Backend backend, int threads) {
  if (backend == Backend::simd) return std::make_unique<SimdOps>(threads);
  if (backend == Backend::emulated) return load_kernel_ops(KernelBackend::emulated);
  if (backend == Backend::gpu) return load_kernel_ops(KernelBackend::gpu);
  return std::make_unique<EigenOps>(threads);
}

TestModel::TestModel(const std::string& name, const Change& change, int threads, Backend backend)
    : TestModel(name, change, make_ops(backend, threads)) {}

TestModel::TestModel(const std::string& name, const Change& change, std::unique_ptr<Ops> ops)
    : ops_(std::move(ops)) {
  ModelConfig config = load_config(folder_of(name));
  const auto checkpoint = open_checkpoint(folder_of(name));
  DecoderWeights weights = load_weights(config, checkpoint, *ops_);
  weights_dtype_ = weights.embedding.tensor.dtype();
  if (change) change(config);
  decoder_ = std::make_unique<Decoder>(config, std::move(weights), *ops_);
}

namespace {

template <class Manager>
TestCache make_cache(TestModel& model, int rows) {
  TestCache cache{std::make_unique<Manager>(rows), nullptr};
  cache.storage = std::make_unique<KvStorage>(model.ops(), kv_shape_of(model.config()),
                                              *cache.manager, cache.manager->retains());
  return cache;
}

}  // namespace

TestCache no_cache(TestModel& model, int rows) {
  return make_cache<NoCache>(model, rows);
}

TestCache slab(TestModel& model, int rows) {
  return make_cache<Slab>(model, rows);
}

std::vector<TokenId> tokens_of(const std::vector<int>& ids) {
  std::vector<TokenId> tokens;
  for (const int id : ids) tokens.push_back(TokenId{id});
  return tokens;
}

Observer& nobody() {
  static Observer observer;
  return observer;
}

}  // namespace quire::test
