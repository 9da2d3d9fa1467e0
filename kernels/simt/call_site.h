/// \file
/// \brief Where in a source file a call stands, for messages.
#pragma once

#include <string>

namespace quire::simt {

/// \brief A call in a kernel or of a launcher: its name, file and line. As a default argument or a
/// default member it describes the line of the caller.
struct CallSite {
  const char* name;      ///< what is called: "__syncthreads"
  const char* file;      ///< in which file
  int line;              ///< in which line
  const char* function;  ///< in which function

  /// \brief Describes the place where it is written, or that of the call it is a default of.
  /// \param called        what is called there
  /// \param in_file       left to the compiler, as are the others
  /// \param in_line       the line
  /// \param in_function   the function
  constexpr CallSite(const char* called, const char* in_file = __builtin_FILE(),
                     int in_line = __builtin_LINE(), const char* in_function = __builtin_FUNCTION())
      : name(called), file(in_file), line(in_line), function(in_function) {}
};

/// \brief The file without its folders, and the line: "v0_rows.cu:23".
/// \param site  the place
inline std::string place(const CallSite& site) {
  const std::string file = site.file;
  return file.substr(file.rfind('/') + 1) + ":" + std::to_string(site.line);
}

}  // namespace quire::simt
