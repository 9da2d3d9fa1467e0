#include "src/log/chrome_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "src/core/json.h"
#include "src/log/replay.h"

namespace quire {
namespace {

constexpr int kEngine = 1, kRequests = 2;
constexpr int kSteps = 0;  // the lane of the steps; places in the batch follow

double microseconds(double seconds) {
  return seconds * 1e6;
}

// Gives each running sequence a place in the batch, the first that is empty, while it runs.
class Places {
 public:
  void enter(SequenceId sequence) {
    const auto empty = std::find(places_.begin(), places_.end(), std::nullopt);
    if (empty == places_.end()) {
      places_.emplace_back(sequence);
    } else {
      *empty = sequence;
    }
  }
  void leave(SequenceId sequence) {
    std::replace(places_.begin(), places_.end(), std::optional(sequence),
                 std::optional<SequenceId>());
  }
  int of(SequenceId sequence) const {
    const auto found = std::find(places_.begin(), places_.end(), std::optional(sequence));
    return static_cast<int>(found - places_.begin());
  }
  int count() const { return static_cast<int>(places_.size()); }

 private:
  std::vector<std::optional<SequenceId>> places_;
};

class Trace {
 public:
  explicit Trace(const LogHeader& header) : feeds_idle_(header.feeds_idle) {
    name(kEngine, "process_name", fmt::format("engine {}", header.engine), kSteps);
    name(kRequests, "process_name", "requests", kSteps);
    name(kEngine, "thread_name", "steps", kSteps);
  }

  void see(const Replay& state, const LogEvent& event) {
    switch (event.kind) {
      case LogKind::arrive:
        span("b", event);
        break;
      case LogKind::fork:
        span("b", event);
        enter(event);
        break;
      case LogKind::admit:
      case LogKind::resume:
        enter(event);
        break;
      case LogKind::preempt:
        leave(event);
        break;
      case LogKind::write:
        writes_.push_back(event);
        break;
      case LogKind::run:
        run(state, event);
        break;
      case LogKind::sample:
        instant(event, Json{{"token", to_int(event.token)}});
        break;
      case LogKind::finish:
        finish(event);
        break;
      case LogKind::free:
        give_back(state, event);
        break;
      case LogKind::share:
      case LogKind::allocate:
      case LogKind::copy:
        break;
    }
    remember(state, event);
  }

  std::string str() {
    for (int place = 0; place < places_.count(); ++place) {
      name(kEngine, "thread_name", fmt::format("place {}", place), place + 1);
    }
    const Json trace{{"displayTimeUnit", "ms"}, {"traceEvents", std::move(events_)}};
    return trace.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
  }

 private:
  void name(int process, const char* what, const std::string& value, int lane) {
    events_.push_back({{"ph", "M"},
                       {"pid", process},
                       {"tid", lane},
                       {"name", what},
                       {"args", {{"name", value}}}});
  }

  static std::string request_name(SequenceId sequence) {
    return fmt::format("request {}", to_int(sequence));
  }

  void span(const char* phase, const LogEvent& event) {
    events_.push_back({{"ph", phase},
                       {"pid", kRequests},
                       {"tid", 0},
                       {"cat", "request"},
                       {"id", to_int(event.sequence)},
                       {"name", request_name(event.sequence)},
                       {"ts", microseconds(event.seconds)}});
  }

  // A moment in the span of a request.
  void instant(const LogEvent& event, Json arguments = Json::object()) {
    span("n", event);
    events_.back()["args"] = std::move(arguments);
    events_.back()["args"]["what"] = name_of(event.kind);
  }

  void enter(const LogEvent& event) {
    places_.enter(event.sequence);
    instant(event);
  }

  void leave(const LogEvent& event) {
    places_.leave(event.sequence);
    instant(event);
  }

  // Who is fed on keeps its place until it holds nothing.
  void finish(const LogEvent& event) {
    if (!feeds_idle_) places_.leave(event.sequence);
    span("e", event);
    events_.back()["args"] = {{"reason", name_of(event.reason)}};
  }

  void give_back(const Replay& state, const LogEvent& event) {
    const ReplayedSequence& sequence = state.sequences().at(event.sequence);
    const bool gone = sequence.status == LogStatus::finished && sequence.table.empty();
    if (gone) places_.leave(event.sequence);
  }

  void slice(int lane, std::string name, const LogEvent& run, Json arguments) {
    events_.push_back({{"ph", "X"},
                       {"pid", kEngine},
                       {"tid", lane},
                       {"cat", "step"},
                       {"name", std::move(name)},
                       {"ts", microseconds(run.began)},
                       {"dur", microseconds(run.seconds - run.began)},
                       {"args", std::move(arguments)}});
  }

  void counter(const LogEvent& run, const char* name, Json values) {
    events_.push_back({{"ph", "C"},
                       {"pid", kEngine},
                       {"tid", kSteps},
                       {"name", name},
                       {"ts", microseconds(run.began)},
                       {"args", std::move(values)}});
  }

  // Rows that had been stored before are computed again; a single row beyond the prompt decodes.
  std::string work_of(const Replay& state, const LogEvent& write) const {
    const ReplayedSequence& sequence = state.sequences().at(write.sequence);
    if (sequence.status == LogStatus::finished) return "idle";
    const auto stored = most_stored_.find(write.sequence);
    const int end = write.position + write.rows;
    if (stored != most_stored_.end() && write.position < stored->second) return "recompute";
    return end <= sequence.prompt ? "prefill" : "decode";
  }

  void run(const Replay& state, const LogEvent& run) {
    slice(kSteps, fmt::format("step {}", run.step), run,
          {{"step", run.step}, {"rows", run.rows}, {"sequences", run.sequences}});
    for (const LogEvent& write : writes_) {
      slice(places_.of(write.sequence) + 1,
            fmt::format("{} {}", to_int(write.sequence), work_of(state, write)), run,
            {{"step", run.step}, {"position", write.position}, {"rows", write.rows}});
      int& most = most_stored_[write.sequence];
      most = std::max(most, write.position + write.rows);
    }
    writes_.clear();
    counter(run, "blocks in use", {{"blocks", state.header().blocks - state.free_blocks()}});
    counter(run, "sequences", {{"running", state.running()}, {"waiting", state.waiting()}});
    counter(run, "rows", {{"rows", run.rows}});
  }

  // What others have stored for it is not computed again.
  void remember(const Replay& state, const LogEvent& event) {
    if (event.kind != LogKind::fork && event.kind != LogKind::share) return;
    int& most = most_stored_[event.sequence];
    most = std::max(most, state.sequences().at(event.sequence).stored);
  }

  bool feeds_idle_;
  Json events_ = Json::array();
  Places places_;
  std::vector<LogEvent> writes_;
  std::map<SequenceId, int> most_stored_;
};

}  // namespace

std::string chrome_trace(const RecordedLog& log, std::string_view where) {
  Trace trace(log.header);
  replay(log, where, [&](const Replay& state, const LogEvent& event) { trace.see(state, event); });
  return trace.str();
}

}  // namespace quire
