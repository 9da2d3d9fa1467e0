/// \file
/// \brief What several samples of a prompt hold in blocks, and what slabs would reserve for them.
#pragma once

#include "chapters/09_paged_attention/forks.h"
#include "src/core/json.h"
#include "src/report/chart.h"
#include "src/report/table.h"

namespace quire {

/// \brief Memory of some samples, in rows of keys and values.
struct MemoryOfForks {
  int slabs = 0;       ///< reserved by a slab of its final size for each sample
  int blocks = 0;      ///< in the most blocks that were held at a time
  int known = 0;       ///< stored by the samples in that step, shared ones counted for each
  int copies = 0;      ///< blocks copied in all steps
  int block_size = 0;  ///< rows a block
};

/// \brief What some samples held at most.
/// \param forks       what came of a prompt, at least one sample
/// \param block_size  rows a block
/// \param longest     the most rows that a sample may store: P + G - 1
MemoryOfForks memory_of(const Forks& forks, int block_size, int longest);

/// \brief The memory as a table: slabs against blocks.
/// \param memory  of some samples
Table memory_table(const MemoryOfForks& memory);

/// \brief Rows against steps: reserved in slabs, held in blocks, known.
/// \param forks   what came of a prompt
/// \param memory  of its samples
Chart memory_chart(const Forks& forks, const MemoryOfForks& memory);

/// \brief The memory as JSON: "rows_in_slabs", "rows_in_blocks", "rows_known", "copies",
/// "block_size".
/// \param memory  of some samples
Json to_json(const MemoryOfForks& memory);

}  // namespace quire
