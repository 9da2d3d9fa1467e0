#include "src/log/json_log.h"

#include <fmt/format.h>

#include "src/core/json.h"

namespace quire {
namespace {

std::string in_json(std::string_view text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string list(const std::vector<BlockId>& blocks) {
  std::string text;
  for (const BlockId block : blocks) {
    fmt::format_to(std::back_inserter(text), "{}{}", text.empty() ? "" : ",", to_int(block));
  }
  return "[" + text + "]";
}

std::string text_of(const LogEvent& event) {
  return event.text.empty() ? "" : fmt::format(R"(,"text":{})", in_json(event.text));
}

// What only this kind of event has.
std::string details(const LogEvent& event) {
  switch (event.kind) {
    case LogKind::arrive:
      return fmt::format(R"(,"prompt":{},"max_tokens":{})", event.prompt, event.max_tokens);
    case LogKind::admit:
    case LogKind::resume:
      return fmt::format(R"(,"stored":{})", event.stored);
    case LogKind::preempt:
      return {};
    case LogKind::fork:
      return fmt::format(R"(,"parent":{},"blocks":{})", to_int(event.parent), list(event.blocks));
    case LogKind::share:
    case LogKind::allocate:
    case LogKind::free:
      return fmt::format(R"(,"blocks":{})", list(event.blocks));
    case LogKind::copy:
      return fmt::format(R"(,"from":{},"to":{})", to_int(event.from), to_int(event.to));
    case LogKind::write:
      return fmt::format(R"(,"position":{},"rows":{})", event.position, event.rows);
    case LogKind::run:
      return fmt::format(R"(,"rows":{},"sequences":{},"began":{:.6f})", event.rows, event.sequences,
                         event.began);
    case LogKind::sample:
      return fmt::format(R"(,"token":{}{})", to_int(event.token), text_of(event));
    case LogKind::finish:
      return fmt::format(R"(,"reason":"{}")", name_of(event.reason));
  }
  return {};
}

}  // namespace

std::string to_line(const LogHeader& header) {
  return fmt::format(
      R"({{"event":"begin","version":{},"engine":{},"blocks":{},"block_size":{},"budget":{},)"
      R"("max_sequences":{},"bytes_per_row":{},"feeds_idle":{}}})",
      kLogVersion, in_json(header.engine), header.blocks, header.block_size, header.budget,
      header.max_sequences, header.bytes_per_row, header.feeds_idle);
}

std::string to_line(const LogEvent& event) {
  const std::string whose = event.kind == LogKind::run
                                ? std::string()
                                : fmt::format(R"(,"sequence":{})", to_int(event.sequence));
  return fmt::format(R"({{"step":{},"seconds":{:.6f},"phase":"{}","event":"{}"{}{}}})", event.step,
                     event.seconds, name_of(event.phase), name_of(event.kind), whose,
                     details(event));
}

void JsonLog::take_header(const LogHeader& header) {
  out_ << to_line(header) << '\n';
}

void JsonLog::take_event(const LogEvent& event) {
  out_ << to_line(event) << '\n';
}

// Flushed, so that whoever looks at the stream sees whether all of it could be written.
void JsonLog::take_end(int steps) {
  out_ << fmt::format("{{\"event\":\"end\",\"steps\":{}}}\n", steps) << std::flush;
}

}  // namespace quire
