#include "chapters/08_static_batching/trace.h"

#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <optional>
#include <string>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

// Beyond this, a sum of seconds in a double no longer knows milliseconds.
constexpr double kMaxArrival = 1e12;

// What a column is called: in Quire's own traces, and in those of Azure.
struct ColumnNames {
  std::string_view ours, azure;
};
constexpr std::array<ColumnNames, 3> kColumns = {{{"arrival", "TIMESTAMP"},
                                                  {"prompt_tokens", "ContextTokens"},
                                                  {"output_tokens", "GeneratedTokens"}}};

std::vector<std::string_view> fields_of(std::string_view line) {
  std::vector<std::string_view> fields;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    fields.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return fields;
}

// The next line of a text, without its end; none after the last one.
std::optional<std::string_view> take_line(std::string_view& text) {
  if (text.empty()) return std::nullopt;
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
  return line;
}

// Takes digits off the front of a text: a number of a fixed width.
std::optional<int> take_digits(std::string_view& text, std::size_t width) {
  if (text.size() < width) return std::nullopt;
  int value = 0;
  const char* const end = text.data() + width;
  // from_chars would take a sign, and stops at what is no digit.
  if (text[0] == '-' || std::from_chars(text.data(), end, value).ptr != end) return std::nullopt;
  text.remove_prefix(width);
  return value;
}

bool take(std::string_view& text, std::string_view characters) {
  if (text.empty() || characters.find(text[0]) == std::string_view::npos) return false;
  text.remove_prefix(1);
  return true;
}

std::optional<double> plain_number(std::string_view text) {
  double value = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  if (result.ec != std::errc{} || result.ptr != text.data() + text.size()) return std::nullopt;
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

// Seconds since 1970 of YYYY-MM-DD hh:mm:ss, with or without a fraction of the seconds.
std::optional<double> date_and_time(std::string_view text) {
  std::array<int, 6> parts{};
  constexpr std::array<std::size_t, 6> kWidths = {4, 2, 2, 2, 2, 2};
  constexpr std::array<std::string_view, 6> kBefore = {"", "-", "-", " T", ":", ":"};
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (i > 0 && !take(text, kBefore[i])) return std::nullopt;
    const auto part = take_digits(text, kWidths[i]);
    if (!part) return std::nullopt;
    parts[i] = *part;
  }
  double fraction = 0;
  if (!text.empty()) {
    if (text[0] != '.' || text.find_first_not_of("0123456789", 1) != std::string_view::npos ||
        text.size() == 1) {
      return std::nullopt;
    }
    fraction = plain_number(text).value_or(0);
  }
  const auto [year, month, day, hour, minute, second] = parts;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok() || hour > 23 || minute > 59 || second > 60) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * 86400 + hour * 3600 + minute * 60 + second + fraction;
}

// Reads lines one by one, and knows which one it is at.
class TraceParser {
 public:
  TraceParser(std::string_view text, std::string_view where) : rest_(text), where_(where) {}

  std::vector<TraceRequest> parse() {
    read_header();
    std::vector<TraceRequest> trace;
    while (const auto line = take_line(rest_)) {
      ++line_;
      const auto fields = fields_of(*line);
      check(fields.size() == width_, "has {} fields, the first line names {}", fields.size(),
            width_);
      trace.push_back({.arrival = arrival(fields[columns_[0]]),
                       .prompt_tokens = tokens(fields[columns_[1]], kColumns[1].ours),
                       .output_tokens = tokens(fields[columns_[2]], kColumns[2].ours)});
    }
    require(!trace.empty(), "{} names its columns and has no request; at least one line more",
            where_);
    return trace;
  }

 private:
  template <class... Args>
  void check(bool holds, fmt::format_string<Args...> format, Args&&... args) const {
    if (holds) return;
    fail("{}: line {} {}", where_, line_, fmt::format(format, std::forward<Args>(args)...));
  }

  void read_header() {
    const auto line = take_line(rest_);
    require(line.has_value(), "{} is empty; its first line must name its columns", where_);
    line_ = 1;
    const auto names = fields_of(*line);
    width_ = names.size();
    for (std::size_t i = 0; i < kColumns.size(); ++i) columns_[i] = find(names, kColumns[i]);
  }

  std::size_t find(const std::vector<std::string_view>& names, const ColumnNames& wanted) const {
    std::optional<std::size_t> found;
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (names[i] != wanted.ours && names[i] != wanted.azure) continue;
      check(!found, "names the column {} twice", in_quotes(names[i]));
      found = i;
    }
    check(found.has_value(), "must name the columns, and names no {} (or {})", wanted.ours,
          wanted.azure);
    return *found;
  }

  double arrival(std::string_view field) {
    if (!dated_) dated_ = date_and_time(field).has_value();
    const auto seconds = *dated_ ? date_and_time(field) : plain_number(field);
    check(seconds.has_value(), "has the arrival {}, expected {}", in_quotes(field),
          *dated_ ? "a date and time such as 2023-11-16 18:15:46.68" : "a number of seconds");
    check(std::abs(*seconds) <= kMaxArrival, "has the arrival {}, expected at most {} seconds",
          in_quotes(field), kMaxArrival);
    if (!first_) first_ = *dated_ ? *seconds : 0;
    const double since = *seconds - *first_;
    check(!latest_ || since >= *latest_,
          "arrives before the line above it; requests must stand in order of arrival");
    latest_ = since;
    return since;
  }

  int tokens(std::string_view field, std::string_view column) const {
    int value = 0;
    const char* const end = field.data() + field.size();
    const auto result = std::from_chars(field.data(), end, value);
    check(result.ec == std::errc{} && result.ptr == end && value >= 1 && value <= kMaxTraceTokens,
          "has {} {}, expected a whole number from 1 to {}", column, in_quotes(field),
          kMaxTraceTokens);
    return value;
  }

  std::string_view rest_;
  std::string where_;
  int line_ = 0;
  std::size_t width_ = 0;
  std::array<std::size_t, 3> columns_{};
  std::optional<bool> dated_;  // what the first request has
  std::optional<double> first_, latest_;
};

}  // namespace

std::vector<TraceRequest> read_trace(const std::filesystem::path& file) {
  return parse_trace(read_file(file, kMaxTraceBytes), file.string());
}

std::vector<TraceRequest> parse_trace(std::string_view text, std::string_view where) {
  return TraceParser(text, where).parse();
}

std::vector<TraceRequest> first_that_fit(const std::vector<TraceRequest>& trace, int count,
                                         int context) {
  std::vector<TraceRequest> fitting;
  for (const TraceRequest& request : trace) {
    if (static_cast<int>(fitting.size()) == count) break;
    // Two numbers of at most 2^24 do not overflow.
    if (request.prompt_tokens + request.output_tokens <= context) fitting.push_back(request);
  }
  require(static_cast<int>(fitting.size()) == count,
          "{} requests of the trace fit a context of {}, {} were asked for", fitting.size(),
          context, count);
  return fitting;
}

}  // namespace quire
