/// \file
/// \brief A line that shows how far a long computation has come.
#pragma once

#include <chrono>
#include <string>

#include "src/core/tensor.h"

namespace quire {

/// \brief A progress bar on standard error; nothing at all unless that is a terminal.
///
/// The line is wiped at the end of the object's life, so that only results remain on the screen.
class Progress {
 public:
  /// \brief Begins at nothing done.
  /// \param what   what is being done, a few words
  /// \param total  how much there is to do, at least 1
  Progress(std::string what, Index total);
  ~Progress();
  Progress(const Progress&) = delete;             ///< One line, one owner.
  Progress& operator=(const Progress&) = delete;  ///< One line, one owner.

  /// \brief More has been done. Redraws at most ten times a second.
  /// \param amount  how much more
  void advance(Index amount = 1);

 private:
  std::string what_;
  Index total_;
  Index done_ = 0;
  bool visible_;
  std::chrono::steady_clock::time_point drawn_{};
};

/// \brief The text of a progress line: `loading [#####.....] 50 %`.
/// \param what   what is being done
/// \param done   how much has been done
/// \param total  how much there is, at least 1
std::string progress_line(const std::string& what, Index done, Index total);

}  // namespace quire
