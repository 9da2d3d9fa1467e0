#include <fmt/format.h>
#include <gtest/gtest.h>

#include <string>

#include "src/core/json.h"
#include "tests/support/shell.h"

namespace quire {
namespace {

using test::Result;

Result shell(const std::string& arguments, const std::string& prefix = "") {
  return test::shell(fmt::format("{} {} {}", prefix, MANNERS, arguments));
}

// One line that begins with `error: ` and contains the text, and status 2.
void expect_error(const Result& result, const std::string& text) {
  EXPECT_EQ(result.status, 2) << result.output;
  EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
  EXPECT_EQ(result.output.find('\n'), result.output.size() - 1) << result.output;
  EXPECT_NE(result.output.find(text), std::string::npos) << result.output;
}

TEST(Program, AnErrorIsOneLineAndStatusTwo) {
  expect_error(shell("--deed fail"), "the moon is rock, expected cheese");
}

TEST(Program, MissingMemoryIsAnError) {
  expect_error(shell("--deed allocate"), "not enough memory");
}

TEST(Program, AnUnforeseenExceptionIsAnError) {
  expect_error(shell("--deed surprise"), "a vector of -1");
}

TEST(Program, WrongArgumentsAreErrorsThatNameHelp) {
  expect_error(shell("--nonsense"), "--nonsense");
  expect_error(shell("--nonsense"), "--help");
  expect_error(shell("--seed"), "--seed");
  expect_error(shell("--prompt a --prompt-file " __FILE__), "--prompt-file");
}

TEST(Program, ControlCharactersNeitherBreakTheLineNorSteerTheTerminal) {
  expect_error(shell("\"$(printf 'a\\nb\\033[31m\\177\\302\\233m\\303\\251')\""),
               "a\\nb\\x1b[31m\\x7f\\u009bm\u00e9");
  expect_error(shell("--prompt-file \"$(printf '/no\\nsuch')\""), "/no\\nsuch does not exist");
}

TEST(Program, APromptMayComeFromWhatTheSystemCallsEmpty) {
  const Result result = shell("--prompt-file /dev/stdin", "printf 'from a pipe' |");
  EXPECT_EQ(parse_json(result.output, "output")["prompt"], "from a pipe");
}

TEST(Program, HelpGoesToStandardOutputWithSuccess) {
  const Result result = shell("--help 2>/dev/null");
  EXPECT_EQ(result.status, 0);
  for (const char* option :
       {"--model", "--prompt", "--max-tokens", "--temperature", "--seed", "--threads", "--json"}) {
    EXPECT_NE(result.output.find(option), std::string::npos) << option;
  }
}

TEST(Program, AnEmptyValueIsEmptyAndTakesNothingElse) {
  const Result result = shell("--prompt= --max-tokens 3");
  EXPECT_EQ(result.status, 0) << result.output;
  const Json shown = parse_json(result.output, "output");
  EXPECT_EQ(shown["prompt"], "");
  EXPECT_EQ(shown["max_tokens"], 3);
}

TEST(Program, AReaderThatGoesAwayEndsItQuietly) {
  const Result result = shell("--deed flood | head -n 1");
  EXPECT_EQ(result.output, "a line of text\n");
  // "wave" is one text that no buffer holds, so it fails in another place.
  for (const char* deed : {"flood", "wave"}) {
    EXPECT_EQ(test::shell(fmt::format("({} --deed {}; echo $? >&2) | true", MANNERS, deed)).output,
              "0\n");
  }
}

TEST(Program, OutputThatCannotBeWrittenIsAnError) {
  for (const char* deed : {"flood", "print", "show", "wave"}) {
    expect_error(shell(fmt::format("--deed {} >/dev/full", deed)), "No space left on device");
    expect_error(shell(fmt::format("--deed {} >&-", deed)), "Bad file descriptor");
  }
  expect_error(shell("--help >/dev/full"), "No space left on device");
}

TEST(Program, AClosedStandardErrorChangesNothing) {
  EXPECT_EQ(shell("--deed fail 2>&-").status, 2);
}

TEST(Program, JsonIsValidWhateverThePromptHolds) {
  const Result result = shell(R"x(--prompt "$(printf 'a\377b "quoted"')")x");
  EXPECT_EQ(parse_json(result.output, "output")["prompt"], "a\uFFFDb \"quoted\"");
}

TEST(Program, OptionsArriveAsGiven) {
  const Result result =
      shell("--prompt '' --max-tokens 7 --temperature 1e-3 --seed 12345678901234 --threads 2");
  const Json object = parse_json(result.output, "output");
  EXPECT_EQ(object["prompt"], "");
  EXPECT_EQ(object["max_tokens"], 7);
  EXPECT_EQ(object["temperature"], 1e-3);
  EXPECT_EQ(object["seed"], 12345678901234);
  EXPECT_EQ(object["threads"], 2);
}

TEST(Program, APromptMayLookLikeAnything) {
  for (const char* prompt : {"-1", "--json", "{}", "[]", "[a,b]", "%%", "a=b", "\\\"q\\\""}) {
    const Result result = shell(fmt::format("--prompt \"{}\"", prompt));
    const std::string expected = prompt == std::string("\\\"q\\\"") ? "\"q\"" : prompt;
    EXPECT_EQ(parse_json(result.output, "output")["prompt"], expected) << result.output;
  }
}

TEST(Program, DataLiesWhereTheEnvironmentSays) {
  const Json object = parse_json(shell("", "QUIRE_DATA=/some/where").output, "output");
  EXPECT_EQ(object["model"], "/some/where/model");
}

}  // namespace
}  // namespace quire
