/// \file
/// \brief A step log as a page in which one can walk through the steps and look at the blocks.
#pragma once

#include <string>
#include <string_view>

#include "src/log/log_event.h"

namespace quire {

/// \brief One HTML file, complete in itself: it needs no server, no network and no other file.
///
/// The page plays the log as Replay does and shows, for each step's run, the tables of the requests,
/// the physical blocks, who was in the batch, and what happened in words. docs/viewer has its parts.
/// \param log    what was read
/// \param where  what to call it in messages, usually the file's name
/// \param title  the page's heading
/// \throws Error as replay: what contradicts itself is not shown
std::string block_viewer(const RecordedLog& log, std::string_view where, const std::string& title);

}  // namespace quire
