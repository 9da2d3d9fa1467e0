#include "tests/house/house.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

namespace fs = std::filesystem;

TEST(House, KeepsItsRules) {
  for (const std::string& breach : breaches(QUIRE_SOURCE_DIR)) ADD_FAILURE() << breach;
}

// A house with a header in every room, and one file that may break a rule.
class SmallHouse : public testing::Test {
 protected:
  SmallHouse() {
    for (const char* room : {"src/core", "src/ops", "src/kv", "src/model", "src/text", "src/report",
                             "src/app", "kernels", "kernels/simt", "kernels/common",
                             "kernels/linear", "kernels/embed", "kernels/ops", "chapters/00_tour",
                             "chapters/02_decoder", "chapters/04_kv_cache", "tests/ops"}) {
      write(fmt::format("{}/a.h", room), "#pragma once\n");
    }
  }
  void write(const fs::path& file, const std::string& text) {
    fs::create_directories((root_ / file).parent_path());
    std::ofstream(root_ / file) << text;
  }

  // The breaches if a file of a room includes another.
  std::size_t breaches_of(const std::string& room, const std::string& included) {
    const fs::path file = fs::path(room) / "b.cpp";
    write(file, fmt::format("#include \"{}\"\n", included));
    const std::size_t count = breaches(root_).size();
    fs::remove(root_ / file);
    return count;
  }

  TemporaryFolder folder_;
  fs::path root_ = folder_.path();
};

TEST_F(SmallHouse, IsInOrderAtFirst) {
  EXPECT_TRUE(breaches(root_).empty());
}

TEST_F(SmallHouse, IncludesGoDown) {
  for (const auto& [room, included] : std::vector<std::pair<std::string, std::string>>{
           {"src/ops", "src/core/a.h"},
           {"src/model", "src/kv/a.h"},
           {"src/app", "src/report/a.h"},
           {"src/app", "kernels/a.h"},
           {"kernels/linear", "kernels/common/a.h"},
           {"kernels/common", "kernels/simt/a.h"},
           {"kernels/ops", "kernels/linear/a.h"},
           {"kernels/ops", "kernels/a.h"},
           {"kernels/ops", "src/ops/a.h"},
           {"kernels", "src/ops/a.h"},
           {"chapters/04_kv_cache", "chapters/02_decoder/a.h"},
           {"chapters/00_tour", "chapters/04_kv_cache/a.h"},
           {"tests/ops", "chapters/04_kv_cache/a.h"}}) {
    EXPECT_EQ(breaches_of(room, included), 0u) << room << " includes " << included;
  }
}

TEST_F(SmallHouse, IncludesNeverGoUpOrAside) {
  for (const auto& [room, included] : std::vector<std::pair<std::string, std::string>>{
           {"src/core", "src/ops/a.h"},
           {"src/ops", "src/kv/a.h"},
           {"src/ops", "kernels/linear/a.h"},
           {"src/app", "kernels/ops/a.h"},
           {"kernels/simt", "kernels/common/a.h"},
           {"kernels/linear", "kernels/embed/a.h"},
           {"kernels/linear", "src/ops/a.h"},
           {"kernels", "kernels/ops/a.h"},
           {"kernels/ops", "src/model/a.h"},
           {"src/model", "src/text/a.h"},
           {"src/text", "src/ops/a.h"},
           {"src/app", "chapters/02_decoder/a.h"},
           {"chapters/02_decoder", "chapters/04_kv_cache/a.h"},
           {"chapters/02_decoder", "chapters/00_tour/a.h"},
           {"chapters/04_kv_cache", "tests/ops/a.h"}}) {
    EXPECT_EQ(breaches_of(room, included), 1u) << room << " includes " << included;
  }
}

TEST_F(SmallHouse, IncludesAreWrittenFromTheRoot) {
  EXPECT_EQ(breaches_of("src/ops", "a.h"), 1u);
  EXPECT_EQ(breaches_of("src/ops", "../core/a.h"), 1u);
}

TEST_F(SmallHouse, OnlyTheEmulatorsRoomAsksWhoCompiles) {
  const std::string asks = "#pragma once\n#ifdef __CUDACC__\n#endif\n";
  write("kernels/simt/b.h", asks);
  EXPECT_TRUE(breaches(root_).empty());
  write("kernels/linear/b.h", asks);
  EXPECT_EQ(
      breaches(root_),
      std::vector<std::string>{"kernels/linear/b.h:2: kernels/simt alone may ask who compiles it"});
}

TEST_F(SmallHouse, HeadersBeginWithPragmaOnce) {
  write("src/kv/b.h", "int x;\n");
  EXPECT_EQ(breaches(root_),
            std::vector<std::string>{"src/kv/b.h:1: a header without #pragma once"});
}

TEST_F(SmallHouse, NothingIsPutOff) {
  write("docs/page.md",
        "A line.\nTO"
        "DO: the rest\n");
  write("learn",
        "cd /ho"
        "me/somebody\n");
  EXPECT_EQ(breaches(root_).size(), 2u);
}

}  // namespace
}  // namespace quire::test
