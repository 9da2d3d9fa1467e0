#include "chapters/10_continuous_batching/engine.h"

#include <gtest/gtest.h>

#include <set>

#include "tests/chapters/serving.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"
#include "tests/support/print_ids.h"

namespace quire::test {
namespace {

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "10#the-idea"};
}

GenerationRequest ask(const std::vector<int>& prompt, int max_tokens) {
  GenerationRequest request{.prompt = tokens_of(prompt), .options = {.max_tokens = max_tokens}};
  request.options.ignore_eos = true;
  return request;
}

class EngineTest : public testing::Test {
 protected:
  TestModel model{"llama-6-2", nullptr, 1, Backend::simd};
};

TEST_F(EngineTest, EachTokenComesOnceAndTheLastSaysWhy) {
  Server server(model, 20, 4);
  const auto request = ask({3, 14, 15}, 4);
  server.add(request);
  std::vector<TokenId> tokens;
  for (int step = 0; step < 4; ++step) {
    const auto outputs = server.engine.step();
    ASSERT_EQ(outputs.size(), 1u) << fact("a sequence that computed all it knows gets a token");
    tokens.push_back(outputs[0].token.value());
    EXPECT_EQ(outputs[0].finish.has_value(), step == 3);
    if (step == 3) {
      EXPECT_EQ(outputs[0].finish, FinishReason::length);
    }
  }
  EXPECT_EQ(tokens, alone(model, request).tokens);
  EXPECT_TRUE(server.engine.idle());
  EXPECT_TRUE(server.engine.step().empty()) << fact("a step without requests does nothing");
}

TEST_F(EngineTest, APieceOfAPromptYieldsNoToken) {
  Server server(model, 20, 4, {.budget = 2});
  const auto request = ask({3, 14, 15, 9, 26}, 1);
  server.add(request);
  EXPECT_TRUE(server.engine.step().empty());
  EXPECT_TRUE(server.engine.step().empty());
  const auto outputs = server.engine.step();
  ASSERT_EQ(outputs.size(), 1u);
  EXPECT_EQ(outputs[0].token, alone(model, request).tokens[0]);
}

TEST_F(EngineTest, EndOfSequenceAndStopIdsEndATextUnlessIgnored) {
  const auto request = ask({3, 14, 15, 9, 26}, 12);
  const std::vector<TokenId> tokens = alone(model, request).tokens;
  TestModel ends(
      "llama-6-2", [&](ModelConfig& config) { config.eos = {tokens[4]}; }, 1, Backend::simd);
  Server server(ends, 20, 4);
  auto to_eos = request, to_stop_id = request;
  to_eos.options.ignore_eos = false;
  to_stop_id.options.stop_ids = {tokens[2]};
  const auto eos = server.add(to_eos), stop = server.add(to_stop_id), all = server.add(request);
  server.finish();
  const auto begin = tokens.begin();
  EXPECT_EQ(server.reader.text(eos).tokens, std::vector<TokenId>(begin, begin + 5));
  EXPECT_EQ(server.reader.text(stop).tokens, std::vector<TokenId>(begin, begin + 3));
  EXPECT_EQ(server.reader.text(all).tokens, tokens) << fact("who ends takes nobody along");
  EXPECT_EQ(server.reader.text(eos).finish, FinishReason::stop);
  EXPECT_EQ(server.reader.text(stop).finish, FinishReason::stop);
  EXPECT_EQ(server.reader.text(all).finish, FinishReason::length);
}

TEST_F(EngineTest, WhatCannotBeServedIsRefusedAndTheNextRequestWorks) {
  Server server(model, 5, 4);  // 20 rows; the context is 128
  const auto refuse = [&](const GenerationRequest& request,
                          std::initializer_list<std::string_view> parts) {
    expect_error([&] { server.add(request); }, parts);
    EXPECT_TRUE(server.engine.idle());
  };
  refuse(ask({}, 4), {"empty"});
  refuse(ask({3}, 0), {"max_tokens is 0", "at least 1"});
  refuse(ask({3}, -1), {"max_tokens is -1"});
  refuse(ask(std::vector<int>(128, 3), 1), {"128 tokens", "context"});
  refuse(ask(std::vector<int>(18, 3), 4), {"18 prompt", "4 to generate", "21 rows", "has 20"});
  refuse(ask({3, 160}, 4), {"token 160", "0 to 159"});
  refuse(ask({3, -1}, 4), {"token -1"});
  auto request = ask({3}, 4);
  request.options.sampling.top_p = 1.5;
  refuse(request, {"top_p"});
  request = ask({3}, 4);
  request.samples = 0;
  refuse(request, {"0 samples"});
  request = ask({3}, 4);
  request.options.logprobs = -1;
  refuse(request, {"logprobs is -1"});
  request = ask({3}, 4);
  request.options.stop_when = [] { return true; };
  refuse(request, {"abort"});
  const auto id = server.add(ask(std::vector<int>(18, 3), 3));
  server.finish();
  EXPECT_EQ(server.reader.text(id).tokens.size(), 3u)
      << fact("P prompt and G generated tokens need P + G - 1 rows");
}

