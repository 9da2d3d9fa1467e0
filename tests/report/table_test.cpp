#include "src/report/table.h"

#include <gtest/gtest.h>

#include "src/core/error.h"
#include "src/report/format.h"
#include "tests/report/xml.h"

namespace quire {
namespace {

Table sample() {
  Table table({{"stage", "", Align::left}, {"time", "ms"}, {"cache"}});
  table.row({"no cache", {"17.9", 17.9123}, {format_bytes(0), 0}});
  table.row({"paged → 9", {"0.06", 0.0625}, {format_bytes(131'072), 131'072}});
  return table;
}

TEST(Table, TextAlignsByCharactersNotBytes) {
  EXPECT_EQ(sample().text(),
            "stage      time (ms)    cache\n"
            "─────────  ─────────  ───────\n"
            "no cache        17.9      0 B\n"
            "paged → 9       0.06  128 KiB\n");
}

TEST(Table, TextHasNoSpaceAtLineEnds) {
  Table table({{"a", "", Align::left}, {"b", "", Align::left}});
  table.row({"x", ""});
  EXPECT_EQ(table.text(), "a  b\n─  ─\nx\n");
}

TEST(Table, CsvHasExactNumbers) {
  EXPECT_EQ(sample().csv(),
            "stage,time (ms),cache\n"
            "no cache,17.9123,0\n"
            "paged → 9,0.0625,131072\n");
}

TEST(Table, CsvQuotesWhatNeedsIt) {
  Table table({{"a,b"}, {"c\"d"}});
  table.row({"1,000", "plain"});
  EXPECT_EQ(table.csv(), "\"a,b\",\"c\"\"d\"\n\"1,000\",plain\n");
}

TEST(Table, MarkdownEscapesPipes) {
  Table table({{"a|b", "", Align::left}, {"n"}});
  table.row({"x|y", "1"});
  EXPECT_EQ(table.markdown(), "| a\\|b | n |\n| :-- | --: |\n| x\\|y | 1 |\n");
}

TEST(Table, ATonedCellStandsOutOnAPageOnly) {
  Table plain({{"a"}, {"b"}}), toned({{"a"}, {"b"}});
  plain.row({"1", "2"});
  toned.row({Cell("1").toned(Tone::filled, 0.25), Cell("2").toned(Tone::bad)});
  EXPECT_EQ(toned.text(), plain.text());
  EXPECT_EQ(toned.markdown(), plain.markdown());
  EXPECT_EQ(toned.csv(), plain.csv());
  const auto elements = parse_xml(toned.html());
  EXPECT_EQ(elements[elements.size() - 2].attributes.at("class"), "right filled");
  EXPECT_EQ(elements[elements.size() - 2].attributes.at("style"), "--strength: 25%");
  EXPECT_EQ(elements.back().attributes.at("class"), "right bad");
}

TEST(Table, HtmlIsEscapedAndWellFormed) {
  Table table({{"<b>", "", Align::left}, {"n"}});
  table.row({"a & b", "\"1\""});
  const auto elements = parse_xml(table.html());
  EXPECT_EQ(elements[0].name, "table");
  EXPECT_EQ(elements[3].text, "&lt;b&gt;");
  EXPECT_EQ(elements.back().text, "&quot;1&quot;");
  EXPECT_EQ(elements.back().attributes.at("class"), "right");
}

TEST(Table, WithoutRowsHasAHead) {
  const Table table({{"a"}});
  EXPECT_EQ(table.text(), "a\n─\n");
  EXPECT_EQ(table.csv(), "a\n");
  EXPECT_EQ(table.rows(), 0u);
  EXPECT_NO_THROW(parse_xml(table.html()));
}

TEST(Table, RefusesRowsThatDoNotFit) {
  EXPECT_THROW(Table({}), Error);
  Table table({{"a"}, {"b"}});
  EXPECT_THROW(table.row({"1"}), Error);
  EXPECT_THROW(table.row({"1", "2", "3"}), Error);
  EXPECT_THROW(table.row({"1", "two\nlines"}), Error);
  EXPECT_EQ(table.rows(), 0u);
}

}  // namespace
}  // namespace quire
