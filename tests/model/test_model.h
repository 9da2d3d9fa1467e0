/// \file
/// \brief Small models from checkpoints, and a cache for them, as tests of the decoder need them.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "src/kv/kv_cache.h"
#include "src/kv/one_sequence.h"
#include "src/model/decoder.h"

namespace quire::test {

/// \brief The tiny checkpoints of tests/golden: random weights, the corners of the architecture.
const std::vector<std::string>& tiny_models();

/// \brief The folder of a model.
/// \param name  one of tiny_models(), or "builtin"
std::filesystem::path folder_of(const std::string& name);

/// \brief An implementation of the operators.
enum class Backend {
  eigen,     ///< the reference
  simd,      ///< the fast CPU path
  emulated,  ///< the CUDA kernels, run on the processor
  gpu,       ///< the CUDA kernels, where there is a GPU
};

/// \brief What tests call it: its enumerator.
/// \param backend  any
const char* name_of(Backend backend);

/// \brief Makes operators.
/// \param backend  which
/// \param threads  of theirs, if they have any
/// \throws Error if there is no GPU
std::unique_ptr<Ops> make_ops(Backend backend, int threads);

/// \brief A decoder with its operators.
class TestModel {
 public:
  /// \brief Changes a config before the decoder is made.
  using Change = std::function<void(ModelConfig&)>;

  /// \brief Loads a model.
  /// \param name     one of tiny_models(), or "builtin"
  /// \param change   what shall differ from its config
  /// \param threads  of its operators
  /// \param backend  which operators
  explicit TestModel(const std::string& name, const Change& change = nullptr, int threads = 1,
                     Backend backend = Backend::eigen);

  /// \brief Loads a model onto operators.
  /// \param name    one of tiny_models(), or "builtin"
  /// \param change  what shall differ from its config
  /// \param ops     the operators
  TestModel(const std::string& name, const Change& change, std::unique_ptr<Ops> ops);

  /// \brief The architecture.
  const ModelConfig& config() const { return decoder_->config(); }
  /// \brief The decoder.
  Decoder& decoder() { return *decoder_; }
  /// \brief Its operators.
  Ops& ops() { return *ops_; }
  /// \brief What its weights are stored as.
  DType weights_dtype() const { return weights_dtype_; }

 private:
  std::unique_ptr<Ops> ops_;
  DType weights_dtype_;
  std::unique_ptr<Decoder> decoder_;
};

/// \brief A manager for one sequence with its storage.
struct TestCache {
  std::unique_ptr<OneSequence> manager;  ///< NoCache or Slab
  std::unique_ptr<KvStorage> storage;    ///< where it keeps rows
};

/// \brief Room for the rows of one step.
/// \param model  whose rows
/// \param rows   how many
TestCache no_cache(TestModel& model, int rows);

/// \brief One slab.
/// \param model  whose rows
/// \param rows   how many
TestCache slab(TestModel& model, int rows);

/// \brief Token ids as tokens.
/// \param ids  any numbers
std::vector<TokenId> tokens_of(const std::vector<int>& ids);

/// \brief Nobody watches.
Observer& nobody();

}  // namespace quire::test
