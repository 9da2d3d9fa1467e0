#include "src/report/html.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "src/report/chart.h"
#include "tests/report/xml.h"

namespace quire {
namespace {

/// Void elements are not XML; everything between <main> and </main> of this page is.
std::string main_of(const std::string& page) {
  const std::size_t begin = page.find("<main>"), end = page.find("</main>");
  return page.substr(begin, end + 7 - begin);
}

TEST(HtmlPage, EscapesEverythingButDrawings) {
  HtmlPage page("<T> & co", "lead <i>");
  page.section("<s>").text("a < b").preformatted("x > \"y\"\n  z");
  const auto elements = parse_xml(main_of(page.str()));
  ASSERT_EQ(elements.size(), 6u);
  EXPECT_EQ(elements[1].text, "&lt;T&gt; &amp; co");
  EXPECT_EQ(elements[2].text, "lead &lt;i&gt;");
  EXPECT_EQ(elements[3].text, "&lt;s&gt;");
  EXPECT_EQ(elements[4].text, "a &lt; b");
  EXPECT_EQ(elements[5].text, "x &gt; &quot;y&quot;\n  z");
}

TEST(HtmlPage, HoldsTablesAndDrawings) {
  HtmlPage page("t", "");
  Table table({{"a"}});
  page.table(table.row({"1"}), "what <it> is").figure(Chart{}.svg());
  std::vector<std::string> names;
  for (const auto& element : parse_xml(main_of(page.str()))) names.push_back(element.name);
  const auto count = [&](const char* name) { return std::count(names.begin(), names.end(), name); };
  EXPECT_EQ(count("table"), 1);
  EXPECT_EQ(count("svg"), 1);
  EXPECT_EQ(count("figure"), 2);
  EXPECT_EQ(count("figcaption"), 1);
}

TEST(HtmlPage, NeedsNothingFromOutside) {
  const std::string page = HtmlPage("t", "l").figure(Chart{}.svg()).str();
  EXPECT_EQ(page.find("src="), std::string::npos);
  EXPECT_EQ(page.find("href="), std::string::npos);
  EXPECT_EQ(page.find("<script"), std::string::npos);
  EXPECT_EQ(page.find("url("), std::string::npos);
}

}  // namespace
}  // namespace quire
