#include "src/text/pre_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/test_random.h"

namespace quire {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text, std::vector<FirstWord> rules = {first_word_gpt2}) {
  Words words;
  cut(text, rules, [&words](std::string_view word) { words.emplace_back(word); });
  return words;
}

struct WordsCase {
  std::string text;
  Words words;
};

TEST(PreTokenizer, CutsAsGpt2Does) {
  const WordsCase cases[] = {
      {"Hello world", {"Hello", " world"}},
      {"a1 b2", {"a", "1", " b", "2"}},
      {"It's we'Re", {"It", "'s", " we", "'", "Re"}},
      {"'sleep", {"'s", "leep"}},
      {" 's", {" '", "s"}},
      {"!'s", {"!'", "s"}},
      {"a  b", {"a", " ", " b"}},
      {"a   b", {"a", "  ", " b"}},
      {"a\nb", {"a", "\n", "b"}},
      {"a\n b", {"a", "\n", " b"}},
      {"a \nb", {"a", " ", "\n", "b"}},
      {"a \t!", {"a", " ", "\t", "!"}},
      {"end  ", {"end", "  "}},
      {" ", {" "}},
      {"a\u00a0b", {"a", "\u00a0", "b"}},
      {"a \u3000b", {"a", " ", "\u3000", "b"}},
      {"a\u200bb", {"a", "\u200b", "b"}},
      {"e\u0301x", {"e", "\u0301", "x"}},
      {"\u00bd\u0663 \u2167", {"\u00bd\u0663", " \u2167"}},
      {"don\u2019t", {"don", "\u2019", "t"}},
      {"a\xff!\xfe b", {"a", "\xff!\xfe", " b"}},
      {"\xe2\x82", {"\xe2\x82"}},
  };
  for (const WordsCase& c : cases) {
    EXPECT_EQ(words_of(c.text), c.words) << testing::PrintToString(c.text);
  }
}

TEST(PreTokenizer, CutsAsLlama3Does) {
  const WordsCase cases[] = {
      {"Hello world", {"Hello", " world"}},
      {"a12345 6", {"a", "123", "45", " ", "6"}},
      {"It'S we'RE", {"It", "'S", " we", "'RE"}},
      {"'\u017fx", {"'\u017f", "x"}},
      {"'Sleep 'x", {"'S", "leep", " '", "x"}},
      {"(word", {"(word"}},
      {"((word", {"((", "word"}},
      {"\tx", {"\tx"}},
      {"\nx", {"\n", "x"}},
      {"\u3000x", {"\u3000x"}},
      {" !x", {" !", "x"}},
      {"a  b", {"a", " ", " b"}},
      {"a  1", {"a", " ", " ", "1"}},
      {"!\r\n\n x", {"!\r\n\n", " x"}},
      {"a\n \n  b", {"a", "\n \n", " ", " b"}},
      {"a \n", {"a", " \n"}},
      {"a \t", {"a", " \t"}},
      {"a \u2028b", {"a", " ", "\u2028b"}},
      {"e\u0301x", {"e", "\u0301x"}},
      {"\xffx \xff\n", {"\xffx", " \xff\n"}},
      {"\u00bd\u0663\u21671", {"\u00bd\u0663\u2167", "1"}},
  };
  for (const WordsCase& c : cases) {
    EXPECT_EQ(words_of(c.text, {first_word_llama3}), c.words) << testing::PrintToString(c.text);
  }
}

TEST(PreTokenizer, Qwen2CutsAsLlama3ButForDigits) {
  EXPECT_EQ(words_of("a12 3", {first_word_qwen2}), (Words{"a", "1", "2", " ", "3"}));
  EXPECT_EQ(words_of("it'S\n", {first_word_qwen2}), (Words{"it", "'S", "\n"}));
}

TEST(PreTokenizer, SmolLm2SetsDigitsApartAndThenCutsAsGpt2) {
  EXPECT_EQ(words_of("a 12  b", {first_word_digits, first_word_gpt2}),
            (Words{"a", " ", "1", "2", " ", " b"}));
  EXPECT_EQ(words_of("x  1", {first_word_digits, first_word_gpt2}), (Words{"x", "  ", "1"}));
}

TEST(PreTokenizer, SignsOfSpacesBeginWords) {
  EXPECT_EQ(words_of("a\u2581b\u2581\u2581c", {first_word_signs}),
            (Words{"a", "\u2581b", "\u2581", "\u2581c"}));
}

TEST(PreTokenizer, RunsOfSignsBeginWords) {
  EXPECT_EQ(words_of("a\u2581b\u2581\u2581c\u2581", {first_word_sign_runs}),
            (Words{"a", "\u2581b", "\u2581\u2581c", "\u2581"}));
}

TEST(PreTokenizer, WithoutRulesATextIsOneWord) {
  EXPECT_EQ(words_of("a b", {}), Words{"a b"});
}

TEST(PreTokenizer, AnExpressionIsKnownByItsWholeText) {
  const std::string_view gpt2 =
      R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";
  ASSERT_TRUE(rule_of_regex(gpt2).has_value());
  EXPECT_EQ(*rule_of_regex(gpt2), &first_word_gpt2);
  EXPECT_FALSE(rule_of_regex(gpt2.substr(1)).has_value());
  EXPECT_FALSE(rule_of_regex("").has_value());
}

TEST(PreTokenizer, WordsOfRandomBytesAreNeverEmptyAndJoinToTheText) {
  test::TestRandom random;
  constexpr std::string_view kOften = " \t\n'streLL\xc3\xa9\xe2\x80\x83\xe2\x96\x81 19!";
  for (const auto& rules :
       std::vector<std::vector<FirstWord>>{{first_word_gpt2},
                                           {first_word_llama3},
                                           {first_word_qwen2},
                                           {first_word_signs},
                                           {first_word_sign_runs},
                                           {first_word_digits, first_word_gpt2}}) {
    for (int round = 0; round < 1000; ++round) {
      std::string text(random.below(40), '\0');
      for (char& c : text) {
        c = random.below(3) == 0 ? static_cast<char>(random.below(256))
                                 : kOften[random.below(kOften.size())];
      }
      std::string joined;
      for (const std::string& word : words_of(text, rules)) {
        ASSERT_FALSE(word.empty());
        joined += word;
      }
      ASSERT_EQ(joined, text);
    }
  }
}

}  // namespace
}  // namespace quire
