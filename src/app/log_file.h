/// \file
/// \brief The step log of a program, in a file that the user names.
#pragma once

#include <fstream>
#include <optional>
#include <string>

#include "src/log/json_log.h"

namespace quire {

/// \brief A log that goes to a file, or nowhere.
class LogFile {
 public:
  /// \brief Opens the file.
  /// \param file  replaced if it is there; empty means no log
  /// \throws Error if it cannot be opened: before the work rather than after it
  explicit LogFile(std::string file);

  /// \brief The log, or null.
  StepLog* log() { return log_ ? &*log_ : nullptr; }
  /// \brief Ends the log. Called once and last.
  /// \throws Error if not all of it could be written
  void close();

 private:
  std::string file_;
  std::ofstream out_;
  std::optional<JsonLog> log_;
};

}  // namespace quire
