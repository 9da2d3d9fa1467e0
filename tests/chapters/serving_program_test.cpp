// The program of chapter 10 on the built-in model, as a reader runs it.
#include <algorithm>
#include <filesystem>
#include <fstream>

#include "src/log/read_log.h"
#include "src/log/replay.h"
#include "tests/chapters/programs.h"
#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

TEST(ServingProgram, ARequestAmongOthersGetsTheTextThatItGetsAlone) {
  const Json served = run_json(PROGRAM_10,
                               "--requests 3 --temperature 0.8 --seed 5 --max-tokens 20 "
                               "--kv-blocks 16 --block-size 3 --budget 7");
  std::ifstream openings(std::string(QUIRE_SOURCE_DIR) + "/data/prompts/openings.txt");
  for (int i = 0; i < 3; ++i) {
    std::string prompt;
    std::getline(openings, prompt);
    const Json alone =
        run_json(PROGRAM_04, fmt::format("--prompt {} --temperature 0.8 --seed {} --max-tokens 20",
                                         test::quoted(prompt), 5 + i));
    const Json& request = served["requests"][static_cast<std::size_t>(i)];
    EXPECT_EQ(request["prompt_ids"], alone["prompt_ids"]);
    EXPECT_EQ(request["ids"], alone["ids"]);
    EXPECT_EQ(request["text"], alone["text"]);
    EXPECT_EQ(request["finish_reason"], alone["finish_reason"]);
  }
  EXPECT_GT(served["together"]["preemptions"], 0);
}

TEST(ServingProgram, WhatTheCacheCannotHoldIsRefusedAndTheOthersAreServed) {
  const Json served =
      run_json(PROGRAM_10, "--requests 3 --max-tokens 12 --kv-blocks 7 --block-size 4");
  const Json& requests = served["requests"];
  EXPECT_EQ(requests[0]["finish_reason"], "length");
  EXPECT_EQ(requests[1]["finish_reason"], "refused");
  EXPECT_NE(requests[1]["error"].get<std::string>().find("28"), std::string::npos);
  EXPECT_EQ(requests[2]["finish_reason"], "length");
}

TEST(ServingProgram, IfNobodyIsServedTheStatusSaysSo) {
  const Result result = shell(
      fmt::format("{} --requests 3 --kv-blocks 1 --block-size 4 2>&1 >/dev/null", PROGRAM_10));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output.find("error: none of the 3 requests could be served; the first: "), 0u)
      << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
}

TEST(ServingProgram, CountsTheBlocksOfAStepAlsoWhereEverybodyLeavesInIt) {
  const Json served = run_json(PROGRAM_10, "--requests 1 --max-tokens 1 --block-size 4");
  const std::size_t rows = served["requests"][0]["prompt_ids"].size();
  EXPECT_EQ(served["together"]["most_blocks"], (rows + 3) / 4);
}

TEST(ServingProgram, StaticBatchesOfTheSameRequestsGiveAsManyTokensInMoreSteps) {
  const Json served =
      run_json(PROGRAM_10, "--requests 6 --threads 1 --trace " QUIRE_SOURCE_DIR
                           "/data/traces/alpaca.csv --kv-blocks 128 --max-seqs 2 --static");
  const Json& batches = served["in_static_batches"];
  EXPECT_EQ(batches["tokens"], served["together"]["tokens"]);
  EXPECT_GT(batches["steps"], served["together"]["steps"]);
  EXPECT_GT(batches["rows"], served["together"]["rows"]) << "ended texts are fed on";
}

TEST(ServingProgram, StaticBatchesNeedRoomForASlab) {
  const Result result = shell(fmt::format("{} --requests 1 --kv-blocks 63 --static", PROGRAM_10));
  EXPECT_EQ(result.status, 2);
  EXPECT_NE(result.output.find("1008 rows have no room for a slab of 1024"), std::string::npos)
      << result.output;
}

