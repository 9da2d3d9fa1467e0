// Published models that are not part of the sources, where they are at hand (tests/golden/published.py).
#include <gtest/gtest.h>

#include <fstream>

#include "chapters/04_kv_cache/slab.h"
#include "src/core/json.h"
#include "src/model/bill.h"
#include "src/model/generate.h"
#include "src/text/tokenizer.h"
#include "tests/model/test_model.h"
#include "tests/support/print_ids.h"

namespace quire::test {
namespace {

namespace fs = std::filesystem;

const fs::path kRoot = QUIRE_SOURCE_DIR;
const fs::path kShared = kRoot / "../shared/data";
const fs::path kSmolLm2 = kRoot / "data/models/smollm2";
const fs::path kTinyStories = kShared / "models/tinystories-656k/hf-bf16";

Json golden_of(const char* name) {
  return read_json(kRoot / "tests/golden" / (std::string(name) + ".json"));
}

// A published model with its tokenizer.
class Published {
 public:
  Published(const fs::path& folder, Backend backend)
      : checkpoint_(open_checkpoint(folder)),
        ops_(make_ops(backend, 2)),
        decoder_(make_decoder(folder)) {}

  // Eight numbers by which editions of the weights are told apart.
  bool has_weights(const Json& expected) const {
    const ConstTensor down = checkpoint_->tensor("model.layers.0.mlp.down_proj.weight");
    for (std::size_t i = 0; i < 8; ++i) {
      if (to_float(down.values<BFloat16>()[i]) != expected.at(i).get<float>()) return false;
    }
    return true;
  }

  std::vector<TokenId> continued(const std::vector<TokenId>& prompt, std::size_t tokens,
                                 bool ignore_eos) {
    const int limit = static_cast<int>(tokens);
    Slab manager(static_cast<int>(prompt.size()) + limit);
    KvStorage storage(*ops_, kv_shape_of(decoder_.config()), manager, true);
    const GenerationOptions options{.max_tokens = limit, .ignore_eos = ignore_eos};
    return generate(decoder_, manager, storage, prompt, options, nobody()).tokens;
  }

 private:
  Decoder make_decoder(const fs::path& folder) {
    const ModelConfig config = load_config(folder);
    return {config, load_weights(config, checkpoint_, *ops_), *ops_};
  }

  std::shared_ptr<const Checkpoint> checkpoint_;
  std::unique_ptr<Ops> ops_;
  Decoder decoder_;
};

std::string line_of(const fs::path& file, int line) {
  std::ifstream stream(file);
  std::string text;
  for (int i = 0; i <= line; ++i) std::getline(stream, text);
  return text;
}

// What a row of the two files of prompts asks.
std::string question_in(const Json& row) {
  const auto turns = row.find("turns");
  return turns == row.end() ? row.at("question") : turns->at(0);
}

class TinyStories : public testing::TestWithParam<Backend> {};

INSTANTIATE_TEST_SUITE_P(On, TinyStories, testing::Values(Backend::eigen, Backend::simd));

TEST_P(TinyStories, TellsTheStoryThatOthersRecorded) {
  if (!fs::exists(kTinyStories)) GTEST_SKIP() << kTinyStories << " is not there";
  const Json golden = golden_of("tinystories");
  const Json recorded = read_json(kTinyStories.parent_path() / "expected.json").at("hf_greedy");
  const Tokenizer tokenizer = Tokenizer::load(kTinyStories / "tokenizer.json");
  Published model(kTinyStories, GetParam());
  ASSERT_TRUE(model.has_weights(golden.at("weights")));
  for (const Json& story : golden.at("prompts")) {
    const Json& known = recorded.at(story.at("line").get<std::size_t>());
    std::vector<TokenId> tokens = tokenizer.encode(known.at("prompt").get<std::string>());
    EXPECT_EQ(tokens, tokens_of(story.at("ids")));
    const std::vector<TokenId> expected = tokens_of(story.at("greedy"));
    // Room for more: it must end by itself.
    const auto continuation = model.continued(tokens, expected.size() + 20, false);
    EXPECT_EQ(continuation, expected);
    tokens.insert(tokens.end(), continuation.begin(), continuation.end());
    EXPECT_EQ(tokenizer.decode(tokens), known.at("expected_full_text").get<std::string>());
  }
}

class SmolLm2 : public testing::TestWithParam<std::tuple<Backend, std::size_t>> {};

INSTANTIATE_TEST_SUITE_P(On, SmolLm2,
                         testing::Combine(testing::Values(Backend::eigen, Backend::simd),
                                          testing::Range<std::size_t>(0, 10)));

TEST_P(SmolLm2, ContinuesAPromptBy64TokensAsTransformersDoes) {
  const Json golden = golden_of("smollm2");
  ASSERT_EQ(golden.at("prompts").size(), 10u);
  const auto [backend, number] = GetParam();
  const Json& prompt = golden.at("prompts").at(number);
  const fs::path file = kShared / "prompts" / prompt.at("file").get<std::string>();
  if (!fs::exists(kSmolLm2)) GTEST_SKIP() << kSmolLm2 << " is not there; data/get_model smollm2";
  if (!fs::exists(file)) GTEST_SKIP() << file << " is not there";
  Published model(kSmolLm2, backend);
  if (!model.has_weights(golden.at("weights"))) {
    GTEST_SKIP() << kSmolLm2 << " holds another edition than the golden's";
  }
  const Json row = parse_json(line_of(file, prompt.at("line")), file.string());
  const Tokenizer tokenizer = Tokenizer::load(kSmolLm2 / "tokenizer.json");
  const std::vector<TokenId> ids =
      tokenizer.encode(question_in(row), {.add_special = false, .parse_special = false});
  const std::vector<TokenId> expected = tokens_of(prompt.at("greedy"));
  ASSERT_EQ(expected.size(), 64u);
  EXPECT_EQ(model.continued(ids, expected.size(), true), expected);
}

}  // namespace
}  // namespace quire::test
