#include <algorithm>

#include "chapters/05_memory_and_roofline/names.h"
#include "chapters/06_cuda_kernels/survey.h"
#include "chapters/06_cuda_kernels/tables.h"
#include "chapters/06_cuda_kernels/trials.h"
#include "src/app/output.h"
#include "src/app/program.h"

namespace quire {
namespace {

constexpr int kMostSeed = 1'000'000;

struct KernelOptions {
  std::string order, broken, figures;
  int seed = 1;
  bool json = false;
};

std::vector<ThreadOrdering> orders_of(const KernelOptions& options) {
  std::vector<ThreadOrdering> orders = thread_orders(static_cast<std::uint64_t>(options.seed));
  if (options.order.empty()) return orders;
  orders.resize(3);
  orders.back().name = "shuffled";
  return {find_named("--order", options.order, orders)};
}

void show_broken(const KernelOptions& options) {
  const BrokenKernel& kernel = find_named("--broken", options.broken, broken_kernels());
  const auto trials = try_in_every_order(kernel, static_cast<std::uint64_t>(options.seed));
  const bool ends = std::all_of(trials.begin(), trials.end(),
                                [](const Trial& trial) { return trial.error.empty(); });
  const Races races = ends ? look_for_races(std::string(kernel.name)) : Races{};
  if (options.json) return write_json(to_json(kernel, trials, races));
  write_out(text_of(kernel, trials, races));
}

void show_kernels(const KernelOptions& options) {
  const auto seed = static_cast<std::uint64_t>(options.seed);
  const std::vector<ThreadOrdering> orders = orders_of(options);
  const auto loads = strided_loads();
  if (!options.figures.empty()) {
    require(simt::counts_accesses(),
            "--figures: accesses are counted in builds by GCC without sanitizers");
    write_file(std::filesystem::path(options.figures) / "accesses.svg", accesses_figure(loads),
               "--figures");
  }
  const auto reports = survey(kernel_cases(seed), orders);
  const auto both = fusions(seed);
  if (options.json) return write_json(to_json(reports, both, loads));
  write_out(launches_table(reports).text());
  if (!simt::counts_accesses())
    return write_out("\nAccesses are counted in builds by GCC without sanitizers.\n");
  write_out("\n" + accesses_table(reports).text() + "\n" + fusions_table(both).text() + "\n" +
            strides_table(loads).text());
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments(
      "Runs the operators' CUDA kernels in the emulator, in four orders of their threads, holds "
      "them against Eigen, and counts what they access.");
  quire::KernelOptions options;
  arguments.text("--order", "ORDER", options.order,
                 "one order instead of four: ascending, descending or shuffled");
  arguments.integer("--seed", options.seed, 0, quire::kMostSeed,
                    "of the made-up numbers and the shuffled orders");
  arguments.text(
      "--broken", "KERNEL", options.broken,
      "run a broken kernel instead, and show what catches it: missing-barrier, "
      "early-reuse, lost-update, divergent-barrier, unwritten, missing-syncwarp, or whole");
  arguments.text("--figures", "DIR", options.figures, "a folder that gets accesses.svg");
  arguments.flag("--json", options.json, "print one JSON object and nothing else");
  arguments.exclude("--broken", "--order");
  arguments.exclude("--broken", "--figures");
  return quire::run(arguments, argc, argv, [&] {
    options.broken.empty() ? quire::show_kernels(options) : quire::show_broken(options);
  });
}
