// The whole engine on the CUDA kernels: the same greedy tokens as on the reference, however keys and
// values are kept, and whoever else is served.
//
// Emulated always; on a GPU where there is one. Every choice that the texts below make leads by far
// more than rounding could change, and the tests check that it does.
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "chapters/04_kv_cache/slab.h"
#include "src/core/error.h"
#include "src/core/json.h"
#include "src/model/bill.h"
#include "tests/chapters/serving.h"

namespace quire::test {
namespace {

constexpr int kTokens = 16;

struct Machine {
  Backend backend;
  std::string model;
};

void PrintTo(const Machine& machine, std::ostream* out) {
  *out << name_of(machine.backend) << " " << machine.model;
}

// The built-in model, and one of every family.
const std::vector<std::string> kModels = {"builtin", "llama-6-2", "mistral-window", "qwen2",
                                          "qwen3"};

std::vector<Machine> machines() {
  std::vector<Machine> result;
  for (const Backend backend : {Backend::emulated, Backend::gpu}) {
    for (const std::string& name : kModels) result.push_back({backend, name});
  }
  return result;
}

std::string name_of(const testing::TestParamInfo<Machine>& info) {
  std::string name = std::string(name_of(info.param.backend)) + "_" + info.param.model;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

GenerationOptions greedy() {
  GenerationOptions options{.max_tokens = kTokens, .ignore_eos = true};
  options.logprobs = 2;
  return options;
}

// By how much the choices lead in logprob: the least of them.
double least_lead(const std::vector<ChoiceLogprobs>& choices) {
  double least = std::numeric_limits<double>::infinity();
  for (const ChoiceLogprobs& choice : choices) {
    least = std::min(least, choice.top[0].logprob - choice.top[1].logprob);
  }
  return least;
}

class KernelEngine : public testing::TestWithParam<Machine> {
 protected:
  void SetUp() override {
    try {
      model = std::make_unique<TestModel>(GetParam().model, nullptr, 1, GetParam().backend);
    } catch (const Error& error) {
      if (GetParam().backend != Backend::gpu) throw;
      GTEST_SKIP() << error.what();
    }
  }

  // Prompts that the golden has too: of different lengths.
  std::vector<std::vector<TokenId>> prompts() const {
    const auto file =
        std::filesystem::path(QUIRE_SOURCE_DIR) / "tests/golden" / (GetParam().model + ".json");
    std::vector<std::vector<TokenId>> result;
    const Json golden = read_json(file);
    for (const Json& prompt : golden.at("prompts")) {
      result.push_back(tokens_of(prompt.at("ids")));
    }
    return result;
  }

  Generation in_a_slab(TestModel& on, const std::vector<TokenId>& prompt) const {
    Slab slab(static_cast<int>(prompt.size()) + kTokens);
    KvStorage storage(on.ops(), kv_shape_of(on.config()), slab, true);
    return generate(on.decoder(), slab, storage, prompt, greedy(), nobody());
  }

  Generation in_blocks(TestModel& on, const std::vector<TokenId>& prompt) const {
    constexpr int kBlockSize = 5;
    const auto rows = static_cast<int>(prompt.size()) + kTokens;
    BlockManager manager(static_cast<int>(blocks_needed(rows, kBlockSize)) + 3, kBlockSize);
    scramble(manager);
    KvStorage storage(on.ops(), kv_shape_of(on.config()), manager, true);
    return generate(on.decoder(), manager, storage, prompt, greedy(), nobody());
  }

  // What the reference makes of a prompt; its choices are beyond doubt.
  std::vector<TokenId> expected(const std::vector<TokenId>& prompt) {
    const Generation generation = in_a_slab(reference, prompt);
    EXPECT_GT(least_lead(generation.logprobs), 1e-3) << "rounding might decide a choice";
    return generation.tokens;
  }

  TestModel reference{GetParam().model};
  std::unique_ptr<TestModel> model;
};

// One text at a time; the built-in model takes seconds for it.
using OneText = KernelEngine;
// Four of them.
using ManyTexts = KernelEngine;

INSTANTIATE_TEST_SUITE_P(On, OneText, testing::ValuesIn(machines()), name_of);
INSTANTIATE_TEST_SUITE_P(On, ManyTexts, testing::ValuesIn(machines()), name_of);

TEST_P(OneText, ContiguousKeysAndValuesGiveTheReferencesTokens) {
  const auto prompt = prompts().back();
  EXPECT_TRUE(in_a_slab(*model, prompt).tokens == expected(prompt));
}

TEST_P(OneText, BlocksGiveTheSameLogprobsAsOneSlabBitForBit) {
  const auto prompt = prompts().back();
  const Generation slab = in_a_slab(*model, prompt), blocks = in_blocks(*model, prompt);
  EXPECT_TRUE(blocks.tokens == expected(prompt));
  for (std::size_t i = 0; i < slab.logprobs.size(); ++i) {
    EXPECT_EQ(blocks.logprobs[i].chosen.logprob, slab.logprobs[i].chosen.logprob) << "token " << i;
  }
}

TEST_P(ManyTexts, FourRequestsOfWhichOneIsPreemptedGetTheirTokens) {
  constexpr int kBlockSize = 4;
  std::vector<std::vector<TokenId>> texts = prompts();
  texts.resize(4, {TokenId{5}, TokenId{9}, TokenId{2}});
  int most = 0;
  for (const auto& prompt : texts) {
    const Index rows = static_cast<Index>(prompt.size()) + kTokens;
    most = std::max(most, static_cast<int>(blocks_needed(rows, kBlockSize)));
  }
  BlockManager manager(most + 2, kBlockSize);
  scramble(manager);
  KvStorage storage(model->ops(), kv_shape_of(model->config()), manager, true);
  Engine engine(model->decoder(), manager, storage, {.budget = 32});
  Reader reader;
  std::vector<SequenceId> ids;
  for (const auto& prompt : texts) {
    ids.push_back(engine.add({.prompt = prompt, .options = greedy()}));
  }
  std::size_t preemptions = 0;
  while (!engine.idle()) {
    reader.read(engine.step());
    preemptions += engine.scheduler().plan().preempted.size();
  }
  EXPECT_GT(preemptions, 0u);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    EXPECT_TRUE(reader.text(ids[i]).tokens == expected(texts[i])) << "request " << i;
  }
}

// Rows are damaged through the host's memory, which the emulator's kernels work in.
TEST(EmulatedEngine, ABrokenRequestFailsAloneAndTheOthersGetTheirTokens) {
  TestModel model("qwen3", nullptr, 1, Backend::emulated);
  const auto requests = four_requests(model.config());
  Server server(model, 60, 3);
  std::vector<SequenceId> ids;
  for (const auto& request : requests) ids.push_back(server.add(request));
  server.step();
  server.cache.damage(ids[1]);
  server.finish();
  EXPECT_EQ(server.reader.text(ids[1]).finish, FinishReason::error);
  EXPECT_EQ(server.reader.text(ids[1]).tokens.size(), 1u);
  for (const std::size_t i : {0u, 2u, 3u}) {
    EXPECT_TRUE(server.reader.text(ids[i]).tokens == alone(model, requests[i]).tokens)
        << "request " << i;
  }
}

}  // namespace
}  // namespace quire::test
