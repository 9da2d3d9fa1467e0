#include "src/model/sharded_safetensors.h"

#include <gtest/gtest.h>

#include "src/core/json.h"
#include "tests/model/stored_tensors.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace quire {
namespace {

using test::expect_error;
using test::Stored;
using test::TemporaryFolder;

constexpr const char* kIndex = "model.safetensors.index.json";

// A folder with two shards, a.safetensors with x and y, b.safetensors with z.
class Shards : public testing::Test {
 protected:
  Shards() {
    write("a.safetensors", {{"x", {{2}, "F32", 4, 'x'}}, {"y", {{3}, "F32", 4, 'y'}}});
    write("b.safetensors", {{"z", {{1}, "F32", 4, 'z'}}});
    index(map_);
  }

  void write(const std::string& file, const test::StoredTensors& tensors) {
    folder_.write(file, test::file_of(tensors));
  }

  void index(const Json& map) { folder_.write(kIndex, Json{{"weight_map", map}}.dump()); }

  // The index with one entry changed.
  void put(const std::string& tensor, const Json& file) {
    Json map = map_;
    map[tensor] = file;
    index(map);
  }

  std::shared_ptr<const Checkpoint> open() { return open_checkpoint(folder_.path()); }

  void expect_refused(std::initializer_list<std::string_view> words) {
    expect_error([&] { open(); }, words);
  }

  TemporaryFolder folder_;
  Json map_ = {{"x", "a.safetensors"}, {"y", "a.safetensors"}, {"z", "b.safetensors"}};
};

TEST_F(Shards, AreOneCheckpoint) {
  const auto checkpoint = open();
  EXPECT_EQ(checkpoint->names(), (std::vector<std::string>{"x", "y", "z"}));
  EXPECT_TRUE(checkpoint->contains("z"));
  EXPECT_FALSE(checkpoint->contains("w"));
  EXPECT_EQ(checkpoint->data_bytes(), 24u);
  EXPECT_EQ(checkpoint->path(), folder_.path() / kIndex);
  for (const char* name : {"x", "y", "z"}) {
    EXPECT_EQ(static_cast<char>(*checkpoint->tensor(name).bytes()), name[0]);
  }
  EXPECT_EQ(checkpoint->tensor("y").shape(), Shape{3});
  expect_error([&] { checkpoint->tensor("w"); }, {kIndex, "no tensor", "\"w\""});
}

TEST_F(Shards, AreNotReadWhereOneFileHoldsAll) {
  write("model.safetensors", {{"whole", {{1}}}});
  EXPECT_EQ(open()->names(), std::vector<std::string>{"whole"});
}

TEST_F(Shards, AreMissedByName) {
  std::filesystem::remove(folder_.path() / "b.safetensors");
  expect_refused({"b.safetensors is missing", kIndex, "\"z\""});
  std::filesystem::create_symlink("nowhere", folder_.path() / "b.safetensors");
  expect_refused({"b.safetensors is missing", kIndex, "\"z\""});
}

TEST_F(Shards, MustHoldWhatTheIndexSays) {
  put("w", "b.safetensors");
  expect_refused({kIndex, "\"w\"", "\"b.safetensors\"", "it is not"});
  put("x", "b.safetensors");
  expect_refused({kIndex, "\"x\"", "\"b.safetensors\"", "it is not"});
}

TEST_F(Shards, MayNotHoldWhatTheIndexDoesNotSay) {
  write("b.safetensors", {{"z", {{1}}}, {"extra", {{1}}}});
  expect_refused({"b.safetensors", "\"extra\"", kIndex, "nowhere"});
  write("b.safetensors", {{"z", {{1}}}, {"x", {{2}}}});
  expect_refused({"b.safetensors", "\"x\"", kIndex, "\"a.safetensors\""});
}

TEST_F(Shards, StayInTheFolderOfTheIndex) {
  const TemporaryFolder elsewhere;
  const std::string outside =
      elsewhere.write("z.safetensors", test::file_of({{"z", {{1}}}})).string();
  std::filesystem::create_directory(folder_.path() / "sub");
  for (const std::string& file :
       {outside, "../" + elsewhere.path().filename().string() + "/z.safetensors",
        std::string("./b.safetensors"), std::string("sub/../b.safetensors"), std::string("."),
        std::string(".."), std::string("b.safetensors\0", 14), std::string()}) {
    put("z", file);
    expect_refused({kIndex, "\"z\"", "same folder"});
  }
}

TEST_F(Shards, ThatAreBrokenAreNamed) {
  folder_.write("b.safetensors", "1234");
  expect_refused({"b.safetensors", "4 bytes"});
  std::filesystem::remove(folder_.path() / "b.safetensors");
  std::filesystem::create_directory(folder_.path() / "b.safetensors");
  expect_refused({"b.safetensors", "not a regular file"});
}

TEST_F(Shards, NeedAnIndexThatMapsTensorsToFiles) {
  for (const Json& wrong : {Json(1), Json(nullptr), Json::array(), Json::object()}) {
    put("z", wrong);
    expect_refused({kIndex, "\"z\""});
  }
  for (const char* text : {"", "{", "[]", "{}", R"({"weight_map": 1})", R"({"weight_map": null})",
                           R"({"weight_map": {"x": "a.safetensors", "x": "a.safetensors"}})"}) {
    folder_.write(kIndex, text);
    expect_refused({kIndex});
  }
}

TEST_F(Shards, AreMissedWhereThereIsNoIndexEither) {
  std::filesystem::remove(folder_.path() / kIndex);
  expect_refused({"no model in", "model.safetensors is missing"});
}

}  // namespace
}  // namespace quire
