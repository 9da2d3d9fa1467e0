/// \file
/// \brief An engine that serves many requests at once: they join and leave at every step.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "chapters/10_continuous_batching/scheduler.h"
#include "src/kv/kv_cache.h"
#include "src/model/decoder.h"
#include "src/model/generate.h"
#include "src/model/sampler.h"

namespace quire {

/// \brief A prompt to be continued, and how.
struct GenerationRequest {
  std::vector<TokenId> prompt;     ///< at least one token
  GenerationOptions options = {};  ///< how to go on; `stop_when` is for whoever reads the outputs
  int samples = 1;                 ///< how many continuations, each with random numbers of its own
};

/// \brief What a step brings for one sequence.
struct Output {
  SequenceId sequence{};                        ///< whose
  std::optional<TokenId> token = {};            ///< the next one of its text; none after an error
  std::optional<FinishReason> finish = {};      ///< this is its last output, and why
  std::string error = {};                       ///< what went wrong, if that is why
  std::optional<ChoiceLogprobs> logprobs = {};  ///< of the choice, if they were asked for
};

/// \brief Runs a decoder for any number of requests, with one step for all of them at a time.
///
/// A prompt, a chunk of one and a decoded token are rows of the same step. What a request gets
/// depends on its prompt, its options and the model: not on its neighbours, not on when it comes, nor
/// on being preempted (bit for bit on operators whose rows do not depend on how many there are). An
/// engine is a library: whoever owns it calls step() as long as it is not idle. It is not safe to
/// call from several threads at a time.
class Engine {
 public:
  /// \brief An engine without requests.
  /// \param decoder  the model; must outlive the engine, like the others
  /// \param manager  bookkeeping of the cache, used by this engine alone. If requests want several
  ///                 samples, one that can fork
  /// \param cache    its storage
  /// \param options  the limits of a step
  /// \throws Error if a limit is below 1
  Engine(Decoder& decoder, KvManager& manager, KvCache& cache,
         const SchedulerOptions& options = {});

  /// \brief From now on a log hears everything that happens. Called before the first request.
  /// \param log        begins here, and ends with its owner's end()
  /// \param placement  where the manager's sequences lie; must outlive the engine, like the log
  /// \param text_of    what a token adds to a text; empty if nobody knows
  void report_to(StepLog& log, const Placement& placement,
                 std::function<std::string(TokenId)> text_of = {});
  /// \brief From now on an observer sees what the decoder and the samplers compute.
  /// \param observer  must outlive the engine; what it throws in the decoder fails the step
  void watch(Observer& observer) { observer_ = &observer; }

  /// \brief A request comes, and waits.
  ///
  /// Its samples are sequences of consecutive ids; all compute the prompt once, if blocks can be
  /// shared while the first one runs. Without `max_tokens` a text may become as long as the context
  /// and the cache permit.
  /// \param request  what is asked for
  /// \return the first sequence
  /// \throws Error if it could never be served: an empty prompt, one that leaves no room in the context
  ///         or the cache, tokens outside the vocabulary, options out of range. Nothing has changed
  ///         then
  SequenceId add(const GenerationRequest& request);
  /// \brief Runs one step for everybody who fits into it.
  /// \return what it brought, in order of arrival; empty if nobody's next token is known yet. Valid
  ///         until the next step
  /// \throws whatever the decoder or the cache threw. No request is lost: all compute their rows again
  ///         in the steps that follow
  std::span<const Output> step();
  /// \brief Somebody's text is not wanted any more. It ends at once, without an output.
  /// \param sequence  any that add() gave out, whatever has become of it
  /// \return whether it had not ended before
  /// \throws Error if there was never such a sequence
  bool abort(SequenceId sequence);

  /// \brief Whether no request is left.
  bool idle() const { return scheduler_.idle(); }
  /// \brief Who runs, who waits, and what the latest step planned.
  const Scheduler& scheduler() const { return scheduler_; }

 private:
  // A sequence that has not ended.
  struct Live {
    Sequence sequence;
    GenerationOptions options;
    int limit = 0;                   // tokens to generate
    int prompt = 0;                  // tokens of the prompt
    bool arrived = false;            // the scheduler knows it
    std::optional<Sampler> sampler;  // from the first choice on: it is as large as the vocabulary
  };

  int limit_of(const GenerationRequest& request) const;
  void enter(const GenerationRequest& request, int sample, int limit);
  std::span<const float> compute();
  void lay_out_step(const Plan& plan);
  void add_span(const Share& share);
  static bool completes(const Span& span, const Sequence& sequence);
  void choose_tokens(std::span<const float> logits);
  Output choose(Live& live, std::span<const float> logits);
  TokenId next_token(Live& live, std::span<const float> logits, Output& output);
  void leave(SequenceId sequence, LogReason reason);
  void forget(SequenceId sequence);
  void report_arrivals(SequenceId first) const;
  void report_run() const;
  void report_token(SequenceId sequence, TokenId token) const;

  Decoder& decoder_;
  KvManager& manager_;
  KvCache& cache_;
  Scheduler scheduler_;
  SchedulerOptions options_;
  std::map<SequenceId, Live> live_;
  int arrived_ = 0;
  Step step_;
  std::vector<Output> outputs_;
  Observer nobody_;
  Observer* observer_ = &nobody_;
  StepLog* log_ = nullptr;
  std::function<std::string(TokenId)> text_of_;
};

}  // namespace quire
