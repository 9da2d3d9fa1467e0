#include "chapters/09_paged_attention/usage.h"

#include <fmt/format.h>

#include <algorithm>

namespace quire {

MemoryOfForks memory_of(const Forks& forks, int block_size, int longest) {
  MemoryOfForks memory{.slabs = static_cast<int>(forks.samples.size()) * longest,
                       .blocks = 0,
                       .known = 0,
                       .copies = 0,
                       .block_size = block_size};
  for (const BlockUse& use : forks.steps) {
    memory.copies += use.copies;
    if (use.blocks * block_size <= memory.blocks) continue;
    memory.blocks = use.blocks * block_size;
    memory.known = use.known;
  }
  return memory;
}

Table memory_table(const MemoryOfForks& memory) {
  Table table({{.title = "memory for keys and values", .align = Align::left},
               {.title = "rows"},
               {.title = "of a slab each", .unit = "%"}});
  const auto row = [&](const std::string& what, int rows) {
    const double share = 100.0 * rows / memory.slabs;
    table.row({what, Cell(std::to_string(rows), rows), Cell(fmt::format("{:.1f}", share), share)});
  };
  row("a slab of its final size for each sample", memory.slabs);
  row(fmt::format("the most blocks of {} held at a time", memory.block_size), memory.blocks);
  row("known to the samples then, counted for each", memory.known);
  return table;
}

Chart memory_chart(const Forks& forks, const MemoryOfForks& memory) {
  Series slabs{.label = "a slab each", .points = {}, .dashed = true};
  Series blocks{.label = "held in blocks", .points = {}};
  Series known{.label = "known", .points = {}};
  for (std::size_t i = 0; i < forks.steps.size(); ++i) {
    const BlockUse& use = forks.steps[i];
    const auto add = [step = static_cast<double>(i)](Series& series, int rows) {
      series.points.push_back({step, static_cast<double>(rows)});
    };
    add(slabs, memory.slabs);
    add(blocks, use.blocks * memory.block_size);
    add(known, use.known);
  }
  return {.title = "Rows reserved for several samples of a prompt",
          .description =
              "Slabs reserve the longest text for each sample from the start; blocks "
              "follow what the samples know, and go back when one ends.",
          .x = {.label = "step"},
          .y = {.label = "rows of keys and values"},
          .series = {slabs, blocks, known}};
}

Json to_json(const MemoryOfForks& memory) {
  return {{"rows_in_slabs", memory.slabs},
          {"rows_in_blocks", memory.blocks},
          {"rows_known", memory.known},
          {"copies", memory.copies},
          {"block_size", memory.block_size}};
}

}  // namespace quire
