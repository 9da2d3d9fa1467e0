#include "src/text/tokenizer.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "tests/support/errors.h"
#include "tests/text/tiny_tokenizer.h"

namespace quire {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::ids;
using test::numbers;

const fs::path kRoot = QUIRE_SOURCE_DIR;
const fs::path kBuiltIn = kRoot / "data/model/tokenizer.json";

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

TEST(Tokenizer, ATextOfTheUserThatSpellsASpecialTokenStaysTextWithByteFallbackToo) {
  Json file = test::fallback_file();
  file["added_tokens"] = {test::added_token(300, "<s>", true)};
  const Tokenizer tokenizer = test::tokenizer_of(file);
  EXPECT_EQ(tokenizer.encode("<s>"), ids({256, '<', 's', '>'}));
  EXPECT_EQ(tokenizer.encode("<s>", {.parse_special = true}), ids({300}));
}

TEST(Tokenizer, EachFragmentBetweenAddedTokensIsNormalizedByItself) {
  Json file = test::fallback_file();
  file["added_tokens"] = {test::added_token(300, "<s>", false)};
  EXPECT_EQ(test::tokenizer_of(file).encode("a<s>a"), ids({256, 257, 300, 256, 257}));
  file["normalizer"] = nullptr;
  file["pre_tokenizer"] = {{"type", "Metaspace"},
                           {"replacement", "\u2581"},
                           {"prepend_scheme", "first"},
                           {"split", false}};
  EXPECT_EQ(test::tokenizer_of(file).encode("a<s>a"), ids({256, 257, 300, 257}));
  EXPECT_EQ(test::tokenizer_of(file).encode("<s>a"), ids({300, 257}));
}

TEST(Tokenizer, AWordOfMetaspaceBeginsAtEachSpaceIfItSplits) {
  Json file = test::fallback_file({{"a", "\u2581"}});
  file["normalizer"] = nullptr;
  file["pre_tokenizer"] = {{"type", "Metaspace"}, {"replacement", "\u2581"}, {"split", false}};
  EXPECT_EQ(test::tokenizer_of(file).encode("a b"), ids({256, 262, 258}));
  file["pre_tokenizer"]["split"] = true;
  EXPECT_EQ(test::tokenizer_of(file).encode("a b"), ids({256, 257, 256, 258}));
}

TEST(Tokenizer, RepeatedWordsHaveTheTokensOfTheFirst) {
  const Tokenizer tokenizer = test::tokenizer_of(test::tiny_file({{"a", "b"}, {"\u0120", "ab"}}));
  EXPECT_EQ(tokenizer.encode("ab ab abc ab\tab"), ids({256, 257, 257, 'c', 257, '\t', 256}));
}

TEST(Tokenizer, CuttingAtSpacesChangesNoToken) {
  // In the first file no merge lies across the place before a space; in the second one does.
  const Tokenizer apart = test::tokenizer_of(
      test::fallback_file({{"\u2581", "\u2581"}, {"\u2581", "a"}, {"\u2581\u2581", "a"}}));
  EXPECT_EQ(apart.encode("a  ab"), ids({263, 264, 258}));
  const Tokenizer across =
      test::tokenizer_of(test::fallback_file({{"a", "\u2581"}, {"\u2581", "a\u2581"}}));
  EXPECT_EQ(across.encode("a  ab"), ids({263, 256, 257, 258}));
}

TEST(Tokenizer, ExplainsTheMergesOfEachWord) {
  const Tokenizer tokenizer = test::tokenizer_of(test::tiny_file({{"a", "b"}, {"\u0120", "ab"}}));
  std::vector<std::string> words;
  std::vector<int> ranks;
  tokenizer.explain(
      "ab ab", [&](std::string_view word) { words.emplace_back(word); },
      [&](const MergeEvent& event) { ranks.push_back(event.rank); });
  EXPECT_EQ(words, (std::vector<std::string>{"ab", " ab"}));
  EXPECT_EQ(ranks, (std::vector<int>{0, 0, 1}));
}

}  // namespace
}  // namespace quire
