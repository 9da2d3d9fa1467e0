#include "src/report/markup.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(Markup, EscapesWhatMeansSomething) {
  EXPECT_EQ(escape_markup(R"(<a href="x">&'</a>)"),
            "&lt;a href=&quot;x&quot;&gt;&amp;&#39;&lt;/a&gt;");
}

TEST(Markup, KeepsUtf8AndLineBreaks) {
  EXPECT_EQ(escape_markup("µs → k₀\n\t𝄞"), "µs → k₀\n\t𝄞");
}

TEST(Markup, ReplacesWhatNoDocumentMayContain) {
  for (const char* bad : {"\x01", "\x7f", "\x80", "\xC0", "\xF5", "\xEF\xBF\xBF"})
    EXPECT_EQ(escape_markup(bad), "\xEF\xBF\xBD") << bad;
  // Surrogates, overlong and cut-off sequences: one replacement a byte.
  EXPECT_EQ(escape_markup("\xED\xA0\x80").size(), 9u);
  EXPECT_EQ(escape_markup("\xE0\x80\x80").size(), 9u);
  EXPECT_EQ(escape_markup("\xF0\x80\x80\x80").size(), 12u);
  EXPECT_EQ(escape_markup("\xE2\x86").size(), 6u);
  EXPECT_EQ(escape_markup(std::string_view("\0", 1)), "\xEF\xBF\xBD");
}

TEST(Markup, WidthCountsCodePoints) {
  EXPECT_EQ(display_width(""), 0);
  EXPECT_EQ(display_width("abc"), 3);
  EXPECT_EQ(display_width("µ→─"), 3);
}

TEST(Markup, CoordinatesAreShort) {
  EXPECT_EQ(coordinate(3), "3");
  EXPECT_EQ(coordinate(100), "100");
  EXPECT_EQ(coordinate(1.005), "1");
  EXPECT_EQ(coordinate(2.345678), "2.35");
  EXPECT_EQ(coordinate(-0.001), "0");
}

}  // namespace
}  // namespace quire
