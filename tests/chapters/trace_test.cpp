#include "chapters/08_static_batching/trace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = QUIRE_SOURCE_DIR;
const fs::path kAzure =
    kRoot / "../shared/data/traces/azure-llm-2023/AzureLLMInferenceTrace_conv.csv";

constexpr const char* kHeader = "arrival,prompt_tokens,output_tokens\n";

std::vector<TraceRequest> parse(const std::string& text) {
  return parse_trace(text, "t.csv");
}

// The mean and the median of one number of each request.
struct Statistics {
  double mean = 0, median = 0;
};

Statistics statistics_of(const std::vector<TraceRequest>& trace, int TraceRequest::*number) {
  std::vector<double> numbers;
  double sum = 0;
  for (const TraceRequest& request : trace) {
    numbers.push_back(request.*number);
    sum += request.*number;
  }
  std::sort(numbers.begin(), numbers.end());
  const std::size_t n = numbers.size();
  return {sum / static_cast<double>(n), (numbers[(n - 1) / 2] + numbers[n / 2]) / 2};
}

TEST(Trace, IsReadByTheNamesOfItsColumns) {
  const auto trace = parse("user,output_tokens,arrival,prompt_tokens\nx,7,0.25,9\n,1,2,16777216\n");
  ASSERT_EQ(trace.size(), 2u);
  EXPECT_EQ(trace[0].arrival, 0.25);
  EXPECT_EQ(trace[0].prompt_tokens, 9);
  EXPECT_EQ(trace[0].output_tokens, 7);
  EXPECT_EQ(trace[1].arrival, 2);
  EXPECT_EQ(trace[1].prompt_tokens, kMaxTraceTokens);
}

TEST(Trace, DatesAndTimesBecomeSecondsSinceTheFirst) {
  const auto trace = parse(
      "TIMESTAMP,ContextTokens,GeneratedTokens\r\n"
      "2024-02-28 23:59:59.5,1,1\r\n2024-02-29T00:00:00.7500000,1,1\r\n2024-03-01 00:00:00,1,1");
  ASSERT_EQ(trace.size(), 3u);
  EXPECT_EQ(trace[0].arrival, 0);
  EXPECT_NEAR(trace[1].arrival, 1.25, 1e-6);
  EXPECT_NEAR(trace[2].arrival, 86400.5, 1e-6) << "2024 has a 29th of February";
}

TEST(Trace, ALineThatIsWrongIsNamedWithWhatIsThereAndWhatWouldBeRight) {
  const std::string azure = "TIMESTAMP,ContextTokens,GeneratedTokens\n";
  struct Case {
    std::string text;
    std::vector<std::string> words;
  };
  const std::string good = kHeader + std::string("0,1,1\n");
  for (const Case& wrong : std::vector<Case>{
           {"", {"t.csv", "empty"}},
           {kHeader, {"t.csv", "no request"}},
           {"arrival,prompt_tokens\n0,1\n", {"line 1", "output_tokens", "GeneratedTokens"}},
           {"arrival,TIMESTAMP,prompt_tokens,output_tokens\n", {"line 1", "TIMESTAMP", "twice"}},
           {good + "1,2\n", {"line 3", "2 fields", "names 3"}},
           {good + "1,2,3,4\n", {"line 3", "4 fields"}},
           {good + "\n", {"line 3", "1 fields"}},
           {good + "1,0,1\n", {"line 3", "prompt_tokens \"0\"", "from 1 to 16777216"}},
           {good + "1,1,-5\n", {"line 3", "output_tokens \"-5\""}},
           {good + "1,1,16777217\n", {"line 3", "16777217"}},
           {good + "1,99999999999999999999,1\n", {"line 3", "99999999999999999999"}},
           {good + "1,1.5,1\n", {"line 3", "\"1.5\"", "whole number"}},
           {good + "1, 1,1\n", {"line 3", "\" 1\""}},
           {good + "1,1,\n", {"line 3", "output_tokens \"\""}},
           {good + "1,1,1\x01\n", {"line 3", "\\u0001"}},
           {good + "nan,1,1\n", {"line 3", "\"nan\"", "number of seconds"}},
           {good + "1e400,1,1\n", {"line 3", "1e400"}},
           {good + "1e13,1,1\n", {"line 3", "at most"}},
           {good + "-1,1,1\n", {"line 3", "before the line above"}},
           {good + "2023-11-16 18:15:46,1,1\n", {"line 3", "number of seconds"}},
           {azure + "2023-11-16 18:15:46,1,1\n7,1,1\n", {"line 3", "date and time"}},
           {azure + "2023-11-16 18:15:46,1,1\n2023-11-16 18:15:45.9,1,1\n", {"line 3", "before"}},
           {azure + "2023-02-29 00:00:00,1,1\n", {"line 2", "2023-02-29"}},
           {azure + "2023-11-16 24:00:00,1,1\n", {"line 2", "24:00:00"}},
           {azure + "2023-11-16 10:00:00.,1,1\n", {"line 2"}},
           {azure + "2023-11-16 10:00:00.5s,1,1\n", {"line 2"}},
           {azure + "2023-11--1 10:00:00,1,1\n", {"line 2"}}}) {
    const std::string message = error_of([&] { parse(wrong.text); });
    for (const std::string& word : wrong.words) {
      EXPECT_NE(message.find(word), std::string::npos) << word << " is missing in: " << message;
    }
  }
}

