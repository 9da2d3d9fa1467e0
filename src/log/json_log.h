/// \file
/// \brief A step log as JSON lines: one object for each event, in order.
#pragma once

#include <ostream>
#include <string>
#include <utility>

#include "src/log/step_log.h"

namespace quire {

/// \brief The version of the format, in the first line of a log.
inline constexpr int kLogVersion = 1;

/// \brief Writes each event to a stream as it happens. docs/concepts/step_log.md has the format.
class JsonLog final : public StepLog {
 public:
  /// \brief A log that goes to a stream.
  /// \param out    where to; must outlive the log. Errors are the stream's: look at it at the end
  /// \param clock  where the time comes from, as StepLog takes it
  explicit JsonLog(std::ostream& out, Clock clock = {}) : StepLog(std::move(clock)), out_(out) {}

 private:
  void take_header(const LogHeader& header) override;
  void take_event(const LogEvent& event) override;
  void take_end(int steps) override;

  std::ostream& out_;
};

/// \brief The first line of a log, without its end.
/// \param header  what the engine is given
std::string to_line(const LogHeader& header);

/// \brief An event as a line of a log, without its end. Text that is not UTF-8 becomes U+FFFD.
/// \param event  what happened
std::string to_line(const LogEvent& event);

}  // namespace quire
