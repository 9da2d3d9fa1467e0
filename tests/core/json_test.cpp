#include "src/core/json.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "tests/support/errors.h"

namespace quire {
namespace {

namespace fs = std::filesystem;
using test::expect_error;

// Where a file of this test may lie; nothing is there yet.
fs::path fresh(const std::string& name) {
  const fs::path file = testing::TempDir() + "quire_json_test_" + name;
  fs::remove(file);
  return file;
}

std::string nested(std::size_t depth) {
  return std::string(depth, '[') + std::string(depth, ']');
}

TEST(ReadFile, TakesAsManyBytesAsTheLimit) {
  const fs::path file = fresh("limit");
  std::ofstream(file) << std::string(70000, 'x');
  EXPECT_EQ(read_file(file, 70000), std::string(70000, 'x'));
  expect_error([&] { read_file(file, 69999); }, {file.string(), "70000 bytes", "limit is 69999"});
}

TEST(ReadFile, ReadsFilesThatTheSystemCallsEmpty) {
  if (!fs::exists("/proc/self/status")) GTEST_SKIP() << "there is no /proc here";
  EXPECT_FALSE(read_file("/proc/self/status").empty());
  expect_error([] { read_file("/proc/self/status", 10); }, {"status", "more than 10 bytes"});
}

TEST(ReadFile, ReadsPipesToTheirEnd) {
  const fs::path pipe = fresh("pipe");
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  std::thread writer([&] { std::ofstream(pipe) << "through a pipe"; });
  EXPECT_EQ(read_file(pipe), "through a pipe");
  writer.join();
  expect_error([&] { read_json(pipe); }, {pipe.string(), "not a regular file"});
}

TEST(ReadFile, EndsWhereAFileDoesNot) {
  if (!fs::exists("/dev/zero")) GTEST_SKIP() << "there is no /dev/zero here";
  expect_error([] { read_file("/dev/zero", 1000); }, {"/dev/zero", "more than 1000 bytes"});
}

TEST(ReadFile, NamesLinksThatLeadNowhere) {
  const fs::path link = fresh("link");
  fs::create_symlink("no such file", link);
  expect_error([&] { read_file(link); }, {link.string(), "is a link to what does not exist"});
  fs::remove(link);
  fs::create_symlink(link, link);
  expect_error([&] { read_file(link); }, {link.string(), "cannot be read", "symbolic links"});
}

TEST(ParseJson, RefusesDeepNesting) {
  EXPECT_TRUE(parse_json(nested(64), "f.json").is_array());
  expect_error([] { parse_json(nested(65), "f.json"); }, {"f.json", "nested", "64"});
  expect_error([] { parse_json(std::string(1 << 20, '['), "f.json"); }, {"f.json", "nested", "64"});
}

TEST(JsonObject, NamesKeysOnOneLineCutIfLong) {
  const Json json = Json::object();
  const JsonObject object(json, "f.json");
  EXPECT_EQ(object.name_of("a\n\x1b"), "f.json: \"a\\n\\u001b\"");
  EXPECT_LT(object.name_of(std::string(1000, 'k')).size(), 100u);
}

}  // namespace
}  // namespace quire
