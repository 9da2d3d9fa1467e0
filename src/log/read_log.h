/// \file
/// \brief Reading step logs back. They are files from outside, so every line is checked.
#pragma once

#include <filesystem>
#include <string_view>

#include "src/log/log_event.h"

namespace quire {

/// \brief The most blocks that a log may speak of.
inline constexpr int kMaxLogBlocks = 1 << 24;

/// \brief The most sequences that may run at the same time in a log.
inline constexpr int kMaxLogSequences = 1 << 20;

/// \brief Parses a log.
///
/// Checks each line by itself and against the one before: step numbers go up one at a time, phases
/// and seconds never go back within them, blocks exist. Whether the events make sense together is for
/// Replay to say. A log without its last line is not complete, but right: the engine was stopped.
/// \param text   the whole log; lines end with LF
/// \param where  what to call it in messages, usually the file's name
/// \throws Error that names the line, what is there and what would be right
RecordedLog parse_log(std::string_view text, std::string_view where);

/// \brief Reads and parses a log; at most kMaxJsonBytes.
/// \param file  a file that JsonLog wrote
/// \throws Error as read_file and parse_log
RecordedLog read_log(const std::filesystem::path& file);

}  // namespace quire
