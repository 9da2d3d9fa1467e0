#include "src/text/byte_fallback.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(ByteFallback, EveryByteHasAPieceThatReadsBack) {
  EXPECT_EQ(byte_piece(10), "<0x0A>");
  for (int byte = 0; byte < 256; ++byte) {
    const std::string piece = byte_piece(static_cast<std::uint8_t>(byte));
    EXPECT_EQ(byte_of_piece(piece), byte) << piece;
    EXPECT_EQ(read_fallback(piece), std::string(1, static_cast<char>(byte))) << piece;
  }
}

TEST(ByteFallback, MalformedPiecesAreNoTokens) {
  for (const char* piece : {"<0x>", "<0x1>", "<0xG1>", "<0x1G>", "<0x0a>", "<0x0A0>", "<0x-1>"}) {
    EXPECT_EQ(byte_of_piece(piece), std::nullopt) << piece;
    EXPECT_EQ(read_fallback(piece), std::nullopt) << piece;
  }
}

TEST(ByteFallback, WhatDoesNotLookLikeABytePieceIsText) {
  for (const char* piece : {"<0", "<0x", "0x0A>", "<0x0A", "x<0x0A>", "<s>", ""}) {
    EXPECT_EQ(byte_of_piece(piece), std::nullopt) << piece;
    EXPECT_EQ(read_fallback(piece), piece);
  }
}

TEST(ByteFallback, TheSignOfASpaceIsASpace) {
  EXPECT_EQ(read_fallback("\u2581the\u2581\u2581x"), " the  x");
  EXPECT_EQ(read_fallback("\u2580\xe2\x96"), "\u2580\xe2\x96");
}

}  // namespace
}  // namespace quire
