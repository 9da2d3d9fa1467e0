#include <fmt/format.h>

#include <array>

#include "chapters/08_static_batching/comparison.h"
#include "src/report/svg.h"

namespace quire {
namespace {

constexpr double kWidth = 560, kMargin = 12, kBar = 30, kPitch = 62, kTop = 122;

struct Part {
  const char* name;
  double MemoryShares::*share;
  const char* group;  // its colour
  const char* css;    // how it is filled
};

constexpr std::array<Part, 5> kParts = {{{"tokens", &MemoryShares::tokens, "s2", "bar"},
                                         {"reserved", &MemoryShares::reserved, "s3", "mark"},
                                         {"internal", &MemoryShares::internal, "s1", "mark"},
                                         {"external", &MemoryShares::external, "s4", "mark"},
                                         {"unclaimed", &MemoryShares::unclaimed, "", "empty"}}};

void draw_legend(Svg& svg) {
  double x = kMargin;
  for (const Part& part : kParts) {
    svg.open_group(part.group);
    svg.rectangle(x, 72, 14, 14, part.css).text(x + 20, 84, part.name, "label");
    svg.close_group();
    x += 34 + text_width(part.name);
  }
}

void draw_bar(Svg& svg, const ServedTrace& way, double top) {
  svg.text(kMargin, top - 7, way.name);
  double x = kMargin;
  for (const Part& part : kParts) {
    const double share = way.totals.memory.*part.share;
    if (share <= 0) continue;
    const double width = share * (kWidth - 2 * kMargin);
    const std::string shown = fmt::format("{:.1f}", 100 * share);
    svg.open_group(part.group);
    svg.rectangle(x, top, width, kBar, part.css, fmt::format("{}: {} %", part.name, shown));
    svg.close_group();
    // The first part is filled with its colour, on which no text would be read: its number stands
    // above the bar.
    if (&part == &kParts[0]) {
      svg.open_group(part.group)
          .text(kWidth - kMargin, top - 7, shown + " % tokens", "label", Anchor::end);
      svg.close_group();
    } else if (width > text_width(shown) + 4) {
      svg.text(x + width / 2, top + 20, shown, "", Anchor::middle);
    }
    x += width;
  }
}

}  // namespace

std::string memory_figure(const std::vector<ServedTrace>& served) {
  Svg svg(
      "What the rows of the cache hold",
      "For each reservation a bar of all KV memory, on average over all steps: rows with tokens, "
      "rows reserved for later, rows that are never used, rows that cannot be used.",
      kWidth, kTop + kPitch * static_cast<double>(served.size()) - 20);
  svg.text(kMargin, 28, "What the rows of the cache hold", "heading");
  svg.text(kMargin, 50, "percent of all KV memory, average over all steps", "soft");
  draw_legend(svg);
  double top = kTop;
  for (const ServedTrace& way : served) {
    draw_bar(svg, way, top);
    top += kPitch;
  }
  return svg.str();
}

}  // namespace quire
