#include "src/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace quire {
namespace {

using namespace std::string_literals;

struct UnitCase {
  std::string text;
  Utf8Kind kind;
  char32_t code;
  std::size_t bytes;
};

TEST(Utf8, TheFirstUnitIsACharacterOrAsMuchAsCouldBeginOne) {
  const UnitCase cases[] = {
      {"a", Utf8Kind::character, U'a', 1},
      {"\0x"s, Utf8Kind::character, 0, 1},
      {"\x7f", Utf8Kind::character, 0x7f, 1},
      {"\xc2\x80", Utf8Kind::character, 0x80, 2},
      {"\xdf\xbf", Utf8Kind::character, 0x7ff, 2},
      {"\xe0\xa0\x80", Utf8Kind::character, 0x800, 3},
      {"\xed\x9f\xbf", Utf8Kind::character, 0xd7ff, 3},
      {"\xef\xbf\xbf", Utf8Kind::character, 0xffff, 3},
      {"\xf0\x90\x80\x80", Utf8Kind::character, 0x10000, 4},
      {"\xf4\x8f\xbf\xbf", Utf8Kind::character, 0x10ffff, 4},
      {"\x80", Utf8Kind::invalid, 0, 1},
      {"\xc1\xbf", Utf8Kind::invalid, 0, 1},          // overlong
      {"\xe0\x9f\xbf", Utf8Kind::invalid, 0, 1},      // overlong
      {"\xed\xa0\x80", Utf8Kind::invalid, 0, 1},      // a surrogate
      {"\xf0\x8f\xbf\xbf", Utf8Kind::invalid, 0, 1},  // overlong
      {"\xf4\x90\x80\x80", Utf8Kind::invalid, 0, 1},  // beyond U+10FFFF
      {"\xff", Utf8Kind::invalid, 0, 1},
      {"\xe2\x82"
       "a",
       Utf8Kind::invalid, 0, 2},
      {"\xf0\x9f\x98\xc3", Utf8Kind::invalid, 0, 3},
      {"\xc3", Utf8Kind::unfinished, 0, 1},
      {"\xe2\x82", Utf8Kind::unfinished, 0, 2},
      {"\xf0\x9f\x98", Utf8Kind::unfinished, 0, 3},
  };
  for (const UnitCase& c : cases) {
    const Utf8Unit unit = first_unit(c.text);
    EXPECT_EQ(unit.kind, c.kind) << testing::PrintToString(c.text);
    EXPECT_EQ(unit.code, c.code) << testing::PrintToString(c.text);
    EXPECT_EQ(unit.bytes, c.bytes) << testing::PrintToString(c.text);
  }
}

TEST(Utf8, EveryUnitThatIsNoCharacterBecomesOneReplacement) {
  EXPECT_EQ(to_valid_utf8(""), "");
  EXPECT_EQ(to_valid_utf8("h\xc3\xa9!"), "h\xc3\xa9!");
  EXPECT_EQ(to_valid_utf8("a\xff\xfe"
                          "b"),
            "a\ufffd\ufffdb");
  EXPECT_EQ(to_valid_utf8("\xf0\x9f\x98"), "\ufffd");
  EXPECT_EQ(to_valid_utf8("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");
}

TEST(Utf8, OnlyTheLastCharacterOfATextCanBeUnfinished) {
  EXPECT_EQ(finished_bytes(""), 0u);
  EXPECT_EQ(finished_bytes("abc"), 3u);
  EXPECT_EQ(finished_bytes("ab\xf0\x9f"), 2u);
  EXPECT_EQ(finished_bytes("\xf0\x9f"
                           "ab\xff"),
            5u);
}

TEST(Utf8, EveryCharacterIsWrittenAsItIsRead) {
  for (char32_t code = 0; code <= 0x10ffff; code += code < 0x900 ? 1 : 251) {
    if (code >= 0xd800 && code <= 0xdfff) continue;
    std::string text = "x";
    append_utf8(code, text);
    const Utf8Unit unit = first_unit(std::string_view(text).substr(1));
    ASSERT_EQ(unit.kind, Utf8Kind::character);
    ASSERT_EQ(unit.code, code);
    ASSERT_EQ(unit.bytes, text.size() - 1);
    ASSERT_EQ(last_unit(text).code, code);
    ASSERT_EQ(last_unit(text).bytes, text.size() - 1);
  }
}

TEST(Utf8, ATextMayEndWithNoCharacter) {
  EXPECT_EQ(last_unit("").bytes, 0u);
  EXPECT_EQ(last_unit("").kind, Utf8Kind::invalid);
  for (const char* text : {"a\xff", "a\xe2\x82", "\x80"}) {
    EXPECT_EQ(last_unit(text).kind, Utf8Kind::invalid) << testing::PrintToString(text);
    EXPECT_EQ(last_unit(text).bytes, 1u) << testing::PrintToString(text);
  }
}

TEST(Utf8, ValidBytesEndBeforeTheFirstThatAreNoCharacter) {
  EXPECT_EQ(valid_bytes(""), 0u);
  EXPECT_EQ(valid_bytes("a\u00e9"), 3u);
  EXPECT_EQ(valid_bytes("a\u00e9\xff"
                        "b"),
            3u);
  EXPECT_EQ(valid_bytes("ab\xf0\x9f"), 2u);
}

}  // namespace
}  // namespace quire
