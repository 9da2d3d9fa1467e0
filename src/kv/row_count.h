/// \file
/// \brief What managers of many sequences keep of each of them: how many rows are stored, and for how
/// many more there is room.
#pragma once

#include "src/core/error.h"
#include "src/core/ids.h"

namespace quire {

/// \brief The rows of one sequence, as KvManager counts them.
struct RowCount {
  int stored = 0;    ///< rows that exist
  int reserved = 0;  ///< rows of the next step, behind those stored

  /// \brief Reserved rows are stored, as KvManager::commit.
  /// \param rows  how many
  /// \throws Error if they are more than reserved, or negative
  void commit(int rows);
  /// \brief Only the first rows remain, and nothing is reserved, as KvManager::truncate.
  /// \param rows  how many
  /// \throws Error if they are more than stored, or negative
  void keep(int rows);
};

/// \brief What a manager keeps of an open sequence.
/// \param entries   a map by sequence
/// \param sequence  a name
/// \throws Error if the sequence is not open
template <class Entries>
auto& open_entry(Entries& entries, SequenceId sequence) {
  const auto found = entries.find(sequence);
  require(found != entries.end(), "sequence {} is not open", to_int(sequence));
  return found->second;
}

}  // namespace quire
