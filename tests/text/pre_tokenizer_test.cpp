#include "src/text/pre_tokenizer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/support/test_random.h"

namespace quire {
namespace {

using Words = std::vector<std::string>;

Words words_of(std::string_view text) {
  Words words;
  while (!text.empty()) {
    const std::size_t bytes = first_word_gpt2(text);
    words.emplace_back(text.substr(0, bytes));
    text.remove_prefix(bytes);
  }
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

TEST(PreTokenizer, WordsOfRandomBytesAreNeverEmptyAndJoinToTheText) {
  test::TestRandom random;
  constexpr std::string_view kOften = " \t\n'stre\xc3\xa9\xe2\x80\x83 19!";
  for (int round = 0; round < 2000; ++round) {
    std::string text(random.below(40), '\0');
    for (char& c : text) {
      c = random.below(3) == 0 ? static_cast<char>(random.below(256))
                               : kOften[random.below(kOften.size())];
    }
    std::string joined;
    for (const std::string& word : words_of(text)) {
      ASSERT_FALSE(word.empty());
      joined += word;
    }
    ASSERT_EQ(joined, text);
  }
}

}  // namespace
}  // namespace quire
