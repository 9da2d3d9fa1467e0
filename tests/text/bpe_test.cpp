#include "src/text/bpe.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>

#include "tests/support/test_random.h"
#include "tests/text/plain_bpe.h"
#include "tests/text/tiny_tokenizer.h"

namespace quire {
namespace {

using test::by_definition;
using test::byte_symbols;
using test::encode;
using test::ids;
using test::numbers;

MergeRule rule(int left, int right, int merged) {
  return {TokenId{left}, TokenId{right}, TokenId{merged}};
}

TEST(Bpe, AByteWithoutATokenIsLeftOut) {
  Symbols symbols = byte_symbols();
  symbols.bytes['b'] = std::nullopt;
  EXPECT_EQ(encode(Bpe(symbols, {}), "abbcb"), (std::vector<int>{'a', 'c'}));
  const std::vector<MergeRule> rules = {rule('a', 'c', 256)};
  EXPECT_EQ(encode(Bpe(symbols, rules), "abc"), std::vector<int>{256})
      << "what is left are neighbours, as in the tokenizers library";
}

TEST(Bpe, WithoutRulesEveryByteIsAToken) {
  EXPECT_EQ(encode(Bpe(byte_symbols(), {}), "ab\xff"), (std::vector<int>{'a', 'b', 255}));
  EXPECT_EQ(encode(Bpe(byte_symbols(), {}), ""), std::vector<int>{});
}

TEST(Bpe, TheBestRuleGoesFirstNotTheLeftmostPair) {
  const std::vector<MergeRule> rules = {rule('b', 'c', 256), rule('a', 'b', 257)};
  EXPECT_EQ(encode(Bpe(byte_symbols(), rules), "abc"), (std::vector<int>{'a', 256}));
}

TEST(Bpe, AmongEqualPairsTheLeftmostGoesFirst) {
  const std::vector<MergeRule> rules = {rule('a', 'a', 256)};
  EXPECT_EQ(encode(Bpe(byte_symbols(), rules), "aaa"), (std::vector<int>{256, 'a'}));
}

TEST(Bpe, AMergedTokenMergesOn) {
  const std::vector<MergeRule> rules = {rule('a', 'b', 256), rule(256, 'c', 257),
                                        rule(257, 256, 258)};
  EXPECT_EQ(encode(Bpe(byte_symbols(), rules), "abcabab"), (std::vector<int>{258, 256}));
}

TEST(Bpe, OfTwoRulesForOnePairTheLaterCounts) {
  const std::vector<MergeRule> rules = {rule('a', 'b', 256), rule('b', 'c', 257),
                                        rule('a', 'b', 256)};
  EXPECT_EQ(encode(Bpe(byte_symbols(), rules), "abc"), (std::vector<int>{'a', 257}));
}

TEST(Bpe, AWholeWordIsTakenWithoutMerging) {
  const Bpe bpe(byte_symbols(), {}, {{"abc", TokenId{300}}});
  EXPECT_EQ(encode(bpe, "abc"), std::vector<int>{300});
  EXPECT_EQ(encode(bpe, "abcd"), (std::vector<int>{'a', 'b', 'c', 'd'}));
}

TEST(Bpe, KnownCharactersAreTokensAndOthersGoByTheirBytes) {
  Symbols symbols = byte_symbols();
  symbols.characters = {{U'\u4e2d', TokenId{300}}, {U'a', TokenId{301}}};
  EXPECT_EQ(encode(Bpe(symbols, {}), "a\u4e2d\u4e2e\xff"),
            (std::vector<int>{301, 300, 0xe4, 0xb8, 0xae, 0xff}));
}

TEST(Bpe, WithoutTokensOfBytesUnknownCharactersAreOneTokenEachOrTogether) {
  Symbols symbols;
  symbols.characters = {{U'a', TokenId{5}}};
  symbols.unknown = TokenId{7};
  EXPECT_EQ(encode(Bpe(symbols, {}), "xya\u4e2d"), (std::vector<int>{7, 7, 5, 7}));
  symbols.fuse_unknown = true;
  EXPECT_EQ(encode(Bpe(symbols, {}), "xya\u4e2d"), (std::vector<int>{7, 5, 7}));
}

TEST(Bpe, ExplainsEachMergeInItsOrder) {
  const Bpe bpe(byte_symbols(), std::vector{rule('b', 'c', 256), rule('a', 256, 257)});
  std::vector<int> ranks;
  std::vector<std::vector<int>> words;
  bpe.explain("abcbc", [&](const MergeEvent& event) {
    ranks.push_back(event.rank);
    words.push_back(numbers({event.tokens.begin(), event.tokens.end()}));
  });
  EXPECT_EQ(ranks, (std::vector<int>{0, 0, 1}));
  EXPECT_EQ(words,
            (std::vector<std::vector<int>>{{'a', 256, 'b', 'c'}, {'a', 256, 256}, {257, 256}}));
}

TEST(Bpe, AgreesWithTheDefinitionOnRandomRules) {
  test::TestRandom random;
  for (int round = 0; round < 300; ++round) {
    std::vector<int> tokens = {'a', 'b', 'c'};
    std::vector<MergeRule> rules;
    std::set<std::pair<int, int>> pairs;
    for (int merged = 256; merged < 256 + 20; ++merged) {
      const int left = tokens[random.below(tokens.size())];
      const int right = tokens[random.below(tokens.size())];
      if (!pairs.insert({left, right}).second) continue;
      rules.push_back(rule(left, right, merged));
      tokens.push_back(merged);
    }
    std::string word(random.below(60), ' ');
    for (char& c : word) c = static_cast<char>('a' + random.below(3));
    ASSERT_EQ(encode(Bpe(byte_symbols(), rules), word), by_definition(rules, word)) << word;
  }
}

TEST(Bpe, AMillionRandomLettersMergeAsTheirPartsDo) {
  // No rule lies across "c": the parts between them are independent of each other.
  const std::vector<MergeRule> rules = {rule('a', 'b', 256), rule(256, 'a', 257),
                                        rule('b', 'b', 258), rule(258, 256, 259)};
  const Bpe bpe(byte_symbols(), rules);
  test::TestRandom random;
  std::string text(1'000'000, ' ');
  for (char& c : text) c = "abc"[random.below(3)];
  std::vector<int> expected;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('c', begin), text.size() - 1) + 1;
    const std::vector<int> part = encode(bpe, text.substr(begin, end - begin));
    expected.insert(expected.end(), part.begin(), part.end());
    begin = end;
  }
  EXPECT_TRUE(encode(bpe, text) == expected);
}

TEST(Bpe, AMillionEqualLettersMergeInPairsOfPairs) {
  std::vector<MergeRule> rules = {rule('a', 'a', 256)};
  for (int i = 0; i < 9; ++i) rules.push_back(rule(256 + i, 256 + i, 257 + i));
  const std::vector<int> tokens = encode(Bpe(byte_symbols(), rules), std::string(1'000'000, 'a'));
  std::vector<int> expected(976, 265);  // 976 * 1024 + 512 + 64
  expected.insert(expected.end(), {264, 261});
  EXPECT_EQ(tokens, expected);
}

}  // namespace
}  // namespace quire