TEST(Trace, CutAnywhereItIsReadOrRefused) {
  const std::string whole =
      "TIMESTAMP,ContextTokens,GeneratedTokens\n2023-11-16 18:15:46.68,374,44\n"
      "2023-11-16 18:15:50.99,396,109\n";
  std::size_t read = 0;
  for (std::size_t length = 0; length <= whole.size(); ++length) {
    try {
      read += parse(whole.substr(0, length)).size();
    } catch (const Error&) {
    }
  }
  EXPECT_GT(read, 0u);
}

TEST(Trace, AFileIsNamedInItsErrors) {
  const TemporaryFolder folder;
  expect_error([&] { read_trace(folder.path() / "none.csv"); }, {"none.csv"});
  expect_error([&] { read_trace(folder.write("bad.csv", "a,b\n")); }, {"bad.csv", "line 1"});
}

TEST(Trace, TheFirstRequestsThatFitAreTakenInOrder) {
  const auto trace = parse(kHeader + std::string("0,10,5\n1,10,6\n2,1,1\n3,14,1\n4,2,2\n"));
  const auto fitting = first_that_fit(trace, 3, 15);
  ASSERT_EQ(fitting.size(), 3u);
  EXPECT_EQ(fitting[0].arrival, 0) << "prompt and output of exactly the context fit";
  EXPECT_EQ(fitting[1].arrival, 2);
  EXPECT_EQ(fitting[2].arrival, 3);
  expect_error([&] { first_that_fit(trace, 5, 15); }, {"4 requests", "15", "5 were asked"});
}

// data/traces/README.md says where these numbers are published.
TEST(MadeUpTraces, HaveThePublishedLengths) {
  struct Published {
    const char* name;
    Statistics prompt, output;  // a median of 0 is not published
  };
  for (const Published& published :
       std::vector<Published>{{"conversations", {1154.70, 1020}, {211.13, 129}},
                              {"code", {2047.85, 1469}, {27.88, 13}},
                              {"sharegpt", {161.31, 0}, {337.99, 0}},
                              {"alpaca", {19.31, 0}, {58.45, 0}}}) {
    SCOPED_TRACE(published.name);
    const auto trace = read_trace(kRoot / "data/traces" / (std::string(published.name) + ".csv"));
    EXPECT_EQ(trace.size(), 1000u);
    const Statistics prompt = statistics_of(trace, &TraceRequest::prompt_tokens);
    const Statistics output = statistics_of(trace, &TraceRequest::output_tokens);
    EXPECT_NEAR(prompt.mean, published.prompt.mean, 0.005);
    EXPECT_NEAR(output.mean, published.output.mean, 0.005);
    if (published.prompt.median > 0) {
      EXPECT_EQ(prompt.median, published.prompt.median);
      EXPECT_EQ(output.median, published.output.median);
    }
    EXPECT_GE(std::count_if(trace.begin(), trace.end(),
                            [](const TraceRequest& request) {
                              return request.prompt_tokens + request.output_tokens <= 1024;
                            }),
              256)
        << "enough of them fit a context of 1,024";
  }
}

TEST(AzureTrace, HasItsPublishedLengths) {
  if (!fs::exists(kAzure)) GTEST_SKIP() << kAzure << " is not here";
  const auto trace = read_trace(kAzure);
  EXPECT_EQ(trace.size(), 19366u);
  const Statistics prompt = statistics_of(trace, &TraceRequest::prompt_tokens);
  const Statistics output = statistics_of(trace, &TraceRequest::output_tokens);
  EXPECT_NEAR(prompt.mean, 1154.70, 0.005);
  EXPECT_EQ(prompt.median, 1020);
  EXPECT_NEAR(output.mean, 211.13, 0.005);
  EXPECT_EQ(output.median, 129);
  EXPECT_NEAR(trace.back().arrival, 3501.72, 0.01) << "18:15:46.68 to 19:14:08.40";
}

}  // namespace
}  // namespace quire::test
