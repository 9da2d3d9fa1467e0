#include "src/text/added_tokens.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace quire {
namespace {

std::string split(const AddedTokens& tokens, std::string_view text, bool parse_special = true) {
  std::string result;
  for (const Fragment& fragment : tokens.split(text, parse_special)) {
    result += fragment.token ? fmt::format("<{}>", to_int(*fragment.token))
                             : fmt::format("[{}]", fragment.text);
  }
  return result;
}

TEST(AddedTokens, TextBetweenTokensStaysTogether) {
  const AddedTokens tokens({{"<e>", TokenId{7}, true, false}});
  EXPECT_EQ(split(tokens, ""), "");
  EXPECT_EQ(split(tokens, "<e>"), "<7>");
  EXPECT_EQ(split(tokens, "a <e><e> b<e"), "[a ]<7><7>[ b<e]");
}

TEST(AddedTokens, SpecialTokensStayTextUnlessAskedFor) {
  const AddedTokens tokens({{"<e>", TokenId{7}, true, false}, {"  ", TokenId{8}, false, false}});
  EXPECT_EQ(split(tokens, "a<e>  b", false), "[a<e>]<8>[b]");
  EXPECT_EQ(split(tokens, "a<e>  b", true), "[a]<7><8>[b]");
}

TEST(AddedTokens, TheLeftmostAndThenTheLongestIsFound) {
  const AddedTokens tokens({{"ab", TokenId{1}, true, false},
                            {"abc", TokenId{2}, true, false},
                            {"bcde", TokenId{3}, true, false}});
  EXPECT_EQ(split(tokens, "abcde"), "<2>[de]");
  EXPECT_EQ(split(tokens, "abd"), "<1>[d]");
  EXPECT_EQ(split(tokens, "xbcde"), "[x]<3>");
}

TEST(AddedTokens, NormalizedTokensAreFoundInWhatTheOthersLeave) {
  const AddedTokens tokens({{"abc", TokenId{1}, true, true}, {"bc", TokenId{2}, true, false}});
  EXPECT_EQ(split(tokens, "abc"), "[a]<2>");
}

TEST(AddedTokens, NormalizedTokensAreLookedForAsTheNormalizerWritesThem) {
  using enum NormalizerStep;
  const AddedTokens tokens({{"<e>", TokenId{1}, true, true}, {"<f>", TokenId{2}, true, false}},
                           {prepend_space, replace_spaces});
  EXPECT_EQ(split(tokens, "a b<f>c"), "[\u2581a\u2581b]<2>[\u2581c]");
  EXPECT_EQ(split(tokens, "a<e>b"), "[\u2581a<e>b]");
  EXPECT_EQ(split(tokens, "<e>b"), "<1>[b]");
  EXPECT_EQ(split(tokens, "a <e>b"), "[\u2581a]<1>[b]");
}

AddedToken flagged(std::string text, int id) {
  return {.text = std::move(text), .id = TokenId{id}, .special = false, .normalized = false};
}

TEST(AddedTokens, ASingleWordIsNotFoundWithinAWord) {
  AddedToken cat = flagged("cat", 1);
  cat.single_word = true;
  const AddedTokens tokens({cat});
  EXPECT_EQ(split(tokens, "cat, cat"), "<1>[, ]<1>");
  for (const char* text : {"cats", "scat", "cat_", "\u00e9cat", "cat1", "cat\u0301"}) {
    EXPECT_EQ(split(tokens, text), std::string("[") + text + "]");
  }
  EXPECT_EQ(split(tokens,
                  "\xff"
                  "cat\xff"),
            "[\xff]<1>[\xff]");
}

TEST(AddedTokens, StrippingTakesTheWhiteSpaceOfOneSide) {
  AddedToken left = flagged("<l>", 1), right = flagged("<r>", 2);
  left.lstrip = right.rstrip = true;
  const AddedTokens tokens({left, right});
  EXPECT_EQ(split(tokens, "a \u00a0<l> b"), "[a]<1>[ b]");
  EXPECT_EQ(split(tokens, "a <r> \n b"), "[a ]<2>[b]");
  EXPECT_EQ(split(tokens, "<r>  <l>"), "<2><1>");
  EXPECT_EQ(split(tokens, "  <l><l>  <r>  "), "<1><1>[  ]<2>");
}

TEST(AddedTokens, ManyBeginningsOfATokenAreTextInLinearTime) {
  const AddedTokens tokens({flagged(std::string(100, '<') + ">", 1), flagged("<|>", 2)});
  const std::string text = std::string(1'000'000, '<') + "|>";
  const std::vector<Fragment> fragments = tokens.split(text, true);
  ASSERT_EQ(fragments.size(), 2u);
  EXPECT_EQ(fragments[0].text.size(), 999'999u);
  EXPECT_EQ(fragments[1].token, TokenId{2});
}

TEST(AddedTokens, WithoutAnyTheWholeTextIsOneFragment) {
  EXPECT_EQ(split(AddedTokens({}), "a<e>"), "[a<e>]");
}

}  // namespace
}  // namespace quire
