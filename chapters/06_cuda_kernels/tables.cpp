#include "chapters/06_cuda_kernels/tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "src/report/format.h"

namespace quire {
namespace {

using simt::AccessCount;
using simt::LaunchRecord;

// "5 × 256", "2 × 3 × 256" with a grid of two dimensions: extents of 1 say nothing.
std::string extents(const std::array<unsigned, 3>& shape) {
  std::vector<unsigned> said;
  for (const unsigned extent : shape) {
    if (extent != 1 || said.empty()) said.push_back(extent);
  }
  if (said.size() > 1 && said.front() == 1) said.erase(said.begin());
  return fmt::format("{}", fmt::join(said, "·"));
}

std::string shape_of(const LaunchRecord& launch) {
  return extents(launch.grid) + " × " + extents(launch.block);
}

std::string shapes_of(const std::vector<LaunchRecord>& launches) {
  std::vector<std::string> shapes;
  for (const LaunchRecord& launch : launches) shapes.push_back(shape_of(launch));
  return fmt::format("{}", fmt::join(shapes, ", "));
}

Cell count(std::int64_t n) {
  return Cell(format_count(static_cast<std::uint64_t>(n)), static_cast<double>(n));
}

Cell ratio(double value, bool there) {
  return there ? Cell(fmt::format("{:.2f}", value), value) : Cell("");
}

Cell percent(double value, bool there) {
  return there ? Cell(fmt::format("{:.0f}", 100 * value), 100 * value) : Cell("");
}

Cell error_of(const KernelReport& report) {
  const double worst = report.worst();
  if (worst == 0) return "equal";
  return {std::isfinite(worst) ? fmt::format("{:.3f}", worst) : "wrong", worst};
}

AccessCount of_both(const AccessCount& a, const AccessCount& b) {
  AccessCount sum = a;
  return sum += b;
}

Json to_json(const AccessCount& count) {
  return {{"requests", count.requests},
          {"lanes", count.lanes},
          {"bytes", count.bytes},
          {"cost", count.cost},
          {"least", count.least}};
}

Json to_json(const simt::AccessCounts& counts) {
  return {{"global_loads", to_json(counts.global_loads)},
          {"global_stores", to_json(counts.global_stores)},
          {"shared_loads", to_json(counts.shared_loads)},
          {"shared_stores", to_json(counts.shared_stores)},
          {"shared_bytes", counts.shared_bytes}};
}

Json to_json(const LaunchRecord& launch) {
  return {{"launcher", launch.launcher}, {"grid", launch.grid},
          {"block", launch.block},       {"dynamic_shared_bytes", launch.shared_bytes},
          {"threads", launch.threads},   {"resumptions", launch.resumptions},
          {"barriers", launch.barriers}, {"warp_operations", launch.warp_operations}};
}

Json to_json(const KernelReport& report) {
  Json orders = Json::object(), launches = Json::array();
  for (const OrderResult& result : report.orders) {
    orders[result.order] = std::isfinite(result.error) ? Json(result.error) : Json("wrong");
  }
  for (const LaunchRecord& launch : report.launches) launches.push_back(to_json(launch));
  return {{"name", report.name},
          {"error_over_bound", std::move(orders)},
          {"launches", std::move(launches)},
          {"accesses", simt::counts_accesses() ? to_json(report.accesses) : Json()},
          {"seconds", report.seconds}};
}

Json to_json(const Way& way) {
  return {{"kernels", way.name}, {"launches", way.launches}, {"bytes", way.bytes()}};
}

}  // namespace

Table launches_table(const std::vector<KernelReport>& reports) {
  Table table({{.title = "kernel", .align = Align::left},
               {.title = "grid × block", .align = Align::left},
               {.title = "threads"},
               {.title = "barriers"},
               {.title = "warp operations"},
               {.title = "resumptions"},
               {.title = "time", .unit = "ms"},
               {.title = "error / bound"}});
  for (const KernelReport& report : reports) {
    const LaunchRecord total = report.total();
    table.row({report.name, shapes_of(report.launches), count(total.threads), count(total.barriers),
               count(total.warp_operations), count(total.resumptions),
               Cell(fmt::format("{:.2f}", 1e3 * report.seconds), 1e3 * report.seconds),
               error_of(report)});
  }
  return table;
}

Table accesses_table(const std::vector<KernelReport>& reports) {
  Table table({{.title = "kernel", .align = Align::left},
               {.title = "loads"},
               {.title = "sectors each"},
               {.title = "used", .unit = "%"},
               {.title = "stores"},
               {.title = "sectors each"},
               {.title = "used", .unit = "%"},
               {.title = "shared bytes"},
               {.title = "conflict degree"}});
  for (const KernelReport& report : reports) {
    const auto& [loads, stores, shared_loads, shared_stores, shared_bytes] = report.accesses;
    const AccessCount shared = of_both(shared_loads, shared_stores);
    table.row({report.name, count(loads.requests),
               ratio(loads.sectors_per_request(), loads.requests > 0),
               percent(loads.used(), loads.requests > 0), count(stores.requests),
               ratio(stores.sectors_per_request(), stores.requests > 0),
               percent(stores.used(), stores.requests > 0),
               shared_bytes > 0 ? count(shared_bytes) : Cell(""),
               ratio(shared.conflict_degree(), shared.requests > 0)});
  }
  return table;
}

Table fusions_table(const std::vector<Fusion>& fusions) {
  Table table({{.title = "kernels", .align = Align::left},
               {.title = "launches"},
               {.title = "bytes loaded"},
               {.title = "bytes stored"},
               {.title = "together"},
               {.title = "same bits", .align = Align::left}});
  for (const Fusion& fusion : fusions) {
    for (const Way* way : {&fusion.apart, &fusion.fused}) {
      table.row({way->name, count(way->launches), count(way->asked.global_loads.bytes),
                 count(way->asked.global_stores.bytes), count(way->bytes()),
                 way == &fusion.apart ? "" : (fusion.same ? "yes" : "no")});
    }
  }
  return table;
}

Table strides_table(const std::vector<StridedLoad>& loads) {
  Table table({{.title = "floats apart"},
               {.title = "sectors"},
               {.title = "bytes moved"},
               {.title = "of them used", .unit = "%"}});
  for (const auto& [stride, load] : loads) {
    table.row({std::to_string(stride), count(load.cost), count(32 * load.cost),
               Cell(fmt::format("{:.1f}", 100 * load.used()), 100 * load.used())});
  }
  return table;
}

Json to_json(const std::vector<KernelReport>& reports, const std::vector<Fusion>& fusions,
             const std::vector<StridedLoad>& loads) {
  Json kernels = Json::array();
  for (const KernelReport& report : reports) kernels.push_back(to_json(report));
  Json result{{"kernels", std::move(kernels)}};
  if (!simt::counts_accesses()) return result;
  for (const Fusion& fusion : fusions) {
    result["fusions"].push_back({{"apart", to_json(fusion.apart)},
                                 {"fused", to_json(fusion.fused)},
                                 {"same", fusion.same}});
  }
  for (const auto& [stride, load] : loads) {
    result["strides"].push_back({{"stride", stride}, {"sectors", load.cost}});
  }
  return result;
}

}  // namespace quire
