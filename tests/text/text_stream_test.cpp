#include "src/text/text_stream.h"

#include <gtest/gtest.h>

#include "tests/text/tiny_tokenizer.h"

namespace quire {
namespace {

using test::tiny_file;
using test::tokenizer_of;

// A tokenizer that has bytes, and "ab" as token 256.
Tokenizer tokenizer() {
  return tokenizer_of(tiny_file({{"a", "b"}}));
}

TEST(TextStream, FindsAStopStringInTheTextHoweverItsTokensSpellIt) {
  const Tokenizer bytes = tokenizer();
  for (const std::vector<TokenId>& spelling :
       {test::ids({'x', 'a', 'b', 'c'}), test::ids({'x', 256, 'c'})}) {
    TextStream stream(bytes, {"bc"});
    std::string text;
    for (const TokenId token : spelling) text += stream.push(token);
    EXPECT_EQ(text, "xa");
    EXPECT_TRUE(stream.stopped());
    EXPECT_EQ(stream.finish(), "");
  }
}

TEST(TextStream, FindsAStopStringInsideOneToken) {
  const Tokenizer bytes = tokenizer();
  TextStream stream(bytes, {"b"});
  EXPECT_EQ(stream.push(TokenId{256}), "a");
  EXPECT_TRUE(stream.stopped());
}

TEST(TextStream, FindsACharacterWhoseBytesAreTokens) {
  const Tokenizer bytes = tokenizer();
  TextStream stream(bytes, {"\u00e9"});
  EXPECT_EQ(stream.push(TokenId{'x'}), "x");
  EXPECT_EQ(stream.push(TokenId{0xc3}), "");
  EXPECT_EQ(stream.push(TokenId{0xa9}), "");
  EXPECT_TRUE(stream.stopped());
}

TEST(TextStream, EndsWithWhatWasHeldBackAndOneReplacement) {
  const Tokenizer bytes = tokenizer();
  TextStream stream(bytes, {"abc"});
  EXPECT_EQ(stream.push(TokenId{256}), "");
  EXPECT_EQ(stream.push(TokenId{0xc3}), "");
  EXPECT_EQ(stream.finish(), "ab\ufffd");
  EXPECT_FALSE(stream.stopped());
}

TEST(TextStream, WithoutStopStringsIsAStreamingDecoder) {
  const Tokenizer bytes = tokenizer();
  TextStream stream(bytes);
  EXPECT_EQ(stream.push(TokenId{256}), "ab");
  EXPECT_EQ(stream.finish(), "");
}

}  // namespace
}  // namespace quire
