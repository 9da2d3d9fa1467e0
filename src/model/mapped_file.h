/// \file
/// \brief A file that is read as if it were memory.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace quire {

/// \brief A whole file, mapped read-only: its pages are read when they are touched, and the system
/// may drop them again. The file must not be cut while it is mapped.
class MappedFile {
 public:
  /// \brief Maps a file.
  /// \param file  a regular file; an empty one has no bytes
  /// \throws Error if it is missing, not a regular file, or cannot be mapped
  explicit MappedFile(const std::filesystem::path& file);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;             ///< A mapping has one owner.
  MappedFile& operator=(const MappedFile&) = delete;  ///< A mapping has one owner.

  /// \brief The file's bytes, from the beginning of a page on.
  std::span<const std::byte> bytes() const { return bytes_; }

  /// \brief Gives the memory of a part back to the system; reading it again reads the file again.
  /// \param part  any memory; what is not of this file is left alone
  void let_go(std::span<const std::byte> part) const;

 private:
  std::span<const std::byte> bytes_;
};

}  // namespace quire
