#include "src/text/byte_level.h"

#include <gtest/gtest.h>

#include <set>

#include "src/text/utf8.h"

namespace quire {
namespace {

TEST(ByteLevel, KnownBytesHaveTheirPublishedSpelling) {
  EXPECT_EQ(spell(" the\n"), "\u0120the\u010a");
  EXPECT_EQ(spell("~\x7f\xa0\xa1\xac\xad\xae"), "~\u0121\u0142\u00a1\u00ac\u0143\u00ae");
}

TEST(ByteLevel, EveryByteHasACharacterOfItsOwn) {
  std::set<char32_t> characters;
  for (int byte = 0; byte < 256; ++byte) {
    const std::string bytes(1, static_cast<char>(byte));
    characters.insert(spelling_of(static_cast<std::uint8_t>(byte)));
    EXPECT_EQ(unspell(spell(bytes)), bytes) << byte;
    EXPECT_EQ(to_valid_utf8(spell(bytes)), spell(bytes)) << byte;
  }
  EXPECT_EQ(characters.size(), 256u);
}

TEST(ByteLevel, TextOutsideTheAlphabetSpellsNoBytes) {
  EXPECT_EQ(unspell(""), "");
  for (const char* text : {" ", "a b", "\u4e2d", "\u0144", "\u00ad", "\xff"}) {
    EXPECT_FALSE(unspell(text).has_value()) << text;
  }
}

}  // namespace
}  // namespace quire
