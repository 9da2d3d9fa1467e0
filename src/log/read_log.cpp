#include "src/log/read_log.h"

#include <algorithm>
#include <limits>

#include "src/core/error.h"
#include "src/core/json.h"
#include "src/log/json_log.h"

namespace quire {
namespace {

constexpr int kMost = std::numeric_limits<int>::max();
constexpr int kMostTokens = 1 << 30;
constexpr double kMostSeconds = 1e9;

int count(const JsonObject& line, std::string_view key, int lowest, int highest = kMost) {
  return static_cast<int>(line.integer(key, lowest, highest));
}

// The value of an enumeration whose name a key has.
template <class Enum>
Enum named(const JsonObject& line, std::string_view key, int values) {
  const std::string& word = line.text(key);
  std::string names;
  for (int i = 0; i < values; ++i) {
    const std::string_view name = name_of(static_cast<Enum>(i));
    if (word == name) return static_cast<Enum>(i);
    names += (i > 0 ? ", " : "") + std::string(name);
  }
  fail("{} must be one of {}; not {}", line.name_of(key), names, in_quotes(word));
}

LogHeader header_of(const JsonObject& line) {
  require(line.text("event") == "begin",
          "{}: the first event must be \"begin\", not {}: this is no step log", line.where(),
          in_quotes(line.text("event")));
  count(line, "version", kLogVersion, kLogVersion);
  LogHeader header{.engine = line.text("engine"),
                   .blocks = count(line, "blocks", 1, kMaxLogBlocks),
                   .block_size = count(line, "block_size", 1),
                   .budget = count(line, "budget", 1),
                   .max_sequences = count(line, "max_sequences", 1, kMaxLogSequences),
                   .bytes_per_row = line.integer("bytes_per_row", 0, std::int64_t{1} << 40),
                   .feeds_idle = line.boolean_or("feeds_idle", false)};
  require(std::int64_t{header.blocks} * header.block_size <= kMost,
          "{}: {} blocks of {} rows are more than {} rows", line.where(), header.blocks,
          header.block_size, kMost);
  return header;
}

// The events of one log, line after line.
class Lines {
 public:
  Lines(std::string_view text, std::string_view where) : rest_(text), where_(where) {}

  RecordedLog read() {
    require(!rest_.empty(), "{} is empty; a step log begins with {{\"event\":\"begin\", ...}}",
            where_);
    {
      const Json json = next();
      log_.header = header_of(JsonObject(json, place()));
    }
    while (!rest_.empty()) {
      const Json json = next();
      take(JsonObject(json, place()));
    }
    return std::move(log_);
  }

 private:
  std::string place() const { return fmt::format("{}: line {}", where_, line_); }

  Json next() {
    ++line_;
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    return parse_json(line, place());
  }

  void take(const JsonObject& line) {
    require(!log_.complete, "{}: nothing may follow the event \"end\"", place());
    if (line.text("event") == "end") {
      count(line, "steps", log_.steps(), log_.steps());
      log_.complete = true;
      return;
    }
    log_.events.push_back(event_of(line));
  }

  LogEvent event_of(const JsonObject& line) const {
    LogEvent event;
    read_place(line, event);
    event.kind = named<LogKind>(line, "event", 13);
    if (event.kind != LogKind::run) event.sequence = SequenceId{count(line, "sequence", 0)};
    read_details(line, event);
    return event;
  }

  // Steps go up one by one, so that what is counted for each step is bounded by the lines.
  void read_place(const JsonObject& line, LogEvent& event) const {
    const LogEvent* last = log_.events.empty() ? nullptr : &log_.events.back();
    const int step = last ? last->step : 0;
    event.step = count(line, "step", step, last && step < kMost ? step + 1 : step);
    event.seconds = line.number("seconds", last ? last->seconds : 0, kMostSeconds);
    event.phase = named<LogPhase>(line, "phase", 3);
    if (!last || last->step != event.step) return;
    require(event.phase >= last->phase, "{}: phase \"{}\" comes before \"{}\", not after it",
            line.where(), name_of(event.phase), name_of(last->phase));
  }

  void read_details(const JsonObject& line, LogEvent& event) const {
    switch (event.kind) {
      case LogKind::arrive:
        event.prompt = count(line, "prompt", 0, kMostTokens);
        event.max_tokens = count(line, "max_tokens", 0, kMostTokens);
        break;
      case LogKind::admit:
      case LogKind::resume:
        event.stored = count(line, "stored", 0);
        break;
      case LogKind::preempt:
        break;
      case LogKind::fork:
        event.parent = SequenceId{count(line, "parent", 0)};
        [[fallthrough]];
      case LogKind::share:
      case LogKind::allocate:
      case LogKind::free:
        event.blocks = blocks_of(line);
        break;
      case LogKind::copy:
        event.from = block(line.at("from"), line.name_of("from"));
        event.to = block(line.at("to"), line.name_of("to"));
        break;
      case LogKind::write:
        read_rows(line, event);
        break;
      case LogKind::run:
        read_run(line, event);
        break;
      case LogKind::sample:
        read_token(line, event);
        break;
      case LogKind::finish:
        event.reason = named<LogReason>(line, "reason", 4);
        break;
    }
  }

  void read_rows(const JsonObject& line, LogEvent& event) const {
    const int rows = log_.header.blocks * log_.header.block_size;
    event.position = count(line, "position", 0, rows - 1);
    event.rows = count(line, "rows", 1, rows - event.position);
  }

  void read_run(const JsonObject& line, LogEvent& event) const {
    event.rows = count(line, "rows", 1);
    event.sequences = count(line, "sequences", 1, event.rows);
    event.began = line.number("began", 0, event.seconds);
  }

  void read_token(const JsonObject& line, LogEvent& event) const {
    event.token = TokenId{count(line, "token", 0)};
    if (line.find("text") != nullptr) event.text = line.text("text");
  }

  BlockId block(const Json& value, const std::string& where) const {
    return BlockId{static_cast<int>(to_integer(value, where, 0, log_.header.blocks - 1))};
  }

  std::vector<BlockId> blocks_of(const JsonObject& line) const {
    std::vector<BlockId> blocks;
    for (const Json& value : line.array("blocks")) {
      blocks.push_back(block(value, line.name_of("blocks")));
    }
    return blocks;
  }

  std::string_view rest_, where_;
  std::size_t line_ = 0;
  RecordedLog log_;
};

}  // namespace

RecordedLog parse_log(std::string_view text, std::string_view where) {
  return Lines(text, where).read();
}

RecordedLog read_log(const std::filesystem::path& file) {
  return parse_log(read_file(file), file.string());
}

}  // namespace quire
