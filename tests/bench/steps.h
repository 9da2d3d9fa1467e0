/// \file
/// \brief The steps that are timed.
#pragma once

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
  Observer nobody_;
};

}  // namespace quire::bench
