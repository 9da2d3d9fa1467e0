/// \file
/// \brief A step log as a trace that chrome://tracing and ui.perfetto.dev show.
#pragma once

#include <string>
#include <string_view>

#include "src/log/log_event.h"

namespace quire {

/// \brief A trace in the Chrome trace event format, as JSON.
///
/// A process "engine" has a lane for the steps and one for each place in the batch: who computed how
/// many rows there, as prefill, recompute, decode or idle. A process "requests" has each request as an
/// asynchronous span from its arrival to its end, with the tokens and preemptions in it. Counters
/// show blocks in use, sequences that run and that wait, and rows of a step. Times are microseconds.
/// \param log    what was read
/// \param where  what to call it in messages, usually the file's name
/// \throws Error as replay
std::string chrome_trace(const RecordedLog& log, std::string_view where);

}  // namespace quire
