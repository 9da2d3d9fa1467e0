#include <gtest/gtest.h>

#include <filesystem>

#include "chapters/02_decoder/no_cache.h"
#include "src/core/error.h"
#include "src/kv/kv_cache.h"
#include "src/model/bill.h"
#include "src/model/decoder.h"
#include "src/ops/eigen_ops.h"
#include "tests/chapters/plain_decoder.h"
#include "tests/support/close.h"
#include "tests/support/test_tensor.h"

namespace quire::test {
namespace {

// F32 against double over a few hundred summands a layer: far above rounding, far below a mistake.
constexpr double kBound = 1e-4;

constexpr SequenceId kSequence{0};

std::vector<double> flat(const Rows& rows) {
  std::vector<double> numbers;
  for (const auto& row : rows) numbers.insert(numbers.end(), row.begin(), row.end());
  return numbers;
}

Rows last(const Rows& rows, std::size_t count) {
  return {rows.end() - static_cast<std::ptrdiff_t>(count), rows.end()};
}

// The section of chapter 02 that explains a value.
std::string section_of(std::string_view name) {
  if (name == "embedding" || name == "residual") return "02#one-token-through-the-model";
  if (name == "attention") return "02#where-is-the-order-of-the-words";
  return "02#code-tour";
}

// Compares each value with the plain decoder's as it is computed, up to the first that differs.
class Comparison : public Observer {
 public:
  explicit Comparison(const std::map<std::string, Rows>& expected) : expected_(expected) {}

  void on_value(std::string_view name, int layer, ConstTensor value) override {
    if (testing::Test::HasFailure()) return;
    const std::string key = fmt::format("{} {}", name, layer);
    ASSERT_TRUE(expected_.contains(key)) << "no value is called " << key;
    const auto rows = static_cast<std::size_t>(value.extent(0));
    const Rows& all = expected_.at(key);
    SCOPED_TRACE(fmt::format("value \"{}\" of layer {}", name, layer));
    EXPECT_CLOSE(value, Values(flat(last(all, rows)), all[0].size()), kBound,
                 {.invariant = "each value is what the architecture says, computed in double",
                  .section = section_of(name)});
    seen_.push_back(key);
  }

  const std::vector<std::string>& seen() const { return seen_; }

 private:
  const std::map<std::string, Rows>& expected_;
  std::vector<std::string> seen_;
};

// A tiny model, and somewhere for its rows to lie.
class TinyModel : public testing::TestWithParam<const char*> {
 protected:
  TinyModel()
      : folder_(std::filesystem::path(QUIRE_SOURCE_DIR) / "tests/golden" / GetParam()),
        plain_(folder_),
        decoder_(plain_.config(), weights(), ops_),
        manager_(16),
        cache_(ops_, kv_shape_of(plain_.config()), manager_, manager_.retains()) {
    for (int i = 0; i < 9; ++i)
      tokens_.push_back(TokenId{(7 * i + 3) % plain_.config().vocabulary});
    manager_.open(kSequence, tokens_, 16);
  }

  DecoderWeights weights() {
    return load_weights(plain_.config(), SafeTensors::open(folder_ / "model.safetensors"), ops_);
  }

