#include "src/app/options.h"

#include <gtest/gtest.h>

#include <fstream>
#include <vector>

#include "src/core/error.h"

namespace quire {
namespace {

// The options after parsing some arguments.
Options parsed(const std::vector<std::string>& values) {
  Arguments arguments("test");
  Options options;
  add_all_options(arguments, options);
  add_sampling_options(arguments, options);
  add_stop_options(arguments, options);
  std::vector<const char*> argv = {"test"};
  for (const std::string& value : values) argv.push_back(value.c_str());
  arguments.parse(static_cast<int>(argv.size()), argv.data());
  return options;
}

std::string error_of(const std::vector<std::string>& arguments) {
  try {
    parsed(arguments);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(Options, HaveSensibleDefaults) {
  const Options options = parsed({});
  EXPECT_EQ(options.model, data_folder() / "model");
  EXPECT_FALSE(options.prompt.empty());
  EXPECT_FALSE(options.max_tokens.has_value());
  EXPECT_EQ(options.sampling.temperature, 0);
  EXPECT_EQ(options.device.name, "cpu");
  EXPECT_FALSE(options.json);
}

struct Refused {
  const char* option;
  const char* value;
  const char* expected;
};

class RefusedOption : public testing::TestWithParam<Refused> {};

TEST_P(RefusedOption, SaysWhatWasGivenAndWhatWouldBeRight) {
  const Refused& refused = GetParam();
  const std::string message = error_of({refused.option, refused.value});
  for (const char* part : {refused.value, refused.expected}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in: " << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, RefusedOption,
    testing::Values(
        Refused{"--max-tokens", "0", "1 to 2147483647"},
        Refused{"--max-tokens", "-5", "1 to 2147483647"},
        Refused{"--max-tokens", "2147483648", "1 to 2147483647"},
        Refused{"--max-tokens", "99999999999999999999", "1 to 2147483647"},
        Refused{"--max-tokens", "3.5", "whole number"},
        Refused{"--max-tokens", "many", "whole number"},
        Refused{"--max-tokens", "1x", "whole number"},
        Refused{"--temperature", "-0.1", "0 to 3.4e+38"}, Refused{"--temperature", "nan", "finite"},
        Refused{"--temperature", "inf", "finite"},
        Refused{"--temperature", "1e308", "0 to 3.4e+38"},
        Refused{"--temperature", "warm", "finite"},
        Refused{"--seed", "-1", "0 to 18446744073709551615"},
        Refused{"--seed", "18446744073709551616", "0 to 18446744073709551615"},
        Refused{"--seed", "x", "whole number"}, Refused{"--threads", "-1", "0 to 1024"},
        Refused{"--threads", "1025", "0 to 1024"},
        Refused{"--device", "tpu", "cpu, eigen, emulated, gpu"},
        Refused{"--model", "/no/such/folder", "config.json, model.safetensors and tokenizer.json"},
        Refused{"--top-k", "-2", "-1 to 2147483647"}, Refused{"--top-p", "1.5", "0 to 1"},
        Refused{"--top-p", "-0.5", "0 to 1"}, Refused{"--min-p", "2", "0 to 1"},
        Refused{"--repetition-penalty", "0", "0.01 to 100"},
        Refused{"--presence-penalty", "2.5", "-2 to 2"},
        Refused{"--frequency-penalty", "-2.5", "-2 to 2"},
        Refused{"--logit-bias", "17", "a token id, =, and a number"},
        Refused{"--logit-bias", "17=101", "-100 to 100"},
        Refused{"--logit-bias", "-1=3", "0 to 2147483647"},
        Refused{"--logprobs", "101", "0 to 100"}, Refused{"--stop-id", "x", "whole number"},
        Refused{"--prompt-file", "", "name of a file"},
        Refused{"--prompt-file", "/no/such/file", "does not exist"}));

TEST(Options, OfSamplingReachTheGeneration) {
  const Options options = parsed({"--temperature",
                                  "0.5",
                                  "--seed",
                                  "3",
                                  "--top-k",
                                  "-1",
                                  "--top-p",
                                  "0.9",
                                  "--min-p",
                                  "0.1",
                                  "--repetition-penalty",
                                  "1.5",
                                  "--presence-penalty",
                                  "-1",
                                  "--frequency-penalty",
                                  "0.25",
                                  "--logit-bias",
                                  "7=-2.5",
                                  "--logit-bias",
                                  "8=1",
                                  "--logprobs",
                                  "4",
                                  "--stop-id",
                                  "5",
                                  "--stop-id",
                                  "6",
                                  "--ignore-eos"});
  const GenerationOptions generation = generation_of(options);
  const SamplingOptions& sampling = generation.sampling;
  EXPECT_EQ(sampling.temperature, 0.5);
  EXPECT_EQ(sampling.seed, 3u);
  EXPECT_EQ(sampling.top_k, -1);
  EXPECT_EQ(sampling.top_p, 0.9);
  EXPECT_EQ(sampling.min_p, 0.1);
  EXPECT_EQ(sampling.repetition_penalty, 1.5);
  EXPECT_EQ(sampling.presence_penalty, -1);
  EXPECT_EQ(sampling.frequency_penalty, 0.25);
  ASSERT_EQ(sampling.logit_bias.size(), 2u);
  EXPECT_EQ(sampling.logit_bias[0].token, TokenId{7});
  EXPECT_EQ(sampling.logit_bias[0].bias, -2.5);
  EXPECT_EQ(generation.logprobs, 4);
  EXPECT_EQ(generation.stop_ids, (std::vector<TokenId>{TokenId{5}, TokenId{6}}));
  EXPECT_TRUE(generation.ignore_eos);
}

TEST(Options, StopStringsMayBeGivenAgainAndLookLikeAnything) {
  const std::vector<std::string> stops = {"the end", "[a,b]", "", "\n"};
  std::vector<std::string> arguments;
  for (const std::string& stop : stops) arguments.insert(arguments.end(), {"--stop", stop});
  EXPECT_EQ(parsed(arguments).stop, stops);
  EXPECT_EQ(parsed({"--stop=--json", "--stop=a b"}).stop,
            (std::vector<std::string>{"--json", "a b"}));
}

TEST(Options, TakeAPromptFromAFile) {
  const std::string file = testing::TempDir() + "quire_prompt.txt";
  std::ofstream(file) << "Two\nlines";
  EXPECT_EQ(parsed({"--prompt-file", file}).prompt, "Two\nlines");
}

TEST(Options, RefuseAPromptFileBeyondTheLimit) {
  const std::string file = testing::TempDir() + "quire_large_prompt.txt";
  std::ofstream(file).put(' ');
  std::filesystem::resize_file(file, (16u << 20) + 1);
  const std::string message = error_of({"--prompt-file", file});
  EXPECT_NE(message.find("16777217 bytes; the limit is 16777216"), std::string::npos) << message;
}

TEST(Options, TakeEverySeedOf64Bits) {
  EXPECT_EQ(parsed({"--seed", "18446744073709551615"}).sampling.seed, ~std::uint64_t{0});
}

TEST(Options, AModelThatIsALinkToItselfIsNoFolder) {
  const std::string link = testing::TempDir() + "quire_model_loop";
  std::filesystem::remove(link);
  std::filesystem::create_symlink(link, link);
  const std::string message = error_of({"--model", link});
  EXPECT_NE(message.find("which is no folder"), std::string::npos) << message;
}

TEST(Options, ThatExcludeEachOtherAreRefusedBeforeAFileIsRead) {
  const std::string message = error_of({"--prompt-file", "/no/such/file", "--prompt", "a"});
  EXPECT_NE(message.find("excludes"), std::string::npos) << message;
}

}  // namespace
}  // namespace quire
