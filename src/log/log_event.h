/// \file
/// \brief What an engine did, as values: the events of a step log.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/ids.h"

namespace quire {

/// \brief The part of a step in which something happens. A step goes through them in this order.
enum class LogPhase {
  schedule,  ///< before the decoder runs: who computes what, and in which blocks
  compute,   ///< the decoder's run: rows are stored
  sample,    ///< after it: tokens are chosen, sequences end
};

/// \brief What happens.
enum class LogKind {
  arrive,    ///< a request comes, and waits
  admit,     ///< a sequence that waits runs for the first time
  resume,    ///< a preempted sequence runs again
  preempt,   ///< a running sequence loses its rows, and waits again
  fork,      ///< a sequence begins with what another knows and stores
  share,     ///< blocks that others hold are the first of a table: their rows are stored already
  allocate,  ///< free blocks are appended to a table
  copy,      ///< in a table, a copy takes the place of a shared block
  free,      ///< blocks are given back, from the table's end
  write,     ///< rows of a sequence have been stored
  run,       ///< the decoder has run; once a step
  sample,    ///< a token has been chosen
  finish,    ///< a sequence has ended
};

/// \brief Why a sequence has ended.
enum class LogReason {
  stop,    ///< an end-of-sequence token, a stop id or a stop text
  length,  ///< as many tokens as asked for, or the context is full
  abort,   ///< whoever asked has gone
  error,   ///< it could not be served
};

/// \brief What an engine is given before its first step.
struct LogHeader {
  std::string engine;     ///< its name: "continuous", "static"
  int blocks = 0;         ///< physical blocks of its cache; a slab counts as one block or several
  int block_size = 0;     ///< rows a block
  int budget = 0;         ///< the most rows of a step
  int max_sequences = 0;  ///< the most sequences that run at the same time
  std::int64_t bytes_per_row = 0;  ///< bytes of keys and values of a row; 0 if there are none
  bool feeds_idle =
      false;  ///< whether sequences that have ended keep their blocks, and are fed the
              ///< last of their rows again, as static batches do
};

/// \brief One thing that happened. Which members mean something depends on the kind; the others
/// hold what a new event holds.
struct LogEvent {
  int step = 0;                         ///< counted from 0; a step without events is not counted
  double seconds = 0;                   ///< since the log began
  LogPhase phase = LogPhase::schedule;  ///< when in the step
  LogKind kind = LogKind::arrive;       ///< what happened
  SequenceId sequence{};                ///< to whom; to nobody in a run
  int prompt = 0;                       ///< arrive: tokens of the prompt
  int max_tokens = 0;                   ///< arrive: the most tokens to generate
  int stored = 0;               ///< admit, resume: rows stored already, in blocks to be shared
  SequenceId parent{};          ///< fork: whose tokens and rows
  std::vector<BlockId> blocks;  ///< share, allocate, free: in that order; fork: its table
  BlockId from{};               ///< copy: the shared block
  BlockId to{};                 ///< copy: what takes its place
  int position = 0;             ///< write: of the first row
  int rows = 0;                 ///< write: of this sequence; run: of all
  int sequences = 0;            ///< run: how many had rows in it
  double began = 0;             ///< run: when its step began, in seconds as above
  TokenId token{};              ///< sample: which
  std::string text;             ///< sample: what the token adds to the text, if known
  LogReason reason{};           ///< finish: why
};

/// \brief A whole log.
struct RecordedLog {
  LogHeader header;              ///< what the engine was given
  std::vector<LogEvent> events;  ///< in order; step and seconds never descend
  bool complete = false;         ///< whether the engine said that it had ended
  /// \brief How many steps there are.
  int steps() const { return events.empty() ? 0 : events.back().step + 1; }
};

/// \brief The word for a phase in logs.
/// \param phase  a part of a step
std::string_view name_of(LogPhase phase);
/// \brief The word for a kind of event in logs.
/// \param kind  what happens
std::string_view name_of(LogKind kind);
/// \brief The word for a reason in logs: "stop", "length", "abort" or "error".
/// \param reason  why a sequence has ended
std::string_view name_of(LogReason reason);

}  // namespace quire
