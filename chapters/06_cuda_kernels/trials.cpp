#include "chapters/06_cuda_kernels/trials.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <numeric>
#include <regex>
#include <sstream>

#include "chapters/06_cuda_kernels/made_up.h"
#include "chapters/06_cuda_kernels/survey.h"
#include "kernels/simt/device_array.h"
#include "src/core/error.h"
#include "src/report/table.h"

namespace quire {
namespace {

constexpr const char* kWatcher = "06_cuda_kernels_races";

Trial trial_of(const BrokenKernel& kernel, const std::string& order, const Floats& x) {
  Trial trial{.order = order, .error = ""};
  try {
    const double sum = std::accumulate(x.begin(), x.end(), 0.0);
    for (const float found : sums_by(kernel, x)) {
      // Seven additions of at most 128 numbers around 1, and two of numbers around 128.
      trial.wrong += !(std::fabs(found - sum) < 16 * kBrokenThreads * double{kUnit});
      trial.nan += std::isnan(found);
    }
  } catch (const Error& error) {
    trial.error = error.what();
  }
  return trial;
}

std::string outcome_of(const Trial& trial) {
  if (!trial.error.empty()) return "stopped";
  if (trial.wrong == 0) return "right";
  if (trial.nan == 0) return fmt::format("{} of {} sums wrong", trial.wrong, kBrokenThreads);
  return fmt::format("{} of {} sums wrong, {} NaN", trial.wrong, kBrokenThreads, trial.nan);
}

// What a command prints on either stream.
std::string output_of(const std::string& command) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen((command + " 2>&1").c_str(), "r"), pclose);
  std::string output;
  char part[4096];
  for (std::size_t got; pipe && (got = fread(part, 1, sizeof part, pipe.get())) > 0;) {
    output.append(part, got);
  }
  return output;
}

std::string in_shell(const std::string& word) {
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace

std::vector<float> sums_by(const BrokenKernel& kernel, const std::vector<float>& x) {
  const simt::DeviceArray<float> in(x), out(x.size());
  kernel.launch(out.data(), in.data());
  return out.to_host();
}

std::vector<Trial> try_in_every_order(const BrokenKernel& kernel, std::uint64_t seed) {
  const std::shared_ptr<void> restore(nullptr,
                                      [](void*) { simt::set_order(simt::Order::ascending); });
  std::vector<Trial> trials;
  for (const ThreadOrdering& order : thread_orders(seed)) {
    simt::set_order(order.order, order.seed);
    // Other numbers each time: a stale sum that equals the right one would pass.
    Random random = Random::of(seed, 10 + trials.size());
    trials.push_back(trial_of(kernel, order.name, floats(kBrokenThreads, random)));
  }
  return trials;
}

std::vector<std::string> races_in(const std::string& report) {
  // The two accesses of a race, and the innermost line of each in a kernel file.
  static const std::regex access(R"(^  (Previous |)(atomic |)(read|write) of size .*$)",
                                 std::regex::icase);
  static const std::regex frame(R"(^ +#\d+ .*?([^/ ]+\.cuh?:\d+).*$)");
  std::vector<std::string> lines;
  std::string earlier, what, race;
  std::istringstream in(report);
  for (std::string line; std::getline(in, line);) {
    std::smatch match;
    if (line.find("WARNING: ThreadSanitizer: data race") != std::string::npos) race.clear();
    if (std::regex_match(line, match, access)) {
      what = match[3];
      std::transform(what.begin(), what.end(), what.begin(),
                     [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    } else if (!what.empty() && std::regex_match(line, match, frame)) {
      race += (race.empty() ? "a " : " and an earlier ") + what + " at " + match[1].str();
      what.clear();
      const bool complete = race.find(" and ") != std::string::npos;
      if (complete && std::find(lines.begin(), lines.end(), race) == lines.end()) {
        lines.push_back(race);
      }
    }
  }
  return lines;
}

Races look_for_races(const std::string& name) {
  std::error_code none;
  const auto here = std::filesystem::read_symlink("/proc/self/exe", none).parent_path();
  if (!std::filesystem::exists(here / kWatcher, none)) return {};
  const std::string command = in_shell((here / kWatcher).string()) + " " + in_shell(name);
  // Some systems lay out memory in a way that ThreadSanitizer does not accept, unless told not to.
  for (const std::string& prefix : {std::string(), std::string("setarch -R ")}) {
    const std::string report = output_of(prefix + command);
    if (report.find("ran to its end") == std::string::npos) continue;
    return {.looked = true, .lines = races_in(report)};
  }
  return {};
}

std::string text_of(const BrokenKernel& kernel, const std::vector<Trial>& trials,
                    const Races& races) {
  Table table(
      {{.title = "threads run", .align = Align::left}, {.title = "result", .align = Align::left}});
  std::string said;
  for (const Trial& trial : trials) {
    table.row({trial.order, outcome_of(trial)});
    if (said.empty()) said = trial.error;
  }
  std::string text = fmt::format("{}: {}\n\n{}", kernel.name, kernel.mistake, table.text());
  // A kernel that does not run to its end is not watched.
  if (!said.empty()) return text + "\nThe emulator: " + said + "\n";
  if (!races.looked) return text + "\nThreadSanitizer cannot run here.\n";
  if (races.lines.empty()) return text + "\nThreadSanitizer: no data race\n";
  for (const std::string& race : races.lines) text += "\nThreadSanitizer: " + race + "\n";
  return text;
}

Json to_json(const BrokenKernel& kernel, const std::vector<Trial>& trials, const Races& races) {
  Json orders = Json::array();
  for (const Trial& trial : trials) {
    orders.push_back({{"order", trial.order},
                      {"wrong", trial.wrong},
                      {"nan", trial.nan},
                      {"error", trial.error.empty() ? Json() : Json(trial.error)}});
  }
  return {{"kernel", kernel.name},
          {"mistake", kernel.mistake},
          {"orders", std::move(orders)},
          {"races", races.looked ? Json(races.lines) : Json()}};
}

}  // namespace quire
