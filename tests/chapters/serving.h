/// \file
/// \brief Engines for tests: with memory that nobody may rely on, and a reader of all outputs.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chapters/09_paged_attention/block_manager.h"
#include "chapters/10_continuous_batching/engine.h"
#include "tests/model/test_model.h"

namespace quire::test {

/// \brief What became of a sequence.
struct Text {
  std::vector<TokenId> tokens;         ///< generated
  std::vector<double> logprobs;        ///< of each of them
  std::optional<FinishReason> finish;  ///< none while it goes on, or if it was aborted
  std::string error;                   ///< why, if it failed
  /// \brief The same tokens from the same logits, as far as the logprobs of choices tell.
  bool operator==(const Text&) const = default;
};

/// \brief A storage in which every row that is free or not yet written holds NaN.
///
/// Works on the operators of the CPU and the emulated kernels, whose device memory is host memory.
class PoisonedStorage final : public KvCache {
 public:
  /// \brief Puts poison into another storage.
  /// \param inner    the storage; must outlive this one
  /// \param layers   of the model
  /// \param manager  knows which blocks are free
  PoisonedStorage(KvCache& inner, int layers, const BlockManager& manager)
      : inner_(inner), layers_(layers), manager_(manager) {}

  void begin(const Step& step) override;
  KvSlots slots(int layer) override { return inner_.slots(layer); }
  void attend(int layer, ConstTensor q, Tensor out) override { inner_.attend(layer, q, out); }
  std::uint64_t bytes_per_token() const override { return inner_.bytes_per_token(); }

  /// \brief From the next step on a stored row of a sequence is NaN: its logits will be, too.
  /// \param sequence  whose first row
  void damage(SequenceId sequence) { damaged_ = sequence; }

 private:
  void poison_rows(Index first, Index rows);

  KvCache& inner_;
  int layers_;
  const BlockManager& manager_;
  std::optional<SequenceId> damaged_;
};

/// \brief Puts the free blocks of a manager into a random order.
/// \param manager  without sequences
/// \param seed     of the disorder
void scramble(BlockManager& manager, std::uint64_t seed = 1);

/// \brief Reads what an engine says, and checks its manners: every sequence ends at most once, and
/// says nothing after that.
class Reader {
 public:
  /// \brief Takes the outputs of a step.
  /// \param outputs  of one engine
  void read(std::span<const Output> outputs);
  /// \brief What a sequence has said so far.
  /// \param sequence  any
  const Text& text(SequenceId sequence) { return texts_[sequence]; }

 private:
  std::map<SequenceId, Text> texts_;
};

/// \brief An engine over scrambled blocks and poisoned memory, with its reader.
struct Server {
  /// \brief Wraps the manager that the engine gets, to let it fail.
  using Wrap = std::function<std::unique_ptr<KvManager>(BlockManager&)>;

  /// \brief An engine for a test.
  /// \param model       the model; must outlive it
  /// \param blocks      of the cache
  /// \param block_size  rows a block
  /// \param options     of the scheduler
  /// \param gathered    whether blocks are gathered before attention
  /// \param wrap        what stands between the engine and the manager; empty for nothing
  Server(TestModel& model, int blocks, int block_size, const SchedulerOptions& options = {},
         bool gathered = false, const Wrap& wrap = nullptr);

  /// \brief A step, after which the books must be in order.
  void step();
  /// \brief Steps until nobody is left; gives up after far too many.
  void finish();
  /// \brief A request comes.
  /// \param request  any
  SequenceId add(const GenerationRequest& request) { return engine.add(request); }

  BlockManager manager;                ///< the real one
  std::unique_ptr<KvManager> wrapped;  ///< what the engine has, if it is another
  std::unique_ptr<KvCache> storage;    ///< the real one
  PoisonedStorage cache;               ///< what the engine has
  Engine engine;                       ///< the engine
  Reader reader;                       ///< of its outputs
  int preemptions = 0;                 ///< so far
};

/// \brief Four requests that differ in every way, all of whose choices are random, greedy or
/// penalised.
/// \param config  the model
std::vector<GenerationRequest> four_requests(const ModelConfig& config);

/// \brief What came of a prompt, as a text to compare.
/// \param generation  with logprobs
Text text_of(const Generation& generation);

/// \brief What a request would get alone, from a slab: the oracle.
/// \param model     the model
/// \param request   any
/// \param sample    which of its samples
/// \param observer  sees what is computed
Text alone(TestModel& model, const GenerationRequest& request, int sample = 0,
           Observer& observer = nobody());

/// \brief The most rows that a request may store.
/// \param request  with max_tokens
int rows_of(const GenerationRequest& request);

}  // namespace quire::test
