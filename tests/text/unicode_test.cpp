#include "src/text/unicode.h"

#include <gtest/gtest.h>
#include <unicode/normalizer2.h>

#include <string_view>

#include "src/text/utf8.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

// What ICU makes of a whole text; its time may be quadratic in a run of marks.
std::string nfc_of_icu(const std::string& text) {
  UErrorCode error = U_ZERO_ERROR;
  std::string result;
  icu::Normalizer2::getNFCInstance(error)
      ->normalize(icu::UnicodeString::fromUTF8(text), error)
      .toUTF8String(result);
  EXPECT_TRUE(U_SUCCESS(error));
  return result;
}

TEST(Unicode, CharactersHaveTheKindOfTheirCategory) {
  for (const char32_t c : std::u32string_view(U"aZ\u00e9\u4e2d\u02b0\u00aa\u01c5")) {
    EXPECT_EQ(kind_of(c), CharacterKind::letter) << static_cast<unsigned>(c);
  }
  for (const char32_t c : std::u32string_view(U"09\u0663\u00bd\u2167\u2460")) {
    EXPECT_EQ(kind_of(c), CharacterKind::digit) << static_cast<unsigned>(c);
  }
  for (const char32_t c :
       std::u32string_view(U" \t\n\v\f\r\u0085\u00a0\u1680\u2003\u2028\u2029\u202f\u205f\u3000")) {
    EXPECT_EQ(kind_of(c), CharacterKind::space) << static_cast<unsigned>(c);
  }
  for (const char32_t c :
       std::u32string_view(U"!_\u0301\u200b\u200d\ufeff\u001c\u180e\U0001f600")) {
    EXPECT_EQ(kind_of(c), CharacterKind::sign) << static_cast<unsigned>(c);
  }
}

TEST(Unicode, WordsAreMadeOfLettersMarksDigitsAndConnectors) {
  for (const char32_t c : std::u32string_view(U"aZ\u00e90\u0663_\u203f\u0301\u200d\u2167")) {
    EXPECT_TRUE(is_word_character(c)) << static_cast<unsigned>(c);
  }
  for (const char32_t c : std::u32string_view(U" -'\u00bd\U0001f600")) {
    EXPECT_FALSE(is_word_character(c)) << static_cast<unsigned>(c);
  }
}

TEST(Unicode, NfcIsThatOfIcuOnRandomTexts) {
  test::TestRandom random;
  const std::u32string often =
      U"aeo\u0041\u0300\u0301\u0308\u0323\u0327\u0345\u05ae\u0315\u1100\u1161\u11a8\uac00\u0958"
      U"\u212b\ufb2c\u0344\u0f73\U0001d15e";
  for (int round = 0; round < 5000; ++round) {
    std::string text;
    for (std::uint64_t i = random.below(20); i > 0; --i) {
      const auto any = static_cast<char32_t>(random.below(0xd800));
      append_utf8(random.below(4) == 0 ? any : often[random.below(often.size())], text);
    }
    ASSERT_EQ(to_nfc(text), nfc_of_icu(text));
  }
}

TEST(Unicode, NfcLeavesInvalidBytesWhereTheyAre) {
  EXPECT_EQ(to_nfc("e\u0301\xff"
                   "e\u0301\xe2\x82"),
            "\u00e9\xff\u00e9\xe2\x82");
  EXPECT_EQ(to_nfc("e\xff\u0301"), "e\xff\u0301");
}

TEST(Unicode, AMillionBytesOfMarksInDisorderAreSorted) {
  std::string marks, expected = "\u1ea1";  // a with the first of the marks below
  for (int i = 0; i < 250'000; ++i) marks += "\u0301\u0323";
  for (int i = 1; i < 250'000; ++i) expected += "\u0323";
  for (int i = 0; i < 250'000; ++i) expected += "\u0301";
  EXPECT_TRUE(to_nfc("a" + marks) == expected);
}

}  // namespace
}  // namespace quire
