#include "src/text/streaming_decoder.h"

#include <gtest/gtest.h>

#include "src/text/utf8.h"
#include "tests/support/test_random.h"
#include "tests/text/tiny_tokenizer.h"

namespace quire {
namespace {

using test::tiny_file;
using test::tokenizer_of;

TEST(StreamingDecoder, NothingOfACharacterAppearsBeforeItIsWhole) {
  const Tokenizer tokenizer = tokenizer_of(tiny_file());
  StreamingDecoder decoder(tokenizer);
  EXPECT_EQ(decoder.push(TokenId{'a'}), "a");
  EXPECT_EQ(decoder.push(TokenId{0xf0}), "");
  EXPECT_EQ(decoder.push(TokenId{0x9f}), "");
  EXPECT_EQ(decoder.push(TokenId{0x98}), "");
  EXPECT_EQ(decoder.push(TokenId{0x80}), "\U0001f600");
  EXPECT_EQ(decoder.finish(), "");
}

TEST(StreamingDecoder, AnUnfinishedCharacterEndsAsOneReplacement) {
  const Tokenizer tokenizer = tokenizer_of(tiny_file());
  StreamingDecoder decoder(tokenizer);
  for (const int byte : {0xf0, 0x9f, 0x98}) EXPECT_EQ(decoder.push(TokenId{byte}), "");
  EXPECT_EQ(decoder.finish(), "\ufffd");
  EXPECT_EQ(decoder.finish(), "");
  EXPECT_EQ(decoder.push(TokenId{'b'}), "b");
}

TEST(StreamingDecoder, ACharacterThatBreaksOffIsReplacedWhenThatIsCertain) {
  const Tokenizer tokenizer = tokenizer_of(tiny_file());
  StreamingDecoder decoder(tokenizer);
  EXPECT_EQ(decoder.push(TokenId{0xe2}), "");
  EXPECT_EQ(decoder.push(TokenId{'x'}), "\ufffdx");
  EXPECT_EQ(decoder.push(TokenId{0xff}), "\ufffd");
}

TEST(StreamingDecoder, SpecialTokensAppearOnlyWhenAskedFor) {
  Json file = tiny_file();
  file["added_tokens"] = {test::added_token(256, "<e>", true)};
  const Tokenizer tokenizer = tokenizer_of(file);
  EXPECT_EQ(StreamingDecoder(tokenizer).push(TokenId{256}), "");
  EXPECT_EQ(StreamingDecoder(tokenizer, true).push(TokenId{256}), "<e>");
}

TEST(StreamingDecoder, APaddingRowWithinACharacterAddsNothing) {
  const Tokenizer tokenizer = tokenizer_of(tiny_file());
  StreamingDecoder decoder(tokenizer);
  EXPECT_EQ(decoder.push(TokenId{0xc3}), "");
  EXPECT_EQ(decoder.push(TokenId{256}), "");
  EXPECT_EQ(decoder.push(TokenId{0xa9}), "\u00e9");
}

TEST(StreamingDecoder, RandomTokensGiveTheSameTextAsAllAtOnce) {
  const Tokenizer tokenizer = tokenizer_of(tiny_file(
      {{"\u00f0", "\u0141"}, {"\u00c3", "\u00a9"}, {"a", "\u00e2"}, {"\u00e2", "\u0124"}}));
  test::TestRandom random;
  const std::vector<int> often = {0xf0, 0x9f, 0x98, 0x80, 0xe2, 0x82, 0xac, 0xc3, 0xed, 0xa0};
  for (int round = 0; round < 3000; ++round) {
    StreamingDecoder decoder(tokenizer);
    std::vector<TokenId> tokens(random.below(24));
    std::string streamed;
    for (TokenId& token : tokens) {
      token = random.below(2) == 0 ? TokenId{often[random.below(often.size())]}
                                   : TokenId{static_cast<int>(random.below(
                                         static_cast<std::uint64_t>(tokenizer.vocabulary_size())))};
      const std::string text = decoder.push(token);
      ASSERT_EQ(to_valid_utf8(text), text);
      streamed += text;
    }
    streamed += decoder.finish();
    ASSERT_EQ(streamed, to_valid_utf8(tokenizer.decode(tokens)));
  }
}

TEST(StreamingDecoder, TheFirstSpaceIsDroppedOnce) {
  const Tokenizer tokenizer = tokenizer_of(test::fallback_file());
  StreamingDecoder decoder(tokenizer);
  EXPECT_EQ(decoder.push(TokenId{256}), "");
  EXPECT_EQ(decoder.push(TokenId{256}), " ");
  EXPECT_EQ(decoder.push(TokenId{257}), "a");
  EXPECT_EQ(decoder.push(TokenId{256}), " ");
  EXPECT_EQ(decoder.finish(), "");
  EXPECT_EQ(decoder.push(TokenId{256}), "") << "another text";
}

TEST(StreamingDecoder, ATokenWithoutBytesIsNotTheBeginning) {
  Json file = test::fallback_file();
  file["added_tokens"] = {test::added_token(300, "<s>", true)};
  const Tokenizer tokenizer = tokenizer_of(file);
  StreamingDecoder decoder(tokenizer), with_special(tokenizer, true);
  EXPECT_EQ(decoder.push(TokenId{300}), "");
  EXPECT_EQ(decoder.push(TokenId{299}), "");
  EXPECT_EQ(decoder.push(TokenId{256}), "");
  EXPECT_EQ(with_special.push(TokenId{300}), "<s>");
  EXPECT_EQ(with_special.push(TokenId{256}), " ");
}

TEST(StreamingDecoder, WhatFollowsASkippedPromptKeepsItsSpace) {
  const Tokenizer tokenizer = tokenizer_of(test::fallback_file());
  StreamingDecoder decoder(tokenizer);
  decoder.skip(tokenizer.encode("ab"));
  EXPECT_EQ(decoder.push(TokenId{256}), " ");
}

TEST(StreamingDecoder, AnEmojiOfFourBytePiecesAppearsWhole) {
  const Tokenizer tokenizer = tokenizer_of(test::fallback_file());
  const std::vector<TokenId> tokens = tokenizer.encode("\U0001f600");
  ASSERT_EQ(tokens.size(), 5u);
  StreamingDecoder decoder(tokenizer);
  std::string text;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(decoder.push(tokens[i]), "") << i;
  EXPECT_EQ(decoder.push(tokens[4]), "\U0001f600");
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(decoder.push(tokens[i]), "") << i;
  EXPECT_EQ(decoder.finish(), "\ufffd");
}

TEST(StreamingDecoder, RandomTokensOfByteFallbackGiveTheSameTextAsAllAtOnce) {
  const Tokenizer tokenizer =
      tokenizer_of(test::fallback_file({{"a", "b"}, {"\u2581", "\u2581"}, {"\u2581", "ab"}}));
  test::TestRandom random;
  const std::vector<int> often = {256, 257, 262, 263, 264, 0xf0, 0x9f, 0x98, 0x80, 0xe2, 300};
  for (int round = 0; round < 3000; ++round) {
    StreamingDecoder decoder(tokenizer);
    std::vector<TokenId> tokens(random.below(12));
    std::string streamed;
    for (TokenId& token : tokens) {
      token = TokenId{often[random.below(often.size())]};
      const std::string text = decoder.push(token);
      ASSERT_EQ(to_valid_utf8(text), text);
      streamed += text;
    }
    ASSERT_EQ(streamed + decoder.finish(), to_valid_utf8(tokenizer.decode(tokens)));
  }
}

}  // namespace
}  // namespace quire
