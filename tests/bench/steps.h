/// \file
/// \brief The steps that are timed.
#pragma once

#include "chapters/09_paged_attention/block_manager.h"
#include "src/core/observer.h"
#include "tests/bench/random_model.h"

namespace quire::bench {

/// \brief A decoder with random weights on the fast CPU operators, and steps for it.
class Runner {
 public:
  /// \brief Makes the weights, and room for some sequences.
  /// \param threads    of the operators
  /// \param sequences  at most so many in a step
  /// \param rows       of a sequence at most
  Runner(int threads, int sequences, int rows);

  /// \brief One token of each of some sequences, all of them as long.
  /// \param sequences  how many
  /// \param context    tokens before it
  void decode(int sequences, int context);
  /// \brief A prompt of one sequence, with the logits of its last token.
  /// \param rows      its length
  /// \param sequence  which
  void prefill(int rows, int sequence = 0);

  /// \brief An engine serves requests that come at once: 32 tokens of prompt, 64 generated.
  /// \param requests  how many, at most 16
  /// \return the tokens generated
  int serve(int requests);

  /// \brief The operators.
  Ops& ops() { return *ops_; }
  /// \brief What the device has done so far.
  const Counters& counters() const { return decoder_.counters(); }
  /// \brief Bytes of weights that a step reads.
  std::uint64_t weight_bytes() const;

 private:
  std::unique_ptr<Ops> ops_;
  ModelConfig config_ = smollm2_135m();
  Decoder decoder_;
  EqualSlabs slabs_;
  KvStorage storage_;
  BlockManager blocks_{16 * 96 / 16, 16};
  KvStorage paged_storage_;
  Observer nobody_;
};

}  // namespace quire::bench
