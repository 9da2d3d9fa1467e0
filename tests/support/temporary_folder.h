/// \file
/// \brief A folder for the files of one test.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace quire::test {

/// \brief A folder that is empty at first and goes with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (std::filesystem::path(testing::TempDir()) / "quire_XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) ADD_FAILURE() << "cannot make " << name;
    path_ = name;
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;             ///< One owner.
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;  ///< One owner.

  /// \brief Where it is.
  const std::filesystem::path& path() const { return path_; }
  /// \brief Writes a file into it, over an older one.
  /// \param name   of the file
  /// \param bytes  what it holds
  /// \return where it is
  std::filesystem::path write(const std::string& name, std::string_view bytes) const {
    std::ofstream(path_ / name, std::ios::binary) << bytes;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

}  // namespace quire::test