  std::filesystem::path folder_;
  PlainDecoder plain_;
  EigenOps ops_;
  Decoder decoder_;
  NoCache manager_;
  KvStorage cache_;
  std::vector<TokenId> tokens_;
};

TEST_P(TinyModel, ComputesEveryValueAsThePlainDecoderDoes) {
  const auto expected = plain_.run(tokens_);
  Comparison comparison(expected);
  decoder_.forward(close_the_gap(kSequence, tokens_, 0), cache_, comparison);
  if (HasFailure()) return;
  EXPECT_EQ(comparison.seen().size(), expected.size())
      << Fact{.invariant = "every value is shown to the observer, so that it can be compared",
              .section = "02#code-tour"};
}

TEST_P(TinyModel, GivesTheLogitsOfTheRowsAskedForInOrder) {
  Step step = close_the_gap(kSequence, tokens_, 0);
  step.logits_rows = {0, 3, 8};
  Observer silent;
  const auto logits = decoder_.forward(step, cache_, silent);
  const auto width = static_cast<std::size_t>(decoder_.config().vocabulary);
  ASSERT_EQ(logits.size(), 3 * width);
  const Rows all = plain_.run(tokens_).at("logits -1");
  EXPECT_CLOSE(Values(logits, width), Values(flat({all[0], all[3], all[8]}), width), kBound,
               {.invariant = "logits come back for the rows that want them, and no others",
                .section = "02#code-tour"});
}

TEST_P(TinyModel, RotatesByThePlaceInTheSequenceAndNotInTheStep) {
  // The same rows in two steps; only storage that outlives the first can serve the second.
  KvStorage kept(ops_, kv_shape_of(plain_.config()), manager_, true);
  Observer silent;
  decoder_.forward(close_the_gap(kSequence, {tokens_.begin(), tokens_.begin() + 7}, 0), kept,
                   silent);
  const auto expected = plain_.run(tokens_);
  Comparison comparison(expected);
  Step step = close_the_gap(kSequence, tokens_, 7);
  step.logits_rows = {0, 1};
  decoder_.forward(step, kept, comparison);
}

TEST_P(TinyModel, DoesTheWorkThatItsConfigPredicts) {
  const Step step = close_the_gap(kSequence, tokens_, 0);
  const Counters before = decoder_.counters();
  Observer silent;
  decoder_.forward(step, cache_, silent);
  const DType stored =
      SafeTensors::open(folder_ / "model.safetensors")->tensor("model.norm.weight").dtype();
  const Counters expected =
      bill_of(decoder_.config(), {.weights = stored, .block_size = manager_.block_size()}, step);
  for (std::size_t op = 0; op < kOperators; ++op) {
    const auto name = static_cast<Operator>(op);
    const Work yours = (decoder_.counters() - before).of(name);
    EXPECT_EQ(yours.flops, expected.of(name).flops) << name_of(name);
    EXPECT_EQ(yours.bytes(), expected.of(name).bytes()) << name_of(name);
  }
}

TEST_P(TinyModel, RefusesWhatItCannotCompute) {
  Observer silent;
  Step step = close_the_gap(kSequence, {TokenId{plain_.config().vocabulary}}, 0);
  EXPECT_THROW(decoder_.forward(step, cache_, silent), Error);
  step.tokens[0] = TokenId{0};
  step.spans[0].context = plain_.config().max_positions;
  EXPECT_THROW(decoder_.forward(step, cache_, silent), Error);
}

INSTANTIATE_TEST_SUITE_P(Chapter02, TinyModel,
                         testing::Values("llama-1-1", "llama-4-2", "llama-6-2", "llama3-rope",
                                         "linear-rope", "llama-biases", "mistral-window", "qwen2",
                                         "qwen3"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

TEST(NoCache, RemembersNothing) {
  NoCache manager(8);
  ASSERT_TRUE(manager.open(kSequence, {}, 8));
  EXPECT_TRUE(manager.reserve(kSequence, 5));
  manager.commit(kSequence, 5);
  EXPECT_EQ(manager.stored(kSequence), 0);
  EXPECT_FALSE(manager.retains());
  EXPECT_FALSE(manager.reserve(kSequence, 9)) << "a step longer than the room";
}

// The table that the page works out by hand.
TEST(Attention, FiveTokensByHand) {
  const std::vector<float> scores = {2, 0, 1, 0, 1}, values = {10, 20, 30, 40, 50};
  TestTensor q({2, 1, 1}), k({5, 1, 1}), v({5, 1, 1}), out({2, 1, 1}), tables({2, 1}, DType::i32);
  assign(q, std::vector<float>{1, 1});
  assign(k, scores);
  assign(v, values);
  tables.values<BlockId>()[0] = tables.values<BlockId>()[1] = BlockId{0};
  // The fifth token, and the third as if it had asked the same.
  const Span spans[] = {{kSequence, 0, 1, 4}, {SequenceId{1}, 1, 1, 2}};
  EigenOps ops;
  ops.attend(q, {k, v, 5, tables, spans}, {.scale = 1, .window = 0}, out);
  EXPECT_NEAR(out.values<float>()[0], 23.70, 0.005);
  EXPECT_NEAR(out.values<float>()[1], 15.79, 0.005);
}

TEST(Attention, SoftmaxDoesNotDependOnALevel) {
  // The same scores, all lower by 200: e to each of them is 0 in single precision.
  TestTensor q({1, 1, 1}), k({5, 1, 1}), v({5, 1, 1}), out({1, 1, 1}), tables({1, 1}, DType::i32);
  assign(q, std::vector<float>{1});
  assign(k, std::vector<float>{-198, -200, -199, -200, -199});
  assign(v, std::vector<float>{10, 20, 30, 40, 50});
  tables.values<BlockId>()[0] = BlockId{0};
  const Span spans[] = {{kSequence, 0, 1, 4}};
  EigenOps ops;
  ops.attend(q, {k, v, 5, tables, spans}, {.scale = 1, .window = 0}, out);
  EXPECT_NEAR(out.values<float>()[0], 23.70, 0.005)
      << Fact{.invariant = "a constant added to all scores changes no weight",
              .section = "02#five-tokens-by-hand"};
}

}  // namespace
}  // namespace quire::test
