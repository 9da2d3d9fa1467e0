/// \file
/// \brief What a step log says about an engine: latencies, throughput, queue, memory.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "src/log/replay.h"

namespace quire {

/// \brief A step's run, and the state in which the decoder ran it: after its rows were stored, before
/// anybody who ended in it gave blocks back.
struct StepMetrics {
  int step = 0;                  ///< which
  double began = 0;              ///< when it began, in seconds since the log began
  double seconds = 0;            ///< from there to the end of the run
  int rows = 0;                  ///< that it fed
  int sequences = 0;             ///< that had rows in it
  int running = 0;               ///< sequences that run
  int waiting = 0;               ///< sequences that wait
  int blocks = 0;                ///< that somebody holds, shared ones counted once
  std::int64_t rows_held = 0;    ///< of these blocks
  std::int64_t rows_filled = 0;  ///< of these, the ones that hold a token
  int most_lost = 0;             ///< the most rows that one sequence holds and has not filled

  /// \brief The share of the rows held that hold no token, 0 if none are held.
  double waste() const;
};

/// \brief The life of one request.
struct RequestMetrics {
  SequenceId sequence{};              ///< which
  int prompt = 0;                     ///< tokens of its prompt
  int tokens = 0;                     ///< that were chosen for it
  int preemptions = 0;                ///< how often it lost its rows
  double arrived = 0;                 ///< in seconds since the log began; a fork's is its parent's
  std::optional<double> admitted;     ///< when it first ran
  std::optional<double> first_token;  ///< when its first token was chosen
  std::optional<double> last_token;   ///< when its latest token was chosen
  std::optional<double> finished;     ///< when it ended
  LogReason reason{};                 ///< why, if it has ended
};

/// \brief How some numbers are spread. A percentile is the least of them that no fewer than so many
/// percent of them do not exceed (the nearest rank).
struct Spread {
  std::size_t count = 0;  ///< how many numbers; if none, the others are 0
  double mean = 0;        ///< their mean
  double p50 = 0;         ///< the percentile 50: the median
  double p90 = 0;         ///< the percentile 90
  double p99 = 0;         ///< the percentile 99
  double most = 0;        ///< the greatest
};

/// \brief All that is counted from a log.
struct LogMetrics {
  LogHeader header;                      ///< what the engine was given
  bool complete = false;                 ///< whether it said that it had ended
  int steps = 0;                         ///< of the log, also those without a run
  double seconds = 0;                    ///< from the beginning to the last event
  std::vector<StepMetrics> runs;         ///< one for each run
  std::vector<RequestMetrics> requests;  ///< in order of their names
  std::vector<double> gaps;              ///< seconds between one token of a request and its next
  std::int64_t tokens = 0;               ///< chosen in all
  std::int64_t rows = 0;                 ///< fed in all
  std::int64_t recomputed = 0;           ///< of these, rows that had been stored before
  std::int64_t idle = 0;                 ///< of the rows, fed for sequences that had ended
  int preemptions = 0;                   ///< in all
  int copies = 0;                        ///< of shared blocks

  /// \brief Seconds from arrival to the first token (TTFT), of requests that have one.
  Spread time_to_first_token() const;
  /// \brief Seconds between one token of a request and its next (ITL).
  Spread inter_token_latency() const;
  /// \brief Seconds from arrival to the first run, of requests that ran.
  Spread time_in_queue() const;
  /// \brief Seconds from arrival to the end, of requests that were served to their end.
  Spread request_latency() const;
  /// \brief Tokens chosen per second; 0 if no time has passed.
  double throughput() const;
  /// \brief The share of KV memory held that holds no token, averaged over the runs.
  double mean_waste() const;
};

/// \brief How some numbers are spread.
/// \param numbers  any, in any order
Spread spread_of(std::vector<double> numbers);

/// \brief Plays a log and counts. Each event costs a few searches besides its replay.
/// \param log    what was read
/// \param where  what to call it in messages, usually the file's name
/// \throws Error as replay
LogMetrics measure(const RecordedLog& log, std::string_view where);

}  // namespace quire
