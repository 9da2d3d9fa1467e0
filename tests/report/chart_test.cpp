#include "src/report/chart.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <sstream>

#include "src/core/error.h"
#include "src/core/random.h"
#include "src/report/bar_chart.h"
#include "src/report/svg.h"
#include "tests/report/xml.h"

namespace quire {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

Chart sample() {
  Chart chart{"Time per token", "It grows.", {"position"}, {"time per token", "ms"}, {}};
  chart.series.push_back({"no cache", {{0, 1}, {256, 9}, {512, 17.9}}, {}, "17.9 ms at 512"});
  chart.series.push_back({"KV cache", {{0, 0.05}, {512, 0.06}}});
  return chart;
}

std::vector<XmlElement> with_class(const std::string& svg, const std::string& css) {
  std::vector<XmlElement> found;
  for (const XmlElement& element : parse_xml(svg)) {
    const auto at = element.attributes.find("class");
    if (at != element.attributes.end() && at->second == css) found.push_back(element);
  }
  return found;
}

double number(const XmlElement& element, const char* name) {
  return std::stod(element.attributes.at(name));
}

TEST(Chart, IsOneWellFormedDrawing) {
  const auto elements = parse_xml(sample().svg());
  EXPECT_EQ(elements[0].name, "svg");
  EXPECT_EQ(elements[0].attributes.at("viewBox"), "0 0 560 350");
  EXPECT_EQ(elements[1].text, "Time per token");
  EXPECT_EQ(elements[2].text, "It grows.");
}

TEST(Chart, EqualChartsGiveEqualBytes) {
  EXPECT_EQ(sample().svg(), sample().svg());
}

TEST(Chart, EscapesItsTexts) {
  Chart chart = sample();
  chart.title = "a<b & \"c\"";
  chart.series[0].label = "x > y";
  const std::string svg = chart.svg();
  EXPECT_EQ(parse_xml(svg)[0].attributes.at("aria-label"), "a&lt;b &amp; &quot;c&quot;");
  EXPECT_EQ(with_class(svg, "label")[0].text, "x &gt; y");
}

TEST(Chart, LabelsCarryTheColourOfTheirLine) {
  Chart chart = sample();
  chart.series[1].color = 4;
  EXPECT_EQ(with_class(chart.svg(), "s1").size(), 1u);
  EXPECT_EQ(with_class(chart.svg(), "s4").size(), 1u);
}

TEST(Chart, EveryPointTellsItsValue) {
  const std::string svg = sample().svg();
  EXPECT_EQ(with_class(svg, "hover").size(), 5u);
  EXPECT_NE(svg.find("<title>no cache: 17.9 ms at 512</title>"), std::string::npos);
}

// The label of a point of the sample's first series.
XmlElement point_label(const Chart& chart) {
  const auto labels = with_class(chart.svg(), "label");
  const auto label = std::find_if(labels.begin(), labels.end(), [](const XmlElement& element) {
    return element.text == "&lt;batch 4&gt;";
  });
  return label == labels.end() ? XmlElement{} : *label;
}

TEST(Chart, APointMayCarryALabelAboveOrBelowIt) {
  Chart chart = sample();
  chart.series[0].points[1].label = "<batch 4>";
  const XmlElement dot = with_class(chart.svg(), "dot")[1], above = point_label(chart);
  EXPECT_LT(number(above, "x"), number(dot, "cx"));
  EXPECT_LT(number(above, "y"), number(dot, "cy"));
  chart.series[0].labels_below = true;
  const XmlElement below = point_label(chart);
  EXPECT_GT(number(below, "x"), number(dot, "cx"));
  EXPECT_GT(number(below, "y"), number(dot, "cy"));
}

TEST(Chart, PointsNeedNotBeJoined) {
  Chart chart = sample();
  const std::size_t dots = with_class(chart.svg(), "dot").size();
  chart.series[0].joined = false;
  EXPECT_EQ(with_class(chart.svg(), "curve").size(), 1u) << "only the other series has a line";
  EXPECT_EQ(with_class(chart.svg(), "dot").size(), dots);
  chart.series = {{"points", {{0, 1}, {1, 50}, {2, 9}}}};
  chart.series.push_back({"far below", {{0, 1}, {1, 0}}});
  EXPECT_EQ(with_class(chart.svg(), "leader").size(), 1u);
  chart.series[1].joined = false;
  EXPECT_TRUE(with_class(chart.svg(), "leader").empty()) << "what has no end needs no line to it";
}

TEST(Chart, OnTwoLogarithmicAxesAPowerLawIsStraight) {
  Chart chart = sample();
  chart.x.scale = chart.y.scale = Scale::log10;
  chart.series = {{"power law", {{1, 2}, {10, 20}, {100, 200}}}};
  const auto dots = with_class(chart.svg(), "dot");
  ASSERT_EQ(dots.size(), 3u);
  EXPECT_NEAR(number(dots[1], "cx") - number(dots[0], "cx"),
              number(dots[2], "cx") - number(dots[1], "cx"), 0.02);
  EXPECT_NEAR(number(dots[1], "cy") - number(dots[0], "cy"),
              number(dots[2], "cy") - number(dots[1], "cy"), 0.02);
}

TEST(Chart, LabelsOfEqualLinesDoNotOverlap) {
  Chart chart = sample();
  chart.series.clear();
  for (const char* name : {"one", "two", "three", "four"})
    chart.series.push_back({name, {{1, 2}}, {}, "2 at 1"});
  std::vector<double> baselines;
  for (const auto& label : with_class(chart.svg(), "label"))
    baselines.push_back(number(label, "y"));
  std::sort(baselines.begin(), baselines.end());
  ASSERT_EQ(baselines.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_GE(baselines[i] - baselines[i - 1], 36);
}

TEST(SpreadLabels, NoneOverlapsAndOrderIsKept) {
  Random random(3);
  for (int round = 0; round < 500; ++round) {
    std::vector<double> wanted, heights;
    for (int i = 0; i < 1 + round % 5; ++i) {
      wanted.push_back(300 * random.uniform());
      heights.push_back(random.uniform() < 0.5 ? 18 : 36);
    }
    const auto tops = spread_labels(wanted, heights, 40, 330);
    for (std::size_t a = 0; a < tops.size(); ++a) {
      ASSERT_GE(tops[a], 40) << "round " << round;
      ASSERT_LE(tops[a] + heights[a], 330 + 1e-9) << "round " << round;
      for (std::size_t b = 0; b < tops.size(); ++b)
        if (wanted[a] < wanted[b]) {
          ASSERT_LE(tops[a] + heights[a], tops[b] + 1e-9) << "round " << round;
        }
    }
  }
}

TEST(SpreadLabels, LeavesAloneWhatDoesNotCollide) {
  EXPECT_EQ(spread_labels({200, 50}, {18, 18}, 0, 300), (std::vector<double>{200, 50}));
}

TEST(Chart, DegenerateDataIsDrawn) {
  Chart chart = sample();
  chart.series = {{"one point", {{3, 4}}}};
  EXPECT_NO_THROW(parse_xml(chart.svg()));
  chart.series = {{"all equal", {{0, 0}, {0, 0}}}};
  EXPECT_NO_THROW(parse_xml(chart.svg()));
  EXPECT_EQ(chart.svg().find("nan"), std::string::npos);
}

TEST(Chart, WithoutPointsSaysSo) {
  Chart chart = sample();
  chart.series = {{"empty", {}}};
  EXPECT_NE(chart.svg().find(">no data<"), std::string::npos);
  EXPECT_NO_THROW(parse_xml(Chart{}.svg()));
  EXPECT_EQ(sample().svg().find(">no data<"), std::string::npos);
}

TEST(Chart, RefusesWhatCannotBeDrawn) {
  Chart chart = sample();
  chart.series[0].points[1].y = kNan;
  EXPECT_THROW(chart.svg(), Error);
  chart = sample();
  chart.y.scale = Scale::log10;
  chart.series[1].points[0].y = 0;
  EXPECT_THROW(chart.svg(), Error);
  chart = sample();
  chart.series[0].spread = {{0, 1}};
  EXPECT_THROW(chart.svg(), Error);
  chart = sample();
  chart.series[0].color = 5;
  EXPECT_THROW(chart.svg(), Error);
}

TEST(Chart, SpreadIsABandAroundTheLine) {
  Chart chart = sample();
  chart.series[1].spread = {{0.04, 0.07}, {0.05, 30}};
  const std::string svg = chart.svg();
  EXPECT_EQ(with_class(svg, "band").size(), 1u);
  EXPECT_NE(svg.find(">30</text>"), std::string::npos) << "the axis must hold the band";
}

TEST(BarChart, LengthsAreProportional) {
  BarChart chart{"Cache", "Sizes.", "bytes", {{"slab", 400, "400 B"}, {"paged", 100, "100 B", 1}}};
  const auto bars = with_class(chart.svg(), "bar");
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_NEAR(number(bars[0], "width"), 4 * number(bars[1], "width"), 0.1);
}

TEST(BarChart, DegenerateDataIsDrawnAndNanIsRefused) {
  EXPECT_NE(BarChart{}.svg().find(">no data<"), std::string::npos);
  BarChart zeros{"t", "d", "m", {{"a", 0, "0"}}};
  EXPECT_NO_THROW(parse_xml(zeros.svg()));
  for (double bad : {kNan, -1.0}) {
    zeros.bars[0].value = bad;
    EXPECT_THROW(zeros.svg(), Error);
  }
}

TEST(FigureStyle, IsWhatTheDocumentationExplains) {
  std::ifstream file(QUIRE_SOURCE_DIR "/docs/theme/figure.css");
  std::stringstream text;
  text << file.rdbuf();
  std::string rules = text.str();
  rules.erase(0, rules.find("*/") + 2);
  EXPECT_EQ(rules, figure_style());
}

}  // namespace
}  // namespace quire
