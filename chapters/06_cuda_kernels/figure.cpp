#include <fmt/format.h>

#include <array>

#include "chapters/06_cuda_kernels/tables.h"
#include "src/report/svg.h"

namespace quire {
namespace {

constexpr int kLanes = 32, kFloats = 8, kShown = 12;  // floats of a sector, and sectors drawn
constexpr double kCell = 21, kRow = 25, kTop = 84, kPanel = 184;
constexpr std::array kStrides = {1u, 3u, 8u};

// One sector: the floats that a lane reads, with its number, and those that come along.
void draw_sector(Svg& svg, double left, double top, int sector, int stride) {
  for (int i = 0; i < kFloats; ++i) {
    const int place = sector * kFloats + i, lane = place / stride;
    const bool read = place % stride == 0 && lane < kLanes;
    const double x = left + kCell * i;
    svg.rectangle(x, top, kCell, kRow - 4, read ? "mark" : "empty");
    if (read) svg.text(x + kCell / 2, top + 16, std::to_string(lane), "label", Anchor::middle);
  }
}

void draw_panel(Svg& svg, double left, const StridedLoad& load) {
  const auto sectors = static_cast<int>(load.load.cost);
  svg.text(left, 58, fmt::format("{} apart: {}", load.stride, sectors), "heading");
  svg.open_group(load.stride == 1 ? "s3" : "s1");
  for (int sector = 0; sector < std::min(sectors, kShown); ++sector) {
    draw_sector(svg, left, kTop + kRow * sector - 8, sector, static_cast<int>(load.stride));
  }
  svg.close_group();
  const double below = kTop + kRow * std::min(sectors, kShown) + 12;
  if (sectors > kShown) svg.text(left, below, fmt::format("and {} more", sectors - kShown), "soft");
}

}  // namespace

std::string accesses_figure(const std::vector<StridedLoad>& loads) {
  Svg svg(
      "Sectors that one load of a warp takes",
      "A row is a sector of eight floats, a number the lane that reads that float. Side by side "
      "the 32 lanes fill 4 sectors; 3 floats apart they touch 12, 8 apart 32.",
      560, kTop + kRow * kShown + 28);
  svg.text(16, 28, "Sectors of 8 floats that a warp's load brings, by stride", "heading");
  double left = 16;
  for (const unsigned stride : kStrides) {
    for (const StridedLoad& load : loads) {
      if (load.stride == stride) draw_panel(svg, left, load);
    }
    left += kPanel;
  }
  return svg.str();
}

}  // namespace quire
