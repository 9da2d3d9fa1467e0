#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>

#include "tests/chapters/programs.h"
#include "tests/support/temporary_folder.h"

// The chapters' programs on the built-in model, as a reader runs them.
namespace quire::test {
namespace {

namespace fs = std::filesystem;

#if defined(__SANITIZE_ADDRESS__)
constexpr bool kSanitized = true;
#else
constexpr bool kSanitized = false;
#endif

constexpr std::uint64_t kMiB = 1 << 20;

TEST(Programs, CacheAndNoCacheTellTheSameStory) {
  const std::string arguments = "--prompt 'One morning' --max-tokens 40 --temperature 0.8 --seed 3";
  const Json naive = run_json(PROGRAM_02, arguments), cached = run_json(PROGRAM_04, arguments);
  EXPECT_EQ(naive["prompt_ids"], cached["prompt_ids"]);
  EXPECT_EQ(naive["ids"], cached["ids"]);
  EXPECT_EQ(naive["text"], cached["text"]);
  EXPECT_GT(naive["counters"]["flops"], cached["counters"]["flops"]);
}

TEST(Programs, ALimitEndsAStoryWithReasonLength) {
  const Json story = run_json(PROGRAM_04, "--max-tokens 3");
  EXPECT_EQ(story["ids"].size(), 3u);
  EXPECT_EQ(story["finish_reason"], "length");
  EXPECT_EQ(story["steps"].size(), 3u);
}

TEST(Programs, TheKernelsEmulatedTellTheReferencesStory) {
  const std::string arguments = "--prompt Once --max-tokens 3 --device ";
  const Json kernels = run_json(PROGRAM_04, arguments + "emulated");
  const Json reference = run_json(PROGRAM_04, arguments + "eigen");
  EXPECT_EQ(kernels["device"], "emulated");
  EXPECT_EQ(kernels["ids"], reference["ids"]);
  EXPECT_EQ(kernels["counters"], reference["counters"]);
}

TEST(Programs, AFaultInAModuleOfKernelsIsOneLineBeforeAnyText) {
  const Result result = shell("QUIRE_THREAD_ORDER=sideways " PROGRAM_04 " --device emulated 2>&1");
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
  EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
  EXPECT_NE(result.output.find("sideways"), std::string::npos) << result.output;
}

TEST(Programs, WithoutAGpuTheDeviceGpuIsOneLineThatNamesAnother) {
  for (const char* program : {PROGRAM_02, PROGRAM_03, PROGRAM_04, PROGRAM_08, PROGRAM_09}) {
    const Result result = shell(fmt::format("{} --device gpu", program));
    if (result.status == 0) GTEST_SKIP() << "there is a GPU";
    EXPECT_EQ(result.status, 2) << program;
    EXPECT_EQ(result.output.find("error: there "), 0u) << result.output;
    EXPECT_EQ(std::count(result.output.begin(), result.output.end(), '\n'), 1) << result.output;
    EXPECT_NE(result.output.find("--device emulated"), std::string::npos) << result.output;
  }
}

TEST(Programs, APlanIsJsonOrOneTable) {
  const Json plan = run_json(PROGRAM_05, "llama-3-8b --card H100 --length 1000 --batch 3");
  EXPECT_EQ(plan["parameters"]["total"], 8030261248u);
  EXPECT_EQ(plan["kv_bytes"], 3u * 1000u * 131072u);
  const Result csv = shell(PROGRAM_05 " llama-3-8b --csv weights");
  EXPECT_EQ(csv.output.find("weights,parameters,format,bytes,size\n"), 0u) << csv.output;
}

TEST(Programs, APlanWritesAPageAndCharts) {
  const TemporaryFolder folder;
  const std::string place = folder.path().string();
  const Result result =
      shell(fmt::format("{0} gpt2 --report {1}/plan.html --figures {1}", PROGRAM_05, place));
  EXPECT_EQ(result.status, 0) << result.output;
  for (const char* file : {"plan.html", "kv.svg", "roofline.svg"}) {
    EXPECT_GT(fs::file_size(folder.path() / file), 1000u) << file;
  }
}

TEST(Programs, CountersAndPlanAgreeOnTheBuiltInModel) {
  const Json measured = run_json(PROGRAM_05, "--measure --length 20");
  for (const Json& step : measured["steps"]) {
    const Json& operators = step["counted"]["operators"];
    EXPECT_EQ(operators["linear"]["flops"], step["planned"]["linear_flops"]);
    EXPECT_EQ(operators["attend"]["flops"], step["planned"]["attention_flops"]);
  }
}

TEST(Programs, APlanRefusesInOneLineWithStatusTwo) {
  for (const char* arguments : {"llama-9", "--card abacus", "--length 0", "--csv all",
                                "--report /nowhere/plan.html", "--measure llama-7b"}) {
    const Result result = shell(fmt::format("{} {}", PROGRAM_05, arguments));
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
    EXPECT_EQ(result.output.find('\n'), result.output.size() - 1) << result.output;
  }
}

TEST(Programs, TheTourSaysThatEveryStageAgrees) {
  const auto report = fs::temp_directory_path() / "quire_tour_test.html";
  const Json tour =
      run_json(PROGRAM_00, fmt::format("--max-tokens 6 --repeat 1 --report {}", report.string()));
  ASSERT_EQ(tour["stages"].size(), 2u);
  for (const Json& stage : tour["stages"]) EXPECT_EQ(stage["text_identical"], true);
  ASSERT_EQ(tour["requests"].size(), 5u);
  for (const Json& stage : tour["requests"]) EXPECT_EQ(stage["texts_identical"], true) << stage;
  std::ifstream page(report);
  const std::string html{std::istreambuf_iterator<char>(page), {}};
  EXPECT_NE(html.find("<svg"), std::string::npos);
  EXPECT_EQ(html.find("http://www.w3.org/1999"), std::string::npos) << "the page needs no network";
  fs::remove(report);
}

TEST(Programs, TheTourServesSixteenInLessMemoryWithBlocks) {
  const Json stages = run_json(PROGRAM_00,
                               "--max-tokens 80 --repeat 1 --temperature 0.8 --seed 5 "
                               "--report /dev/null")["requests"];
  const auto number = [&](std::size_t stage, const char* key) {
    return stages[stage][key].get<double>();
  };
  for (const Json& stage : stages) EXPECT_EQ(stage["texts_identical"], true) << stage;
  for (const std::size_t blocks : {3u, 4u}) {
    EXPECT_GT(number(blocks, "kv_used_share"), 0.8);
    EXPECT_LT(number(blocks, "rows"), number(2, "rows")) << "the prompt is computed once";
  }
  EXPECT_LT(number(2, "kv_used_share"), 0.6) << "slabs are as long as the longest text";
}

TEST(Programs, SamplesOfOneRequestCanBeRepeatedAndAreNotAllEqual) {
  const std::string arguments = "--max-tokens 12 --temperature 1 --seed 4";
  const Json samples = run_json(PROGRAM_03, arguments + " --n 4")["samples"];
  ASSERT_EQ(samples.size(), 4u);
  std::set<Json> texts;
  for (const Json& sample : samples) texts.insert(sample["ids"]);
  EXPECT_GT(texts.size(), 1u);
  const Json again = run_json(PROGRAM_03, arguments + " --n 4")["samples"];
  for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(again[k]["ids"], samples[k]["ids"]);
  EXPECT_EQ(run_json(PROGRAM_03, arguments)["samples"][0]["ids"], samples[0]["ids"])
      << "asking for more samples does not change the first";
}

TEST(Programs, TheSamplerSaysTheSameWithoutItsOptionsAsTheDecoder) {
  const std::string arguments = "--max-tokens 10 --temperature 0.8 --seed 3";
  const Json plain = run_json(PROGRAM_02, arguments);
  const Json off = run_json(PROGRAM_03, arguments +
                                            " --top-k 0 --top-p 1 --min-p 0 --repetition-penalty 1 "
                                            "--presence-penalty 0 --frequency-penalty 0");
  EXPECT_EQ(off["samples"][0]["ids"], plain["ids"]);
  EXPECT_EQ(off["samples"][0]["text"], plain["text"]);
}

TEST(Programs, AStopStringEndsAStoryAndIsCutOff) {
  const std::string text = run_json(PROGRAM_03, "--max-tokens 12")["samples"][0]["text"];
  const std::size_t space = text.find(' ', 4);
  ASSERT_NE(space, std::string::npos) << text;
  const std::string stop = text.substr(space - 2, 4);
  const Json story = run_json(PROGRAM_03, fmt::format("--max-tokens 12 --stop never-ever --stop {}",
                                                      quoted(stop)))["samples"][0];
  EXPECT_EQ(story["text"], text.substr(0, text.find(stop)));
  EXPECT_EQ(story["finish_reason"], "stop");
}

TEST(Programs, LogprobsAndTheExplanationAreInTheJson) {
  const Json sample =
      run_json(PROGRAM_03,
               "--max-tokens 3 --temperature 0.7 --top-k 4 --logprobs 2 --explain 2 "
               "--rows 6")["samples"][0];
  ASSERT_EQ(sample["logprobs"].size(), 3u);
  EXPECT_EQ(sample["logprobs"][1]["id"], sample["ids"][1]);
  EXPECT_EQ(sample["logprobs"][1]["top"].size(), 2u);
  EXPECT_EQ(sample["explained"]["chosen"], sample["ids"][1]);
  const Json& stages = sample["explained"]["stages"];
  ASSERT_EQ(stages.size(), 3u);
  EXPECT_EQ(stages[2]["operation"], "top-k");
  EXPECT_EQ(stages[2]["left"], 4);
  EXPECT_EQ(stages[0]["probabilities"].size(), 6u);
}

TEST(Programs, AStaticBatchTellsTheStoriesThatCacheTellsAlone) {
  const TemporaryFolder folder;
  const std::string file = folder.write("two.txt", "One morning\n\nOnce upon a time\n").string();
  const std::string options = "--max-tokens 30 --temperature 0.8 --seed 3";
  const Json batch = run_json(PROGRAM_08, fmt::format("--prompts {} --n 2 {}", file, options));
  const std::vector<std::string> prompts = {"One morning", "Once upon a time"};
  for (std::size_t i = 0; i < 2; ++i) {
    const Json alone =
        run_json(PROGRAM_04, fmt::format("--prompt {} {}", quoted(prompts[i]), options));
    EXPECT_EQ(batch["texts"][i]["prompt_ids"], alone["prompt_ids"]);
    EXPECT_EQ(batch["texts"][i]["ids"], alone["ids"]);
    EXPECT_EQ(batch["texts"][i]["text"], alone["text"]);
  }
}

TEST(Programs, AStaticBatchWritesALogThatCanBeViewed) {
  const TemporaryFolder folder;
  const std::string log = (folder.path() / "static.log").string();
  const Json batch =
      run_json(PROGRAM_08, fmt::format("--n 3 --max-tokens 40 --reservation power --log {}", log));
  std::ifstream lines(log);
  std::string line, last;
  std::int64_t runs = 0;
  while (std::getline(lines, line)) {
    if (Json::parse(line)["event"] == "run") ++runs;
    last = line;
  }
  EXPECT_EQ(runs, batch["steps"]);
  EXPECT_EQ(Json::parse(last)["event"], "end");
}

TEST(Programs, ATraceIsServedInSeveralWaysAndDrawn) {
  const TemporaryFolder folder;
  const std::string trace = std::string(QUIRE_SOURCE_DIR) + "/data/traces/alpaca.csv";
  const Json ways = run_json(
      PROGRAM_08, fmt::format("--trace {} --requests 40 --slabs 4 --context 512 --figures {}",
                              trace, folder.path().string()))["ways"];
  ASSERT_EQ(ways.size(), 5u);
  EXPECT_EQ(ways[0]["name"], "static");
  for (const Json& way : ways) {
    double sum = 0;
    for (const auto& [part, share] : way["memory"].items()) sum += share.get<double>();
    EXPECT_NEAR(sum, 1, 1e-9) << way["name"];
    EXPECT_EQ(way["rows"].get<int>() - way["idle_rows"].get<int>(),
              ways[0]["rows"].get<int>() - ways[0]["idle_rows"].get<int>());
  }
  for (const char* file : {"waste.svg", "running.svg", "tokens.svg"}) {
    EXPECT_GT(std::filesystem::file_size(folder.path() / file), 1000u) << file;
  }
}

TEST(Programs, StaticBatchingRefusesInOneLineWithStatusTwo) {
  const TemporaryFolder folder;
  const std::string trace = folder.write("t.csv", "arrival,prompt_tokens\n0,1\n").string();
  for (const std::string& arguments :
       {std::string("--reservation half"), std::string("--prompts /nowhere"), "--trace " + trace,
        std::string("--n 0"), "--prompts " + trace + " --n 3",
        std::string("--trace data/traces --requests 0")}) {
    const Result result = shell(fmt::format("{} {}", PROGRAM_08, arguments));
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
    EXPECT_EQ(result.output.find('\n'), result.output.size() - 1) << result.output;
  }
}

TEST(Programs, EvalScoresAFileInWindows) {
  const TemporaryFolder folder;
  const std::string file = folder.write("tale.txt",
                                        "Once upon a time there was a cat. The cat was "
                                        "very happy, and it ran to the river.\n");
  const Json whole = run_json(PROGRAM_EVAL, file);
  EXPECT_EQ(whole["windows"], 1);
  EXPECT_GT(whole["nats_per_token"], 0);
  EXPECT_NEAR(whole["nats_per_byte"].get<double>() * whole["scored_bytes"].get<double>(),
              whole["nats"].get<double>(), 1e-9);
  const Json cut = run_json(PROGRAM_EVAL, file + " --context 8 --stride 4");
  EXPECT_EQ(cut["scored_tokens"], whole["scored_tokens"]);
  EXPECT_GT(cut["windows"], 1);
  EXPECT_GT(cut["nats"], whole["nats"]) << "seeing less, the model is surprised more";
}

TEST(Programs, EvalFindsTheLossOfTransformers) {
  const TemporaryFolder folder;
  const Json golden = read_json(fs::path(QUIRE_SOURCE_DIR) / "tests/golden/evaluate.json");
  int texts = 0;
  for (const Json& text : golden.at("texts")) {
    if (text.at("model") != "builtin") continue;
    const std::string bytes = text.at("text");
    const Json found =
        run_json(PROGRAM_EVAL,
                 fmt::format("{} --context {} --stride {}", folder.write("text", bytes).string(),
                             text.at("context").get<int>(), text.at("stride").get<int>()));
    EXPECT_EQ(found["scored_tokens"], text.at("scored"));
    EXPECT_EQ(found["scored_bytes"], bytes.size())
        << "BOS comes first, so the whole text is scored";
    EXPECT_NEAR(found["nats_per_token"].get<double>(), text.at("nats_per_token").get<double>(),
                1e-4);
    ++texts;
  }
  EXPECT_GT(texts, 0);
}

TEST(Programs, EvalRefusesWhatIsNoText) {
  const TemporaryFolder folder;
  for (const auto& [bytes, words] : std::vector<std::pair<std::string, std::string>>{
           {"", "is empty"},
           {"good \xff bad", "no character begins at byte 5"},
           {"cut \xe2\x82", "no character begins at byte 4"}}) {
    const Result result =
        shell(fmt::format("{} {}", PROGRAM_EVAL, folder.write("text", bytes).string()));
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
    EXPECT_NE(result.output.find(words), std::string::npos) << result.output;
  }
  for (const char* arguments : {"", "/no/such/file", "/ --context 1", "/tmp"}) {
    EXPECT_EQ(shell(fmt::format("{} {}", PROGRAM_EVAL, arguments)).status, 2);
  }
}

// By the kernel's high-water mark of resident memory, VmHWM.
void expect_small(const std::string& arguments) {
  if (kSanitized) GTEST_SKIP() << "AddressSanitizer has memory of its own";
  const Result result = shell(fmt::format("{} {} --json", PROGRAM_04, arguments));
  ASSERT_EQ(result.status, 0) << result.output;
  const Json story = Json::parse(result.output);
  EXPECT_LE(result.peak_bytes, story["weight_bytes"].get<std::uint64_t>() +
                                   story["kv_bytes_allocated"].get<std::uint64_t>() + 40 * kMiB);
}

TEST(Programs, TheCacheProgramStaysWithinWeightsCacheAndFortyMebibytes) {
  expect_small("--temperature 0.8");
}

TEST(Programs, SoItDoesWithAPublishedModel) {
  const fs::path model = fs::path(QUIRE_SOURCE_DIR) / "data/models/smollm2";
  if (!fs::exists(model)) GTEST_SKIP() << model << " is not there; data/get_model smollm2";
  expect_small(fmt::format("--model {} --max-tokens 100", model.string()));
}

TEST(Programs, ASampleInBlocksIsTheOneInASlab) {
  const std::string arguments = "--temperature 0.8 --seed 5 --max-tokens 30";
  const Json slab = run_json(PROGRAM_04, arguments);
  const Json blocks = run_json(PROGRAM_09, arguments + " --n 2 --block-size 3");
  EXPECT_EQ(blocks["prompt_ids"], slab["prompt_ids"]);
  EXPECT_EQ(blocks["samples"][0]["ids"], slab["ids"]);
  EXPECT_EQ(blocks["samples"][0]["text"], slab["text"]);
  EXPECT_NE(blocks["samples"][1]["ids"], slab["ids"]);
  const Json gathered = run_json(PROGRAM_09, arguments + " --n 2 --block-size 3 --gather");
  EXPECT_EQ(gathered, blocks);
}

TEST(Programs, TextBecomesIdsAndIdsBecomeTheText) {
  const Result ids = shell(fmt::format("{} --json --bare --encode 'two  words\u00e9'", PROGRAM_01));
  EXPECT_EQ(ids.status, 0) << ids.output;
  const Result text = shell(fmt::format("{} --json --decode '{}'", PROGRAM_01, ids.output));
  EXPECT_EQ(Json::parse(text.output), "two  words\u00e9") << ids.output;
}

TEST(Programs, EachLineOfAFileIsATextOfItsOwn) {
  const std::string lines = "printf 'one\n\ntwo words\n' | ";
  const Result ids = shell(fmt::format("{} {} --json --encode-file -", lines, PROGRAM_01));
  EXPECT_EQ(std::count(ids.output.begin(), ids.output.end(), '\n'), 3) << ids.output;
  const Result text =
      shell(fmt::format("printf '{}' | {} --decode-file -", ids.output, PROGRAM_01));
  EXPECT_EQ(text.output, "one\n\ntwo words\n");
}

class RefusesOfTexts : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(RefusesOfTexts, InOneLineWithStatusTwo) {
  const auto [arguments, words] = GetParam();
  const Result result = shell(fmt::format("{} {}", PROGRAM_01, arguments));
  EXPECT_EQ(result.status, 2);
  EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
  EXPECT_NE(result.output.find(words), std::string::npos) << result.output;
}

INSTANTIATE_TEST_SUITE_P(Programs, RefusesOfTexts,
                         testing::Values(std::pair{"--decode '1 x'", "--decode"},
                                         std::pair{"--decode -1", "0 to 2147483647"},
                                         std::pair{"--encode-file /nowhere", "does not exist"},
                                         std::pair{"--encode-file ''", "name"},
                                         std::pair{"--measure /dev/null", "no text"},
                                         std::pair{"--encode a --decode 1", "--encode"},
                                         std::pair{"--model /nowhere", "which is no folder"}));

class Refuses : public testing::TestWithParam<std::pair<const char*, const char*>> {};

TEST_P(Refuses, InOneLineWithStatusTwo) {
  const auto [arguments, words] = GetParam();
  for (const char* program : {PROGRAM_00, PROGRAM_02, PROGRAM_03, PROGRAM_04}) {
    const Result result = shell(fmt::format("{} {}", program, arguments));
    EXPECT_EQ(result.status, 2);
    EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
    EXPECT_EQ(result.output.find('\n'), result.output.size() - 1) << result.output;
    EXPECT_NE(result.output.find(words), std::string::npos) << result.output;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Programs, Refuses,
    testing::Values(std::pair{"--model /nowhere", "which is no folder"},
                    std::pair{"--max-tokens 0", "1 to 2147483647"},
                    std::pair{"--temperature -1", "--temperature"},
                    std::pair{"--prompt \"$(yes word | head -n 1100 | tr '\\n' ' ')\"",
                              "the model's context is 1024"}));

}  // namespace
}  // namespace quire::test
