#include "src/text/tokenizer.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "src/text/utf8.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"
#include "tests/text/tiny_tokenizer.h"

namespace quire {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::ids;
using test::numbers;

const fs::path kRoot = QUIRE_SOURCE_DIR;
const fs::path kBuiltIn = kRoot / "data/model/tokenizer.json";
const fs::path kShared = kRoot / "../shared/data/tokenizers";

// A tokenizer and what the `tokenizers` library makes of some texts with it.
struct Golden {
  const char* name;
  fs::path tokenizer;
  fs::path expected;
};

class TokenizerGolden : public testing::TestWithParam<Golden> {
 protected:
  void SetUp() override {
    if (!fs::exists(GetParam().tokenizer)) GTEST_SKIP() << GetParam().tokenizer << " is not here";
    tokenizer_.emplace(Tokenizer::load(GetParam().tokenizer));
    golden_ = read_json(GetParam().expected);
  }

  std::optional<Tokenizer> tokenizer_;
  Json golden_;
};

TEST_P(TokenizerGolden, EncodesAsTheLibraryDoes) {
  ASSERT_GT(golden_["encode"].size(), 300u);
  for (const Json& c : golden_["encode"]) {
    const auto text = c["text"].get<std::string>();
    const auto plain = c["ids"].get<std::vector<int>>();
    EXPECT_EQ(numbers(tokenizer_->encode(text)), plain) << c["text"];
    EXPECT_EQ(numbers(tokenizer_->encode(text, {.parse_special = true})), c.value("parsed", plain))
        << c["text"];
  }
}

TEST_P(TokenizerGolden, DecodesAsTheLibraryDoes) {
  ASSERT_GT(golden_["decode"].size(), 30u);
  for (const Json& c : golden_["decode"]) {
    std::vector<TokenId> tokens;
    for (const Json& id : c["ids"]) tokens.push_back(TokenId{id.get<int>()});
    EXPECT_EQ(to_valid_utf8(tokenizer_->decode(tokens)), c["text"]) << c["ids"];
    EXPECT_EQ(to_valid_utf8(tokenizer_->decode(tokens, true)), c["with_special"]) << c["ids"];
  }
}

TEST_P(TokenizerGolden, TextSurvivesARoundTrip) {
  for (const Json& c : golden_["encode"]) {
    const auto text = c["text"].get<std::string>();
    EXPECT_EQ(tokenizer_->decode(tokenizer_->encode(text)), text);
  }
}

TEST_P(TokenizerGolden, AnyBytesSurviveARoundTrip) {
  test::TestRandom random;
  for (int round = 0; round < 500; ++round) {
    std::string text(random.below(60), '\0');
    for (char& c : text) {
      c = static_cast<char>(random.below(2) == 0 ? random.below(256) : 32 + random.below(96));
    }
    ASSERT_EQ(tokenizer_->decode(tokenizer_->encode(text), true),
              (tokenizer_->bos() ? std::string(tokenizer_->piece(*tokenizer_->bos())) : "") + text);
  }
}

TEST_P(TokenizerGolden, LongTextsWithoutASpaceSurviveARoundTrip) {
  test::TestRandom random;
  std::string letters(1 << 20, 'a'), mixed = letters, bytes = letters;
  for (char& c : mixed) c = static_cast<char>('a' + random.below(26));
  for (char& c : bytes) c = static_cast<char>(random.below(256));
  for (const std::string& text : {letters, mixed, bytes}) {
    EXPECT_TRUE(tokenizer_->decode(tokenizer_->encode(text)) == text);
  }
}

INSTANTIATE_TEST_SUITE_P(Files, TokenizerGolden,
                         testing::Values(Golden{"BuiltIn", kBuiltIn,
                                                kRoot / "tests/golden/tokenizer_builtin.json"},
                                         Golden{"Gpt2", kShared / "gpt2/tokenizer.json",
                                                kRoot / "tests/golden/tokenizer_gpt2.json"}),
                         [](const auto& info) { return info.param.name; });

TEST(TokenizerVectors, Gpt2AgreesWithOtherImplementations) {
  const fs::path inputs = kShared / "llama.cpp-vocab/ggml-vocab-gpt-2.gguf.inp";
  if (!fs::exists(inputs)) GTEST_SKIP() << inputs << " is not here";
  const Tokenizer tokenizer = Tokenizer::load(kShared / "gpt2/tokenizer.json");
  const std::string all = read_file(inputs);
  std::istringstream lines(read_file(kShared / "llama.cpp-vocab/ggml-vocab-gpt-2.gguf.out"));
  constexpr std::string_view kBetween = "\n__ggml_vocab_test__\n";
  int texts = 0;
  for (std::size_t begin = 0, end = 0; (end = all.find(kBetween, begin)) != std::string::npos;
       begin = end + kBetween.size(), ++texts) {
    std::string line;
    std::getline(lines, line);
    std::istringstream words(line);
    const std::vector<int> expected{std::istream_iterator<int>(words), {}};
    const std::string text = all.substr(begin, end - begin);
    EXPECT_EQ(numbers(tokenizer.encode(text)), expected) << testing::PrintToString(text);
  }
  EXPECT_GT(texts, 40);
}

TEST(Tokenizer, SpecialTokensInTextStayTextUnlessAskedFor) {
  const Tokenizer tokenizer = Tokenizer::load(kBuiltIn);
  const TokenId eos = tokenizer.id_of("<|eos|>").value();
  const std::vector<TokenId> plain = tokenizer.encode("<|eos|>", {.add_special = false});
  EXPECT_EQ(std::find(plain.begin(), plain.end(), eos), plain.end());
  EXPECT_EQ(tokenizer.decode(plain), "<|eos|>");
  EXPECT_EQ(tokenizer.encode("<|eos|>", {.add_special = false, .parse_special = true}),
            std::vector<TokenId>{eos});
}

TEST(Tokenizer, TheBuiltInModelBeginsWithBos) {
  const Tokenizer tokenizer = Tokenizer::load(kBuiltIn);
  EXPECT_EQ(tokenizer.vocabulary_size(), 2048);
  EXPECT_EQ(tokenizer.bos(), TokenId{0});
  EXPECT_EQ(tokenizer.id_of("<|bos|>"), TokenId{0});
  EXPECT_EQ(tokenizer.id_of("<|eos|>"), TokenId{1});
  EXPECT_TRUE(tokenizer.is_special(TokenId{0}));
  EXPECT_EQ(tokenizer.encode(""), ids({0}));
}

TEST(Tokenizer, APieceIsTheBytesThatATokenStandsFor) {
  Json file = test::tiny_file({{"\u0120", "a"}});
  file["added_tokens"] = {test::added_token(257, "<e>", true),
                          test::added_token(260, "\u4e2d", false)};
  const Tokenizer tokenizer = test::tokenizer_of(file);
  EXPECT_EQ(tokenizer.piece(TokenId{0xff}), "\xff");
  EXPECT_EQ(tokenizer.piece(TokenId{256}), " a");
  EXPECT_EQ(tokenizer.piece(TokenId{257}), "<e>");
  EXPECT_EQ(tokenizer.piece(TokenId{258}), "");  // the file leaves it out
  EXPECT_EQ(tokenizer.piece(TokenId{260}), "\u4e2d");
  EXPECT_EQ(tokenizer.vocabulary_size(), 261);
  EXPECT_EQ(tokenizer.id_of("\u0120a"), TokenId{256});
  EXPECT_EQ(tokenizer.id_of(" a"), std::nullopt);
}

TEST(Tokenizer, PaddingRowsOfAnEmbeddingStandForNoBytes) {
  const Tokenizer tokenizer = test::tokenizer_of(test::tiny_file());
  EXPECT_EQ(tokenizer.vocabulary_size(), 256);
  EXPECT_EQ(tokenizer.piece(TokenId{256}), "");
  EXPECT_FALSE(tokenizer.is_special(TokenId{256}));
  EXPECT_EQ(tokenizer.decode(ids({'a', 256, 1 << 30, 'b'}), true), "ab");
}

TEST(Tokenizer, NegativeIdsAreErrors) {
  const Tokenizer tokenizer = test::tokenizer_of(test::tiny_file());
  expect_error([&] { tokenizer.piece(TokenId{-1}); }, {"-1", "vocabulary"});
  expect_error([&] { tokenizer.decode(ids({-1})); }, {"-1", "vocabulary"});
}

TEST(Tokenizer, DecodingLeavesSpecialTokensOutUnlessTheyAreKept) {
  Json file = test::tiny_file();
  file["added_tokens"] = {test::added_token(256, "<e>", true),
                          test::added_token(257, "<t>", false)};
  const Tokenizer tokenizer = test::tokenizer_of(file);
  EXPECT_EQ(tokenizer.decode(ids({'a', 256, 257, 'b'})), "a<t>b");
  EXPECT_EQ(tokenizer.decode(ids({'a', 256, 257, 'b'}), true), "a<e><t>b");
}

}  // namespace
}  // namespace quire
