#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "src/text/bpe.h"
#include "src/text/streaming_decoder.h"
#include "src/text/tokenizer.h"
#include "src/text/utf8.h"
#include "tests/support/close.h"
#include "tests/support/test_random.h"
#include "tests/text/plain_bpe.h"
#include "tests/text/tiny_tokenizer.h"

namespace quire::test {
namespace {

Fact fact(std::string invariant, std::string section = "01#five-letters-merged") {
  return {.invariant = std::move(invariant), .section = std::move(section)};
}

using Pieces = std::vector<std::string>;

// The corpus of the page, each word with how often it is there.
const std::map<std::string, int> kCorpus = {{"sea", 5}, {"seat", 3}, {"eat", 4}, {"see", 2}};

Pieces letters_of(const std::string& word) {
  Pieces letters;
  for (const char letter : word) letters.emplace_back(1, letter);
  return letters;
}

void merge_everywhere(Pieces& word, const std::string& left, const std::string& right) {
  for (std::size_t i = 0; i + 1 < word.size(); ++i) {
    if (word[i] != left || word[i + 1] != right) continue;
    word[i] += right;
    word.erase(word.begin() + static_cast<std::ptrdiff_t>(i) + 1);
  }
}

// The definition of training: the most frequent pair becomes a token, and so on.
std::vector<std::pair<Pieces, int>> train(int rules) {
  std::vector<std::pair<Pieces, int>> words, learnt;
  for (const auto& [word, count] : kCorpus) words.emplace_back(letters_of(word), count);
  for (int rule = 0; rule < rules; ++rule) {
    std::map<Pieces, int> pairs;
    for (const auto& [word, count] : words) {
      for (std::size_t i = 0; i + 1 < word.size(); ++i) pairs[{word[i], word[i + 1]}] += count;
    }
    const auto best =
        std::max_element(pairs.begin(), pairs.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; });
    learnt.emplace_back(best->first, best->second);
    for (auto& [word, count] : words) merge_everywhere(word, best->first[0], best->first[1]);
  }
  return learnt;
}

TEST(HandExample, TrainingCountsWhatThePageCounts) {
  const std::vector<std::pair<Pieces, int>> expected = {
      {{"e", "a"}, 12}, {{"s", "ea"}, 8}, {{"ea", "t"}, 4}, {{"sea", "t"}, 3}};
  EXPECT_EQ(train(4), expected) << fact("the most frequent pair becomes the next rule",
                                        "01#where-rules-come-from");
}

// The four rules of the page.
Tokenizer example() {
  return tokenizer_of(tiny_file({{"e", "a"}, {"s", "ea"}, {"ea", "t"}, {"sea", "t"}}));
}

std::vector<std::pair<int, Pieces>> merges_of(const std::string& word) {
  const Tokenizer tokenizer = example();
  std::vector<std::pair<int, Pieces>> merges;
  tokenizer.explain(
      word, [](std::string_view) {},
      [&](const MergeEvent& event) {
        Pieces pieces;
        for (const TokenId token : event.tokens) pieces.emplace_back(tokenizer.piece(token));
        merges.emplace_back(event.rank, pieces);
      });
  return merges;
}

// [seats]
TEST(HandExample, SeatsIsMergedInThreeSteps) {
  const std::vector<std::pair<int, Pieces>> expected = {
      {0, {"s", "ea", "t", "s"}}, {1, {"sea", "t", "s"}}, {3, {"seat", "s"}}};
  EXPECT_EQ(merges_of("seats"), expected) << fact("the pair whose rule comes first is merged");
}
// [seats]

TEST(HandExample, TheRankDecidesAndNotThePlace) {
  const std::vector<std::pair<int, Pieces>> expected = {{0, {"t", "ea", "s", "e", "a", "t"}},
                                                        {0, {"t", "ea", "s", "ea", "t"}},
                                                        {1, {"t", "ea", "sea", "t"}},
                                                        {3, {"t", "ea", "seat"}}};
  EXPECT_EQ(merges_of("teaseat"), expected)
      << fact("of equal pairs the leftmost; of different ones the first rule");
}

TEST(Merging, APairThatIsGoneIsNotMerged) {
  // After b and c have merged, "ab" and "cd" are no pairs any more.
  const std::vector<MergeRule> rules = {{TokenId{'b'}, TokenId{'c'}, TokenId{256}},
                                        {TokenId{'a'}, TokenId{'b'}, TokenId{257}},
                                        {TokenId{'c'}, TokenId{'d'}, TokenId{258}},
                                        {TokenId{256}, TokenId{'d'}, TokenId{259}},
                                        {TokenId{'a'}, TokenId{256}, TokenId{260}}};
  EXPECT_EQ(encode(Bpe(byte_symbols(), rules), "abcd"), (std::vector<int>{'a', 259}))
      << fact("a candidate counts only while its pair is there", "01#code-tour");
}

TEST(Merging, AgreesWithTheDefinitionOnRandomRules) {
  TestRandom random;
  for (int round = 0; round < 400; ++round) {
    std::vector<int> tokens = {'a', 'b', 'c', 'd'};
    std::vector<MergeRule> rules;
    std::map<std::pair<int, int>, bool> known;
    for (int merged = 256; merged < 256 + 16; ++merged) {
      const int left = tokens[random.below(tokens.size())];
      const int right = tokens[random.below(tokens.size())];
      if (!known.emplace(std::pair{left, right}, true).second) continue;
      rules.push_back({TokenId{left}, TokenId{right}, TokenId{merged}});
      tokens.push_back(merged);
    }
    std::string word(random.below(40), ' ');
    for (char& c : word) c = static_cast<char>('a' + random.below(4));
    ASSERT_EQ(encode(Bpe(byte_symbols(), rules), word), by_definition(rules, word))
        << word << "\n"
        << fact("the heap and the list do what the definition says");
  }
}

TEST(Merging, AMegabyteOfOneLetterIsMerged) {
  std::vector<MergeRule> rules = {{TokenId{'a'}, TokenId{'a'}, TokenId{256}}};
  for (int i = 0; i < 9; ++i)
    rules.push_back({TokenId{256 + i}, TokenId{256 + i}, TokenId{257 + i}});
  const std::vector<int> tokens = encode(Bpe(byte_symbols(), rules), std::string(1 << 20, 'a'));
  EXPECT_TRUE(tokens == std::vector<int>(1024, 265))
      << fact("n log n: looking at all pairs again would take hours here");
}

TEST(Words, NoTokenSpansTwoOfThem) {
  const Tokenizer tokenizer = tokenizer_of(tiny_file({{"\u0120", "\u0120"}, {"\u0120", "a"}}));
  EXPECT_EQ(numbers(tokenizer.encode("b   a")), (std::vector<int>{'b', 256, 257}))
      << fact("white space leaves its last character to the word after it", "01#words-first");
}

TEST(Specials, WhatAUserTypesDoesNotSteerTheModel) {
  const Tokenizer tokenizer =
      Tokenizer::load(std::filesystem::path(QUIRE_SOURCE_DIR) / "data/model/tokenizer.json");
  const TokenId eos = tokenizer.id_of("<|eos|>").value();
  for (const TokenId token : tokenizer.encode("the end<|eos|>")) {
    EXPECT_NE(token, eos) << fact("a special token in a text stays text unless asked for",
                                  "01#tokens-that-are-no-text");
  }
}

TEST(Streaming, NothingOfACharacterAppearsBeforeItIsWhole) {
  const Tokenizer tokenizer = tokenizer_of(tiny_file());
  StreamingDecoder decoder(tokenizer);
  std::string text;
  for (const TokenId token : tokenizer.encode("a\U0001f600\u00e9")) {
    const std::string piece = decoder.push(token);
    EXPECT_EQ(to_valid_utf8(piece), piece)
        << fact("what is shown is valid UTF-8 at every moment", "01#back-to-text");
    text += piece;
  }
  EXPECT_EQ(text + decoder.finish(), "a\U0001f600\u00e9");
}

TEST(Streaming, TheFirstSpaceIsDroppedOnce) {
  const Tokenizer tokenizer = tokenizer_of(fallback_file());
  StreamingDecoder decoder(tokenizer);
  std::string text;
  for (const TokenId token : tokenizer.encode("a b  c")) text += decoder.push(token);
  EXPECT_EQ(text + decoder.finish(), "a b  c")
      << fact("piece by piece is the text of all at once", "01#back-to-text");
}

}  // namespace
}  // namespace quire::test
