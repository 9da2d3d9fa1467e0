#include "src/report/svg.h"

#include <fmt/format.h>

#include "src/report/markup.h"

namespace quire {
namespace {

std::string class_attribute(std::string_view css) {
  return css.empty() ? "" : fmt::format(" class=\"{}\"", css);
}

std::string hover_title(std::string_view hover) {
  return hover.empty() ? "/>\n" : fmt::format("><title>{}</title>", escape_markup(hover));
}

std::string_view anchor_attribute(Anchor anchor) {
  if (anchor == Anchor::middle) return " text-anchor=\"middle\"";
  return anchor == Anchor::end ? " text-anchor=\"end\"" : "";
}

}  // namespace

std::string_view figure_style() {
  return R"(
.quire-figure { --f0: #1c2330; --f1: #c2410c; --f2: #2563eb; --f3: #0f766e; --f4: #7c3aed; --fp: #ffffff; }
@media (prefers-color-scheme: dark) {
.quire-figure { --f0: #e6e9ef; --f1: #fb923c; --f2: #60a5fa; --f3: #2dd4bf; --f4: #c4b5fd; --fp: #161a22; }
}
.quire-figure { color: var(--figure-ink, var(--f0)); --c: currentColor; font-family: system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; }
.quire-figure .s1 { --c: var(--s1, var(--f1)); }
.quire-figure .s2 { --c: var(--s2, var(--f2)); }
.quire-figure .s3 { --c: var(--s3, var(--f3)); }
.quire-figure .s4 { --c: var(--s4, var(--f4)); }
.quire-figure .paper { fill: var(--figure-paper, var(--fp)); }
.quire-figure text { font-size: 15px; fill: currentColor; }
.quire-figure .heading { font-size: 17px; font-weight: 600; }
.quire-figure .soft { opacity: .78; }
.quire-figure .label { font-weight: 600; fill: var(--c); }
.quire-figure .code { font-family: ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.quire-figure .grid { stroke: currentColor; opacity: .14; }
.quire-figure .axis { stroke: currentColor; opacity: .55; }
.quire-figure .curve { fill: none; stroke: var(--c); stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
.quire-figure .dashed { stroke-dasharray: 7 5; }
.quire-figure .leader { fill: none; stroke: var(--c); opacity: .5; }
.quire-figure .band { fill: var(--c); opacity: .16; }
.quire-figure .bar, .quire-figure .dot { fill: var(--c); }
.quire-figure .hover { fill: transparent; }
.quire-figure .box { fill: currentColor; fill-opacity: .07; stroke: currentColor; stroke-opacity: .35; }
.quire-figure .mark { fill: var(--c); fill-opacity: .2; stroke: var(--c); stroke-width: 1.5; }
.quire-figure .empty { fill: none; stroke: currentColor; stroke-opacity: .45; stroke-dasharray: 4 4; }
.quire-figure .arrow { fill: none; stroke: var(--c); stroke-width: 1.75; }
)";
}

Svg::Svg(std::string_view title, std::string_view description, double width, double height) {
  body_ = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"quire-figure\" role=\"img\" "
      "viewBox=\"0 0 {0} {1}\" aria-label=\"{2}\">\n<title>{2}</title>\n<desc>{3}</desc>\n"
      "<style>{4}</style>\n",
      coordinate(width), coordinate(height), escape_markup(title), escape_markup(description),
      figure_style());
  rectangle(0, 0, width, height, "paper");
}

Svg& Svg::open_group(std::string_view css) {
  body_ += "<g" + class_attribute(css) + ">\n";
  return *this;
}

Svg& Svg::close_group() {
  body_ += "</g>\n";
  return *this;
}

Svg& Svg::text(double x, double y, std::string_view text, std::string_view css, Anchor anchor) {
  body_ += fmt::format("<text x=\"{}\" y=\"{}\"{}{}>{}</text>\n", coordinate(x), coordinate(y),
                       class_attribute(css), anchor_attribute(anchor), escape_markup(text));
  return *this;
}

Svg& Svg::path(std::string_view data, std::string_view css) {
  body_ += fmt::format("<path{} d=\"{}\"/>\n", class_attribute(css), data);
  return *this;
}

Svg& Svg::rectangle(double x, double y, double width, double height, std::string_view css,
                    std::string_view hover) {
  body_ += fmt::format("<rect{} x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"{}",
                       class_attribute(css), coordinate(x), coordinate(y), coordinate(width),
                       coordinate(height), hover_title(hover));
  if (!hover.empty()) body_ += "</rect>\n";
  return *this;
}

Svg& Svg::circle(double x, double y, double radius, std::string_view css, std::string_view hover) {
  body_ += fmt::format("<circle{} cx=\"{}\" cy=\"{}\" r=\"{}\"{}", class_attribute(css),
                       coordinate(x), coordinate(y), coordinate(radius), hover_title(hover));
  if (!hover.empty()) body_ += "</circle>\n";
  return *this;
}

double text_width(std::string_view text) {
  return 8.3 * display_width(text);
}

}  // namespace quire
