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
  EXPECT_EQ(options.temperature, 0);
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
  for (const char* part : {refused.option, refused.value, refused.expected}) {
    EXPECT_NE(message.find(part), std::string::npos) << part << " is missing in: " << message;
  }
}

INSTANTIATE_TEST_SUITE_P(
    Numbers, RefusedOption,
    testing::Values(
        Refused{"--max-tokens", "0", "at least 1"}, Refused{"--max-tokens", "-5", "at least 1"},
        Refused{"--max-tokens", "99999999999", "at least 1"},
        Refused{"--max-tokens", "99999999999999999999", "at least 1"},
        Refused{"--max-tokens", "3.5", "whole number"},
        Refused{"--max-tokens", "many", "whole number"},
        Refused{"--max-tokens", "1x", "whole number"},
        Refused{"--temperature", "-0.1", "at least 0"}, Refused{"--temperature", "nan", "finite"},
        Refused{"--temperature", "inf", "finite"}, Refused{"--temperature", "1e39", "finite"},
        Refused{"--temperature", "warm", "finite"}, Refused{"--seed", "-1", "at least 0"},
        Refused{"--seed", "x", "whole number"}, Refused{"--threads", "-1", "0 to 1024"},
        Refused{"--threads", "1025", "0 to 1024"},
        Refused{"--model", "/no/such/folder", "config.json"}));

TEST(Options, TakeAPromptFromAFile) {
  const std::string file = testing::TempDir() + "quire_prompt.txt";
  std::ofstream(file) << "Two\nlines";
  EXPECT_EQ(parsed({"--prompt-file", file}).prompt, "Two\nlines");
}

}  // namespace
}  // namespace quire
