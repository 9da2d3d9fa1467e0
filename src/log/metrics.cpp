#include "src/log/metrics.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <unordered_map>

namespace quire {
namespace {

// How many rows each sequence holds and has not filled, and the most of these.
class LostRows {
 public:
  // After an event of this sequence.
  void see(const Replay& state, SequenceId id) {
    const auto found = state.sequences().find(id);
    if (found == state.sequences().end()) return;
    const ReplayedSequence& sequence = found->second;
    const std::int64_t held = std::ssize(sequence.table) * state.header().block_size;
    const auto [old, is_new] = lost_.try_emplace(id, 0);
    if (!is_new) all_.erase(all_.find(old->second));
    old->second = std::max<std::int64_t>(0, held - sequence.stored);
    all_.insert(old->second);
  }

  int most() const { return all_.empty() ? 0 : static_cast<int>(*all_.rbegin()); }

 private:
  std::unordered_map<SequenceId, std::int64_t> lost_;
  std::multiset<std::int64_t> all_;
};

// Sees every event with the state after it.
class Counting {
 public:
  explicit Counting(LogMetrics& metrics) : metrics_(metrics) {}

  void see(const Replay& state, const LogEvent& event) {
    lost_.see(state, event.sequence);
    switch (event.kind) {
      case LogKind::arrive:
        requests_[event.sequence] = arrival(event);
        break;
      case LogKind::fork:
        begin_like(state, event);
        break;
      case LogKind::admit:
        requests_[event.sequence].admitted = event.seconds;
        break;
      case LogKind::preempt:
        ++requests_[event.sequence].preemptions;
        ++metrics_.preemptions;
        break;
      case LogKind::copy:
        ++metrics_.copies;
        break;
      case LogKind::write:
        count_rows(state, event);
        break;
      case LogKind::run:
        metrics_.runs.push_back(run_of(state, event));
        break;
      case LogKind::sample:
        count_token(event);
        break;
      case LogKind::finish:
        end(event);
        break;
      case LogKind::share:
        note_stored(state, event.sequence);
        break;
      case LogKind::resume:
      case LogKind::allocate:
      case LogKind::free:
        break;
    }
  }

  std::vector<RequestMetrics> requests() const {
    std::vector<RequestMetrics> list;
    for (const auto& [sequence, request] : requests_) list.push_back(request);
    return list;
  }

 private:
  static RequestMetrics arrival(const LogEvent& event) {
    return {.sequence = event.sequence,
            .prompt = event.prompt,
            .arrived = event.seconds,
            .admitted = {},
            .first_token = {},
            .last_token = {},
            .finished = {}};
  }

  void begin_like(const Replay& state, const LogEvent& event) {
    const RequestMetrics& parent = requests_.at(event.parent);
    RequestMetrics child = arrival(event);
    child.prompt = parent.prompt;
    child.arrived = parent.arrived;
    child.admitted = event.seconds;
    requests_[event.sequence] = child;
    note_stored(state, event.sequence);
  }

  // Rows that others have stored for it.
  void note_stored(const Replay& state, SequenceId sequence) {
    int& before = stored_once_[sequence];
    before = std::max(before, state.sequences().at(sequence).stored);
  }

  void count_rows(const Replay& state, const LogEvent& event) {
    metrics_.rows += event.rows;
    if (state.sequences().at(event.sequence).status == LogStatus::finished) {
      metrics_.idle += event.rows;
      return;
    }
    int& before = stored_once_[event.sequence];
    const int end = event.position + event.rows;
    metrics_.recomputed += std::max(0, std::min(before, end) - event.position);
    before = std::max(before, end);
  }

  StepMetrics run_of(const Replay& state, const LogEvent& event) const {
    const int held = state.header().blocks - state.free_blocks();
    return {.step = event.step,
            .began = event.began,
            .seconds = event.seconds - event.began,
            .rows = event.rows,
            .sequences = event.sequences,
            .running = state.running(),
            .waiting = state.waiting(),
            .blocks = held,
            .rows_held = std::int64_t{held} * state.header().block_size,
            .rows_filled = state.filled_rows(),
            .most_lost = lost_.most()};
  }

  void count_token(const LogEvent& event) {
    RequestMetrics& request = requests_.at(event.sequence);
    if (request.last_token) metrics_.gaps.push_back(event.seconds - *request.last_token);
    if (!request.first_token) request.first_token = event.seconds;
    request.last_token = event.seconds;
    ++request.tokens;
    ++metrics_.tokens;
  }

  void end(const LogEvent& event) {
    requests_.at(event.sequence).finished = event.seconds;
    requests_.at(event.sequence).reason = event.reason;
  }

  LogMetrics& metrics_;
  LostRows lost_;
  std::map<SequenceId, RequestMetrics> requests_;
  std::unordered_map<SequenceId, int> stored_once_;
};

// The spread of what some requests took from their arrival to a moment that not all of them reached.
template <class Moment>
Spread since_arrival(const std::vector<RequestMetrics>& requests, Moment moment) {
  std::vector<double> times;
  for (const RequestMetrics& request : requests) {
    const std::optional<double> when = moment(request);
    if (when) times.push_back(*when - request.arrived);
  }
  return spread_of(std::move(times));
}

}  // namespace

double StepMetrics::waste() const {
  if (rows_held == 0) return 0;
  return 1 - static_cast<double>(rows_filled) / static_cast<double>(rows_held);
}

Spread LogMetrics::time_to_first_token() const {
  return since_arrival(requests, [](const RequestMetrics& r) { return r.first_token; });
}

Spread LogMetrics::inter_token_latency() const {
  return spread_of(gaps);
}

Spread LogMetrics::time_in_queue() const {
  return since_arrival(requests, [](const RequestMetrics& r) { return r.admitted; });
}

Spread LogMetrics::request_latency() const {
  return since_arrival(requests, [](const RequestMetrics& r) {
    const bool served = r.reason == LogReason::stop || r.reason == LogReason::length;
    return served ? r.finished : std::nullopt;
  });
}

double LogMetrics::throughput() const {
  return seconds > 0 ? static_cast<double>(tokens) / seconds : 0;
}

double LogMetrics::mean_waste() const {
  double sum = 0;
  for (const StepMetrics& run : runs) sum += run.waste();
  return runs.empty() ? 0 : sum / static_cast<double>(runs.size());
}

Spread spread_of(std::vector<double> numbers) {
  if (numbers.empty()) return {};
  std::sort(numbers.begin(), numbers.end());
  const auto count = static_cast<double>(numbers.size());
  const auto rank = [&](int percent) {
    return numbers[static_cast<std::size_t>(std::ceil(percent * count / 100)) - 1];
  };
  return {.count = numbers.size(),
          .mean = std::accumulate(numbers.begin(), numbers.end(), 0.0) / count,
          .p50 = rank(50),
          .p90 = rank(90),
          .p99 = rank(99),
          .most = numbers.back()};
}

LogMetrics measure(const RecordedLog& log, std::string_view where) {
  LogMetrics metrics{.header = log.header,
                     .complete = log.complete,
                     .steps = log.steps(),
                     .seconds = log.events.empty() ? 0 : log.events.back().seconds,
                     .runs = {},
                     .requests = {},
                     .gaps = {}};
  Counting counting(metrics);
  replay(log, where,
         [&](const Replay& state, const LogEvent& event) { counting.see(state, event); });
  metrics.requests = counting.requests();
  return metrics;
}

}  // namespace quire
