#include "src/log/block_viewer.h"

#include "src/core/json.h"
#include "src/log/replay.h"
#include "src/log/viewer_page.h"

namespace quire {
namespace {

Json numbers(const std::vector<BlockId>& blocks) {
  Json list = Json::array();
  for (const BlockId block : blocks) list.push_back(to_int(block));
  return list;
}

// An event as the page reads it: its kind, its sequence, and what the kind has besides.
Json compact(const LogEvent& event) {
  Json list{name_of(event.kind), to_int(event.sequence)};
  const auto add = [&list](auto... values) { (list.push_back(values), ...); };
  switch (event.kind) {
    case LogKind::arrive:
      add(event.prompt, event.max_tokens);
      break;
    case LogKind::fork:
      add(to_int(event.parent), numbers(event.blocks));
      break;
    case LogKind::share:
    case LogKind::allocate:
    case LogKind::free:
      add(numbers(event.blocks));
      break;
    case LogKind::copy:
      add(to_int(event.from), to_int(event.to));
      break;
    case LogKind::write:
      add(event.position, event.rows);
      break;
    case LogKind::sample:
      add(to_int(event.token));
      if (!event.text.empty()) add(event.text);
      break;
    case LogKind::finish:
      add(name_of(event.reason));
      break;
    case LogKind::admit:
    case LogKind::resume:
    case LogKind::preempt:
    case LogKind::run:
      break;
  }
  return list;
}

// The steps; "before" is what led to the run, "after" what followed from it.
Json steps_of(const RecordedLog& log) {
  Json steps = Json::array();
  for (const LogEvent& event : log.events) {
    if (static_cast<int>(steps.size()) <= event.step) {
      steps.push_back({{"seconds", nullptr}, {"before", Json::array()}, {"after", Json::array()}});
    }
    if (event.kind == LogKind::run) {
      steps.back()["seconds"] = event.seconds - event.began;
    } else {
      steps.back()[event.phase == LogPhase::sample ? "after" : "before"].push_back(compact(event));
    }
  }
  return steps;
}

// JSON that may stand in a script element: nothing in it can end the element.
std::string embedded(const Json& json) {
  std::string text;
  for (const char c : json.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      text += "\\u003c";
    } else {
      text += c;
    }
  }
  return text;
}

}  // namespace

std::string block_viewer(const RecordedLog& log, std::string_view where, const std::string& title) {
  replay(log, where);
  const Json data{{"title", title},
                  {"engine", log.header.engine},
                  {"blocks", log.header.blocks},
                  {"block_size", log.header.block_size},
                  {"budget", log.header.budget},
                  {"max_sequences", log.header.max_sequences},
                  {"feeds_idle", log.header.feeds_idle},
                  {"complete", log.complete},
                  {"steps", steps_of(log)}};
  const std::string_view page = viewer_page(), mark = "@LOG@";
  const std::size_t at = page.find(mark);
  return std::string(page.substr(0, at)) + embedded(data) +
         std::string(page.substr(at + mark.size()));
}

}  // namespace quire
