/// \file
/// \brief Where results go: standard output, as text that appears as it comes or as one JSON object,
/// and files that the user names.
#pragma once

#include <exception>
#include <filesystem>
#include <string_view>

#include "src/core/json.h"

namespace quire {

/// \brief Whoever read standard output has gone. Ends a program quietly; see run.
class OutputClosed : public std::exception {
 public:
  /// \brief Says so.
  const char* what() const noexcept override { return "standard output is closed"; }
};

/// \brief Writes to standard output and flushes, so that a reader sees text as it is generated.
/// \param text  any bytes
/// \throws OutputClosed if nobody reads any more
/// \throws Error if it cannot be written, with the reason
void write_out(std::string_view text);

/// \brief Writes an object to standard output, on a line of its own.
///
/// The result is always valid UTF-8: what is not becomes U+FFFD. NaN and infinity become null.
/// \param object  what a program reports with `--json`
/// \throws OutputClosed and Error as write_out
void write_json(const Json& object);

/// \brief Writes a whole file.
/// \param file     replaced if it is there
/// \param content  any bytes
/// \param option   where the user named it, for the message: "--figure"
/// \throws Error if it cannot be written
void write_file(const std::filesystem::path& file, std::string_view content,
                std::string_view option);

/// \brief Flushes whatever was written to standard output, by `printf`, fmt or `std::cout` too.
/// \throws OutputClosed and Error as write_out, if any of it could not be written
void flush_out();

}  // namespace quire