TEST(ServingProgram, RefusesWhatIsWrongForEveryRequest) {
  for (const auto& [arguments, words] :
       {std::pair("--logit-bias 99999=5", "99999"), std::pair("--prompts /tmp", "/tmp"),
        std::pair("--prompts ''", "without a name"), std::pair("--log /nowhere/x", "--log")}) {
    const Result result =
        shell(fmt::format("{} --requests 1 --max-tokens 1 {}", PROGRAM_10, arguments));
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_NE(result.output.find(words), std::string::npos) << result.output;
  }
}

TEST(ServingProgram, WritesALogThatMakesSense) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "run.jsonl").string();
  const Json served = run_json(
      PROGRAM_10, fmt::format("--requests 5 --max-tokens 40 --kv-blocks 9 --log {}", file));
  const RecordedLog log = read_log(file);
  EXPECT_TRUE(log.complete);
  EXPECT_EQ(log.steps(), served["together"]["steps"]);
  const Replay end = replay(log, file);
  EXPECT_EQ(end.free_blocks(), 9);
  std::string text;
  for (const LogEvent& event : log.events) {
    if (event.kind == LogKind::sample && event.sequence == SequenceId{0}) text += event.text;
  }
  EXPECT_EQ(text, served["requests"][0]["text"]);
}

TEST(ServingProgram, SamplesOfARequestShareItsBlocks) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "run.jsonl").string();
  const Json served =
      run_json(PROGRAM_10, fmt::format("--requests 2 --n 3 --max-tokens 20 --temperature 0.8 "
                                       "--block-size 4 --log {}",
                                       file));
  const RecordedLog log = read_log(file);
  EXPECT_NO_THROW(replay(log, file));
  int shares = 0;
  for (const LogEvent& event : log.events) shares += event.kind == LogKind::share;
  EXPECT_EQ(shares, 2 * 2) << "each further sample finds the prompt stored";
  ASSERT_EQ(served["requests"].size(), 6u);
  EXPECT_EQ(served["requests"][0]["prompt_ids"], served["requests"][2]["prompt_ids"]);
  EXPECT_NE(served["requests"][0]["ids"], served["requests"][1]["ids"]);
}

TEST(ServingProgram, CountsATraceBesideTheSlabsAndDrawsIt) {
  const TemporaryFolder folder;
  const std::string trace = std::string(QUIRE_SOURCE_DIR) + "/data/traces/conversations.csv";
  const Json counted = run_json(
      PROGRAM_10, fmt::format("--simulate --trace {} --requests 60 --max-seqs 64 --figures {}",
                              trace, folder.path().string()));
  const Json& ways = counted["ways"];
  EXPECT_LT(ways.back()["steps"].get<int>(), ways.front()["steps"].get<int>());
  EXPECT_GT(counted["share_of_held_blocks"].get<double>(), 0.9);
  for (const char* file : {"running.svg", "tokens.svg"}) {
    EXPECT_GT(std::filesystem::file_size(folder.path() / file), 1000u) << file;
  }
}

TEST(ServingProgram, TakesLengthsFromATraceWithMadeUpTokens) {
  const TemporaryFolder folder;
  const std::string trace =
      folder.write("t.csv", "arrival,prompt_tokens,output_tokens\n0,9,4\n1,2000,3\n2,3,6\n")
          .string();
  const Json served = run_json(PROGRAM_10, fmt::format("--requests 2 --trace {}", trace));
  const Json& requests = served["requests"];
  EXPECT_EQ(requests[0]["prompt_ids"].size(), 9u);
  EXPECT_EQ(requests[0]["ids"].size(), 4u);
  EXPECT_EQ(requests[1]["prompt_ids"].size(), 3u) << "the one that fits no context is passed over";
  EXPECT_EQ(requests[1]["ids"].size(), 6u);
}

TEST(ServingProgram, RefusesInOneLineWithStatusTwo) {
  for (const char* arguments :
       {"--requests 0", "--budget 0", "--max-seqs 0", "--kv-blocks 0", "--block-size 257",
        "--simulate", "--trace /nowhere", "--prompts /nowhere", "--log /nowhere/x --requests 1"}) {
    const Result result = shell(fmt::format("{} {}", PROGRAM_10, arguments));
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
    EXPECT_EQ(result.output.find('\n'), result.output.size() - 1) << result.output;
  }
}

}  // namespace
}  // namespace quire::test
