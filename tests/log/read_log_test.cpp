#include "src/log/read_log.h"

#include <gtest/gtest.h>

#include <sstream>

#include "src/log/json_log.h"
#include "tests/log/small_engine.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

const std::string kBegin =
    R"({"event":"begin","version":1,"engine":"e","blocks":6,"block_size":2,"budget":4,)"
    R"("max_sequences":2,"bytes_per_row":8})"
    "\n";

TEST(ReadLog, ReadsWhatWasWritten) {
  TestRandom random;
  std::ostringstream out;
  JsonLog log(out);
  run_all({}, random, log);
  const RecordedLog read = parse_log(out.str(), "log");
  std::string again = to_line(read.header) + "\n";
  for (const LogEvent& event : read.events) again += to_line(event) + "\n";
  again += "{\"event\":\"end\",\"steps\":" + std::to_string(read.steps()) + "}\n";
  EXPECT_TRUE(read.complete);
  EXPECT_GT(read.events.size(), 50u);
  EXPECT_EQ(again, out.str());
}

TEST(ReadLog, AnEngineThatWasStoppedLeavesALogThatIsNotComplete) {
  const RecordedLog log = parse_log(
      kBegin + R"({"step":0,"seconds":0,"phase":"schedule","event":"preempt","sequence":0})",
      "log");
  EXPECT_FALSE(log.complete);
  EXPECT_EQ(log.steps(), 1);
}

TEST(ReadLog, FilesThatAreNoLogsAreRefused) {
  const TemporaryFolder folder;
  expect_error([&] { read_log(folder.path() / "none"); }, {"does not exist"});
  expect_error([&] { read_log(folder.write("a", "")); }, {"is empty", "begin"});
  expect_error([&] { read_log(folder.write("a", "{}\n")); }, {"line 1: \"event\" is missing"});
  expect_error([&] { read_log(folder.write("a", "[]\n")); }, {"line 1 must be a JSON object"});
  expect_error([&] { read_log(folder.write("a", "x\n")); }, {"line 1 is not JSON"});
  expect_error([&] { read_log(folder.write("a", R"({"event":"run"})")); },
               {"line 1: the first event must be \"begin\", not \"run\""});
}

TEST(ReadLog, HeadersThatCannotBeAreRefused) {
  for (const auto& [piece, other, words] : std::vector<std::array<std::string, 3>>{
           {R"("version":1)", R"("version":2)", R"("version" must be a whole number of 1 to 1)"},
           {R"("blocks":6)", R"("blocks":0)", R"("blocks" must be)"},
           {R"("blocks":6)", R"("blocks":16777217)", R"("blocks" must be)"},
           {R"("block_size":2)", R"("block_size":2.5)", R"("block_size" must be)"},
           {R"("block_size":2)", R"("block_size":2147483647)", "more than 2147483647 rows"},
           {R"("budget":4)", R"("budget":-1)", R"("budget" must be)"},
           {R"("max_sequences":2,)", "", R"("max_sequences" is missing)"},
           {R"("engine":"e")", R"("engine":1)", R"("engine" must be a text)"},
           {R"("bytes_per_row":8)", R"("bytes_per_row":1e99)", R"("bytes_per_row" must be)"}}) {
    std::string text = kBegin;
    text.replace(text.find(piece), piece.size(), other);
    expect_error([&text = text] { parse_log(text, "log"); }, {"log: line 1", words});
  }
}

TEST(ReadLog, LinesThatCannotBeAreRefused) {
  const std::string place = R"({"step":0,"seconds":0,"phase":"schedule",)";
  for (const auto& [line, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "is not JSON"},
           {"{", "is not JSON"},
           {R"({"event":"begin"})", R"("step" is missing)"},
           {R"({"event":"end","steps":1})", R"("steps" must be a whole number of 0 to 0)"},
           {R"({"step":1,"seconds":0,"phase":"schedule","event":"preempt","sequence":0})",
            R"("step" must be a whole number of 0 to 0, not 1)"},
           {R"({"step":0,"seconds":-1,"phase":"schedule","event":"preempt","sequence":0})",
            R"("seconds" must be)"},
           {R"({"step":0,"seconds":0,"phase":"later","event":"preempt","sequence":0})",
            "one of schedule, compute, sample; not \"later\""},
           {place + R"("event":"explode","sequence":0})", "one of arrive, admit"},
           {place + R"("event":"preempt"})", R"("sequence" is missing)"},
           {place + R"("event":"preempt","sequence":-1})", R"("sequence" must be)"},
           {place + R"("event":"arrive","sequence":0,"prompt":3})", R"("max_tokens" is missing)"},
           {place + R"("event":"arrive","sequence":0,"prompt":2147483647,"max_tokens":1})",
            R"("prompt" must be)"},
           {place + R"("event":"allocate","sequence":0,"blocks":3})", "must be an array"},
           {place + R"("event":"allocate","sequence":0,"blocks":[6]})", "0 to 5, not 6"},
           {place + R"("event":"copy","sequence":0,"from":0,"to":6})", "0 to 5, not 6"},
           {place + R"("event":"write","sequence":0,"position":12,"rows":1})", "0 to 11, not 12"},
           {place + R"("event":"write","sequence":0,"position":10,"rows":3})", "1 to 2, not 3"},
           {place + R"("event":"run","rows":2,"sequences":3,"began":0})", "1 to 2, not 3"},
           {place + R"("event":"run","rows":2,"sequences":2,"began":1})", R"("began" must be)"},
           {place + R"("event":"sample","sequence":0,"token":"x"})", R"("token" must be)"},
           {place + R"("event":"sample","sequence":0,"token":1,"text":2})", "must be a text"},
           {place + R"("event":"finish","sequence":0,"reason":"boredom"})",
            "one of stop, length, abort, error; not \"boredom\""}}) {
    expect_error([&line = line] { parse_log(kBegin + line + "\n", "log"); },
                 {"log: line 2", words});
  }
}

TEST(ReadLog, TimeDoesNotGoBack) {
  const auto two = [](const std::string& first, const std::string& second) {
    return kBegin + "{" + first + R"(,"event":"preempt","sequence":0})" + "\n{" + second +
           R"(,"event":"preempt","sequence":0})";
  };
  const auto refused = [&](const std::string& second, const char* words) {
    const std::string first = R"("step":0,"seconds":2,"phase":"compute")";
    expect_error([&] { parse_log(two(first, second), "log"); }, {"log: line 3", words});
  };
  refused(R"("step":0,"seconds":1,"phase":"compute")", R"("seconds" must be a number of 2)");
  refused(R"("step":2,"seconds":2,"phase":"compute")",
          R"("step" must be a whole number of 0 to 1)");
  refused(R"("step":0,"seconds":2,"phase":"schedule")", "\"schedule\" comes before \"compute\"");
}

TEST(ReadLog, NothingFollowsTheEnd) {
  expect_error(
      [] {
        parse_log(kBegin + "{\"event\":\"end\",\"steps\":0}\n{\"event\":\"end\",\"steps\":0}",
                  "log");
      },
      {"log: line 3: nothing may follow"});
}

}  // namespace
}  // namespace quire::test
