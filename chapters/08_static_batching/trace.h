/// \file
/// \brief Chapter 08: traces, which say when requests came and how long they were.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string_view>
#include <vector>

namespace quire {

/// \brief One request of a trace. What it said is not known, only how long it was.
struct TraceRequest {
  double arrival = 0;     ///< seconds; never less than that of the request before
  int prompt_tokens = 0;  ///< at least 1
  int output_tokens = 0;  ///< at least 1
};

/// \brief The most bytes of a trace: some two million requests.
inline constexpr std::size_t kMaxTraceBytes = std::size_t{64} << 20;
/// \brief The most tokens of a prompt or of an output in a trace.
inline constexpr int kMaxTraceTokens = 1 << 24;

/// \brief Reads a trace: CSV without quotes, whose first line names the columns.
///
/// Three columns are looked for, in any place: `arrival` or `TIMESTAMP`, `prompt_tokens` or
/// `ContextTokens`, `output_tokens` or `GeneratedTokens`; others are skipped. The second names are
/// those of the Azure traces (Patel et al., "Splitwise", ISCA 2024). An arrival is a number of
/// seconds, or a date and time such as `2023-11-16 18:15:46.68`, which becomes seconds since the
/// first.
/// \param file  of at most kMaxTraceBytes
/// \return at least one request, in order of arrival
/// \throws Error that names the file, the line, what is there and what would be right
std::vector<TraceRequest> read_trace(const std::filesystem::path& file);

/// \brief The same from text. O(bytes).
/// \param text   a whole trace
/// \param where  what to call it in messages
/// \return at least one request, in order of arrival
/// \throws Error that names the line, what is there and what would be right
std::vector<TraceRequest> parse_trace(std::string_view text, std::string_view where);

/// \brief The first requests of a trace whose prompt and output fit a context together.
/// \param trace    any requests
/// \param count    how many are wanted, at least 1
/// \param context  the most tokens of a prompt and its output
/// \return `count` requests, in order
/// \throws Error if fewer of them fit
std::vector<TraceRequest> first_that_fit(const std::vector<TraceRequest>& trace, int count,
                                         int context);

}  // namespace quire
