/// \file
/// \brief A model folder, loaded: everything that a program needs to continue text.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>

#include "src/app/device.h"
#include "src/core/observer.h"
#include "src/kv/kv_cache.h"
#include "src/kv/kv_manager.h"
#include "src/model/bill.h"
#include "src/model/decoder.h"
#include "src/model/generate.h"
#include "src/ops/ops.h"
#include "src/text/tokenizer.h"

namespace quire {

/// \brief A tokenizer, a decoder and the device it runs on.
struct LoadedModel {
  Tokenizer tokenizer;               ///< from tokenizer.json
  std::unique_ptr<Ops> ops;          ///< the device
  std::unique_ptr<Decoder> decoder;  ///< from config.json and the checkpoint
  std::uint64_t weight_bytes = 0;    ///< bytes of the checkpoint's tensors

  /// \brief The architecture.
  const ModelConfig& config() const { return decoder->config(); }
};

/// \brief Loads a model folder in Hugging Face layout.
/// \param folder  holds config.json, model.safetensors (or its shards) and tokenizer.json
/// \param device  computes; takes the weights over in its own layout
/// \throws Error that names the file and what is wrong with it
LoadedModel load_model(const std::filesystem::path& folder, const Device& device = {});

/// \brief Who remembers keys and values, and where.
struct Memory {
  std::unique_ptr<KvManager> manager;  ///< bookkeeping
  std::unique_ptr<KvStorage> storage;  ///< device memory
};

/// \brief Makes the memory for a sequence of at most so many rows.
using MakeMemory = std::function<Memory(Ops& ops, const ModelConfig& config, int rows)>;

/// \brief Memory for one sequence, placed by a manager that is made from its number of rows.
/// \tparam Manager  a KvManager and Placement
/// \param ops       the device
/// \param config    the model
/// \param rows      the most rows of the sequence
template <class Manager>
Memory memory_of(Ops& ops, const ModelConfig& config, int rows) {
  auto manager = std::make_unique<Manager>(rows);
  auto storage =
      std::make_unique<KvStorage>(ops, kv_shape_of(config), *manager, manager->retains());
  return {std::move(manager), std::move(storage)};
}

/// \brief Continues a text with memory of its own, of just the size that it can need.
/// \param model     the model
/// \param make      makes the memory
/// \param prompt    token ids, at least one
/// \param options   how to go on
/// \param observer  sees steps and tokens as they come
/// \param kv_bytes  if given, receives the bytes allocated for keys and values
/// \throws Error as generate does
Generation continue_prompt(LoadedModel& model, const MakeMemory& make,
                           const std::vector<TokenId>& prompt, const GenerationOptions& options,
                           Observer& observer, std::uint64_t* kv_bytes = nullptr);

}  // namespace quire
