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
