#include "src/model/mapped_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <numeric>
#include <string>

#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

// Bytes of files that this process holds in memory.
std::size_t resident_file_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssFile:")) return std::stoul(line.substr(8)) * 1024;
  }
  return 0;
}

constexpr std::size_t kSize = std::size_t{32} << 20;

class LetGo : public testing::Test {
 protected:
  LetGo() : file_(folder_.write("numbers", std::string(kSize, 'q'))) {}

  std::size_t sum() const {
    return std::accumulate(file_.bytes().begin(), file_.bytes().end(), std::size_t{0},
                           [](std::size_t s, std::byte b) { return s + std::to_integer<int>(b); });
  }

  TemporaryFolder folder_;
  MappedFile file_;
};

TEST_F(LetGo, PagesOfAPartLeaveMemoryAndComeBackAsTheyWere) {
  const std::size_t expected = sum();
  const std::size_t read = resident_file_bytes();
  if (read < kSize) GTEST_SKIP() << "this system does not say what is resident";
  file_.let_go(file_.bytes().subspan(100, kSize - 200));
  EXPECT_LT(resident_file_bytes() + kSize - (std::size_t{1} << 20), read);
  EXPECT_EQ(sum(), expected);
}

TEST_F(LetGo, MemoryOfSomebodyElseKeepsItsNumbers) {
  const std::vector<std::byte> others(std::size_t{1} << 20, std::byte{7});
  file_.let_go(others);
  EXPECT_EQ(others, std::vector<std::byte>(others.size(), std::byte{7}));
}

}  // namespace
}  // namespace quire::test
