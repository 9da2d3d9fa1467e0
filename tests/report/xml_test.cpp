#include "tests/report/xml.h"

#include <gtest/gtest.h>

#include "src/core/error.h"

namespace quire {
namespace {

TEST(Xml, ReadsElementsInDocumentOrder) {
  const auto elements = parse_xml("<a x=\"1\">t<b/>&amp;</a>\n");
  ASSERT_EQ(elements.size(), 2u);
  EXPECT_EQ(elements[0].name, "a");
  EXPECT_EQ(elements[0].attributes.at("x"), "1");
  EXPECT_EQ(elements[0].text, "t&amp;");
  EXPECT_EQ(elements[1].name, "b");
}

// The negative control of every test that calls parse_xml.
TEST(Xml, RefusesWhatIsNotWellFormed) {
  for (const char* broken : {"", "<a>", "<a></b>", "<a/><b/>", "<a x=1/>", "<a x=\"1\" x=\"2\"/>",
                             "<a>&</a>", "<a x=\"<\"/>", "<a>x", "<a/>tail", "<1/>"})
    EXPECT_THROW(parse_xml(broken), Error) << broken;
}

}  // namespace
}  // namespace quire
