#include "tests/gpu/launch_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "kernels/linear/library_product.h"
#include "src/report/format.h"
#include "tests/gpu/device_numbers.h"

namespace quire::test {
namespace {

double seconds_of(const std::function<void()>& work, int times) {
  const auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < times; ++i) work();
  simt::synchronize();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

// The least of three means, each over about 50 ms.
double seconds_of(const std::function<void()>& work) {
  seconds_of(work, 1);
  const double once = seconds_of(work, 1);
  const int times = static_cast<int>(std::clamp(0.05 / once, 1.0, 1000.0));
  return std::min({seconds_of(work, times), seconds_of(work, times), seconds_of(work, times)});
}

double copy_bandwidth(std::int64_t size) {
  const simt::DeviceArray<float> from = noise<float>(size);
  const simt::DeviceArray<float> to(static_cast<std::size_t>(size));
  const auto bytes = static_cast<std::size_t>(size) * sizeof(float);
  const auto copy = [&] { simt::copy_on_device(to.data(), from.data(), bytes); };
  return 2 * static_cast<double>(bytes) / seconds_of(copy);
}

std::optional<double> product_rate(std::int64_t n) {
  const auto library = kernels::library_product(nullptr);
  if (!library) return std::nullopt;
  const auto x = noise<float>(n * n), weight = noise<float>(n * n), out = noise<float>(n * n);
  const auto matrix = [n](const simt::DeviceArray<float>& of) {
    return Tensor(reinterpret_cast<std::byte*>(of.data()), DType::f32, {n, n});
  };
  const auto multiply = [&] { library->multiply(matrix(x), matrix(weight), matrix(out)); };
  return 2 * static_cast<double>(n * n * n) / seconds_of(multiply);
}

}  // namespace

LaunchTimes::LaunchTimes(std::int64_t copied, std::int64_t product)
    : bandwidth_(copy_bandwidth(copied)), products_(product_rate(product)) {}

void LaunchTimes::time(const std::string& name, Needs needs, const std::function<void()>& launch) {
  timed_.push_back({name, needs, seconds_of(launch)});
}

double LaunchTimes::floor_of(const Needs& needs) const {
  return std::max(needs.bytes / bandwidth_, products_ ? needs.flops / *products_ : 0);
}

Table LaunchTimes::table() const {
  Table table({{.title = "kernel", .align = Align::left},
               {.title = "bytes"},
               {.title = "FLOPs"},
               {.title = "time"},
               {.title = "floor"},
               {.title = "of it (%)"}});
  for (const Timed& one : timed_) {
    const double floor = floor_of(one.needs);
    table.row({one.name, format_bytes(static_cast<std::uint64_t>(one.needs.bytes)),
               format_si(one.needs.flops), format_seconds(one.seconds), format_seconds(floor),
               fmt::format("{:.0f}", 100 * floor / one.seconds)});
  }
  return table;
}

nlohmann::json LaunchTimes::json() const {
  nlohmann::json kernels = nlohmann::json::array();
  for (const Timed& one : timed_) {
    kernels.push_back({{"name", one.name},
                       {"bytes", one.needs.bytes},
                       {"flops", one.needs.flops},
                       {"seconds", one.seconds},
                       {"floor_seconds", floor_of(one.needs)}});
  }
  nlohmann::json result = {{"device", simt::device_name()},
                           {"copy_bytes_per_second", bandwidth_},
                           {"product_flops_per_second", nullptr},
                           {"kernels", kernels}};
  if (products_) result["product_flops_per_second"] = *products_;
  return result;
}

}  // namespace quire::test
