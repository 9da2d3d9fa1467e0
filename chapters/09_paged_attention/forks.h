/// \file
/// \brief Several samples of one prompt that share its blocks.
#pragma once

#include <vector>

#include "chapters/09_paged_attention/block_manager.h"
#include "src/kv/kv_cache.h"
#include "src/model/generate.h"

namespace quire {

/// \brief What a step of several samples held.
struct BlockUse {
  int samples = 0;  ///< that the step continued
  int known = 0;    ///< rows stored by them after the step, shared ones counted for each
  int blocks = 0;   ///< held after the step, each counted once
  int copies = 0;   ///< blocks that were copied before the step wrote into them
};

/// \brief Several continuations of one prompt.
struct Forks {
  std::vector<Generation> samples;                ///< in order
  std::vector<std::vector<BlockId>> tables = {};  ///< of each sample, when it ended
  std::vector<BlockUse> steps = {};               ///< the first one is prefill
};

/// \brief Continues a prompt several times: it is computed once, and every sample is a fork of it.
///
/// Each step feeds one token of every sample that goes on. Sample k chooses with the random numbers
/// of `options.sampling.sample` + k, so its tokens are those that it would choose alone.
/// \param decoder   the model
/// \param manager   without open sequences, with room for all samples at their longest
/// \param cache     its storage
/// \param prompt    at least one token
/// \param count     how many samples, at least 1
/// \param options   how to go on; logprobs and stop_when are left to single generations
/// \throws Error as generate does
Forks generate_forks(Decoder& decoder, BlockManager& manager, KvCache& cache,
                     const std::vector<TokenId>& prompt, int count,
                     const GenerationOptions& options);

}  // namespace quire
