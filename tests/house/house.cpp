#include "tests/house/house.h"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <string_view>

namespace quire::test {
namespace {

namespace fs = std::filesystem;

// What each room may include besides itself.
const std::map<std::string, std::set<std::string>> kBelow = {
    {"src/core", {}},
    {"src/ops", {"src/core"}},
    {"src/simd", {"src/core", "src/ops"}},
    {"kernels/simt", {"src/core"}},
    {"kernels/common", {"src/core", "kernels/simt"}},
    {"kernels", {"src/core", "src/ops"}},
    {"src/kv", {"src/core", "src/ops"}},
    {"src/model", {"src/core", "src/ops", "src/kv"}},
    {"src/text", {"src/core"}},
    {"src/report", {"src/core"}},
    {"src/log", {"src/core", "src/report"}},
    {"src/app",
     {"src/core", "src/ops", "src/simd", "src/kv", "src/model", "src/text", "src/report", "src/log",
      "kernels"}},
};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> choices) {
  return std::find(choices.begin(), choices.end(), text) != choices.end();
}

// The room of a path from the root: "src/ops", "kernels", "kernels/add", "chapters/04_kv_cache", "tests".
std::string room_of(const fs::path& path) {
  auto part = path.begin();
  const std::string first = part->string();
  if (!is_one_of(first, {"src", "kernels", "chapters"}) || ++part == path.end()) return first;
  return std::next(part) == path.end() ? first : first + "/" + part->string();
}

bool is_chapter(const std::string& room) {
  return room.starts_with("chapters/");
}

// Operators' kernels know no other operator; KernelOps knows them all.
bool kernels_may_include(const std::string& room, const std::string& other) {
  if (room == "kernels/ops")
    return other.starts_with("kernels") || kBelow.at("kernels").contains(other);
  return is_one_of(other, {"src/core", "kernels/simt", "kernels/common"});
}

// Rooms of chapters begin with their number, so their names are in the order of the chapters.
bool may_include(const std::string& room, const std::string& other) {
  if (room == other || room == "tests") return true;
  if (other == "tests") return false;
  if (kBelow.contains(room)) return kBelow.at(room).contains(other);
  if (room.starts_with("kernels/")) return kernels_may_include(room, other);
  if (!is_chapter(room)) return false;
  if (!is_chapter(other) || room.starts_with("chapters/00_")) return true;
  return other < room && !other.starts_with("chapters/00_");
}

class Inspection {
 public:
  explicit Inspection(fs::path root) : root_(std::move(root)) {}

  std::vector<std::string> run() {
    for (const char* folder : {"src", "chapters", "kernels", "tests", "docs", ".ci"}) {
      if (!fs::exists(root_ / folder)) continue;
      for (const fs::path& file : fs::recursive_directory_iterator(root_ / folder)) inspect(file);
    }
    for (const char* file : {"learn", "README.md", "CMakeLists.txt", "CMakePresets.json"}) {
      inspect(root_ / file);
    }
    return std::move(breaches_);
  }

 private:
  void inspect(const fs::path& file) {
    if (!fs::is_regular_file(file)) return;
    file_ = fs::relative(file, root_);
    line_ = 0;
    const std::string kind = file.extension().string();
    const bool source = is_one_of(kind, {".h", ".cpp", ".cu", ".cuh"});
    bool once = false;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) {
      ++line_;
      inspect_words(line);
      once = once || line == "#pragma once";
      if (source && line.starts_with("#include \"")) inspect_include(line);
      if (source && line.starts_with("#if")) inspect_condition(line);
    }
    if (is_one_of(kind, {".h", ".cuh"}) && !once) report("a header without #pragma once");
  }

  void inspect_words(const std::string& line) {
    // In two halves, so that this file does not break its own rule.
    for (const char* word : {"TO"
                             "DO",
                             "FIX"
                             "ME",
                             "/wor"
                             "k/",
                             "/ho"
                             "me/"}) {
      if (line.find(word) != std::string::npos) report(fmt::format("\"{}\" in a text", word));
    }
  }

  void inspect_include(const std::string& line) {
    const std::string name = line.substr(10, line.rfind('"') - 10);
    if (!fs::exists(root_ / name)) {
      return report(fmt::format("\"{}\" is no path of a file from the root", name));
    }
    const std::string room = room_of(file_), other = room_of(name);
    if (!may_include(room, other)) report(fmt::format("{} may not include {}", room, other));
  }

  void inspect_condition(const std::string& line) {
    const std::string room = room_of(file_);
    if (line.find("CUDA") == std::string::npos || room == "kernels/simt" || room == "tests") return;
    report("kernels/simt alone may ask who compiles it");
  }

  void report(const std::string& what) {
    breaches_.push_back(fmt::format("{}:{}: {}", file_.string(), line_, what));
  }

  fs::path root_, file_;
  int line_ = 0;
  std::vector<std::string> breaches_;
};

}  // namespace

std::vector<std::string> breaches(const std::filesystem::path& root) {
  return Inspection(root).run();
}

}  // namespace quire::test