TEST_F(EngineTest, WithoutALimitATextFillsTheContextOrTheCache) {
  auto request = ask(std::vector<int>(10, 3), 1);
  request.options.max_tokens.reset();
  Server small(model, 5, 4), large(model, 100, 4);
  const auto a = small.add(request), b = large.add(request);
  small.finish();
  large.finish();
  EXPECT_EQ(small.reader.text(a).tokens.size(), 11u) << "20 rows, and the last token is never fed";
  EXPECT_EQ(large.reader.text(b).tokens.size(), 118u) << "a context of 128";
  EXPECT_EQ(small.reader.text(a).finish, FinishReason::length);
}

TEST_F(EngineTest, APromptThatLeavesRoomForOneTokenGetsIt) {
  Server server(model, 40, 4);
  const auto id = server.add(ask(std::vector<int>(127, 3), 9));
  server.finish();
  EXPECT_EQ(server.reader.text(id).tokens.size(), 1u);
  EXPECT_EQ(server.reader.text(id).finish, FinishReason::length);
}

TEST_F(EngineTest, SamplesOfOneSeedAreRepeatableAndDiffer) {
  auto request = ask({3, 14, 15, 9, 26}, 8);
  request.samples = 4;
  request.options.sampling = {.temperature = 1, .seed = 5};
  std::vector<std::vector<TokenId>> runs[2];
  for (auto& texts : runs) {
    Server server(model, 40, 4);
    const int first = to_int(server.add(request));
    server.finish();
    for (int k = 0; k < 4; ++k) {
      texts.push_back(server.reader.text(SequenceId{first + k}).tokens);
    }
  }
  EXPECT_EQ(runs[0], runs[1]);
  EXPECT_GT(std::set(runs[0].begin(), runs[0].end()).size(), 1u);
}

TEST_F(EngineTest, SamplesComputeTheirPromptOnce) {
  auto request = ask({3, 14, 15, 9, 26, 5, 35, 8, 9}, 6);
  request.samples = 4;
  Server server(model, 40, 4);
  server.add(request);
  int rows = 0;
  while (!server.engine.idle()) {
    server.step();
    for (const Share& share : server.engine.scheduler().plan().shares) rows += share.rows;
  }
  EXPECT_EQ(rows, 9 + 3 * 1 + 4 * 5) << fact("each further sample computes one row of the prompt");
}

TEST_F(EngineTest, ACacheThatWasUsedGivesTheSameTexts) {
  const auto requests = four_requests(model.config());
  Server server(model, 20, 3);
  for (int round = 0; round < 2; ++round) {
    std::vector<SequenceId> ids;
    for (const auto& request : requests) ids.push_back(server.add(request));
    server.finish();
    for (std::size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(server.reader.text(ids[i]), alone(model, requests[i]))
          << fact("what others left behind is never read");
    }
  }
}

TEST_F(EngineTest, AFullCacheCostsTimeAndNoOutput) {
  const int block_size = 4;
  std::vector<GenerationRequest> requests;
  for (int i = 0; i < 4; ++i) requests.push_back(ask({3 + i, 14, 15, 9, 26}, 20));
  Server server(model, 7, block_size);
  std::vector<SequenceId> ids;
  std::vector<int> ended(4, -1);
  for (const auto& request : requests) ids.push_back(server.add(request));
  for (int step = 0; !server.engine.idle(); ++step) {
    server.step();
    for (std::size_t i = 0; i < 4; ++i) {
      if (ended[i] < 0 && server.reader.text(ids[i]).finish) ended[i] = step;
    }
  }
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(server.reader.text(ids[i]).tokens, alone(model, requests[i]).tokens);
    if (i > 0) {
      EXPECT_GT(ended[i], ended[i - 1]) << fact("of equal requests the first ends first");
    }
  }
  EXPECT_GT(server.preemptions, 0);
  // Each time somebody leaves, an older one has taken a block.
  EXPECT_LE(server.preemptions, 4 * static_cast<int>(blocks_needed(24, block_size)));
}

TEST_F(EngineTest, ABrokenRequestFailsAloneAndSaysWhy) {
  const auto requests = four_requests(model.config());
  Server server(model, 60, 3);
  std::vector<SequenceId> ids;
  for (const auto& request : requests) ids.push_back(server.add(request));
  server.step();
  server.step();
  server.cache.damage(ids[1]);
  server.finish();
  const Text& broken = server.reader.text(ids[1]);
  EXPECT_EQ(broken.finish, FinishReason::error);
  EXPECT_NE(broken.error.find("NaN"), std::string::npos) << broken.error;
  EXPECT_EQ(broken.tokens.size(), 2u) << fact("what it had said before stands");
  for (const std::size_t i : {0u, 2u, 3u}) {
    EXPECT_EQ(server.reader.text(ids[i]), alone(model, requests[i])) << "request " << i;
  }
}

TEST_F(EngineTest, AnObserverSeesTheLogitsOfEveryChoice) {
  struct Counter : Observer {
    void on_value(std::string_view name, int, ConstTensor value) override {
      if (name == "logits") rows += value.extent(0);
    }
    Index rows = 0;
  } counter;
  Server server(model, 40, 4);
  server.engine.watch(counter);
  for (const auto& request : four_requests(model.config())) server.add(request);
  server.finish();
  EXPECT_EQ(counter.rows, 12 + 9 + 18 + 6);
}

}  // namespace
}  // namespace quire::test
