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

TEST(AddedTokens, WithoutAnyTheWholeTextIsOneFragment) {
  EXPECT_EQ(split(AddedTokens({}), "a<e>"), "[a<e>]");
}

}  // namespace
}  // namespace quire
