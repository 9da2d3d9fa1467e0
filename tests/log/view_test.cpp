#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sstream>

#include "src/core/json.h"
#include "src/log/json_log.h"
#include "tests/log/small_engine.h"
#include "tests/support/shell.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_random.h"

// The program ./learn view, as a reader runs it.
namespace quire::test {
namespace {

class View : public testing::Test {
 protected:
  View() {
    std::ostringstream out;
    JsonLog log(out);
    run_all({}, random_, log);
    file_ = folder_.write("small.jsonl", out.str()).string();
  }
  Result view(const std::string& arguments) {
    return shell(fmt::format("{} {}", PROGRAM_VIEW, arguments));
  }

  TestRandom random_;
  TemporaryFolder folder_;
  std::string file_;
};

TEST_F(View, PrintsTables) {
  const Result result = view(file_);
  EXPECT_EQ(result.status, 0);
  for (const char* part : {"to the first token", "between tokens", "throughput", "preemptions"}) {
    EXPECT_NE(result.output.find(part), std::string::npos) << result.output;
  }
}

TEST_F(View, PrintsOneJsonObjectWhenAskedTo) {
  const Json json = Json::parse(view(file_ + " --json").output);
  EXPECT_EQ(json["engine"], "small");
  EXPECT_EQ(json["complete"], true);
  EXPECT_GT(json["tokens"], 0);
}

TEST_F(View, WritesThePagesAndTheTrace) {
  const auto place = [&](const char* name) { return (folder_.path() / name).string(); };
  EXPECT_EQ(view(fmt::format("{} --html {} --chrome {} --report {}", file_, place("a.html"),
                             place("b.json"), place("c.html")))
                .status,
            0);
  EXPECT_NE(read_file(place("a.html")).find("small.jsonl"), std::string::npos);
  EXPECT_FALSE(read_json(place("b.json"))["traceEvents"].empty());
  EXPECT_NE(read_file(place("c.html")).find("<svg"), std::string::npos);
}

TEST_F(View, SaysWhereALogIsWrong) {
  const std::string text = read_file(file_);
  const auto cut = folder_.write("cut.jsonl", text.substr(0, text.size() / 2)).string();
  const Result result = view(cut);
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output.find("error: " + cut + ": line "), 0u) << result.output;
}

TEST_F(View, SaysThatAnEngineWasStopped) {
  std::string text = read_file(file_);
  text.erase(text.rfind("{\"event\":\"end\""));
  const Result result = view(folder_.write("stopped.jsonl", text).string());
  EXPECT_EQ(result.status, 0);
  EXPECT_NE(result.output.find("The log ends before the engine did"), std::string::npos);
}

TEST_F(View, SaysWhatItCannotDo) {
  for (const std::string& arguments :
       {std::string(), std::string("/no/such/file"), file_ + " --html /no/such/folder/a.html",
        file_ + " --frames 3"}) {
    const Result result = view(arguments);
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
  }
}

}  // namespace
}  // namespace quire::test
