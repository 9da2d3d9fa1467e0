#include "chapters/06_cuda_kernels/survey.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>

namespace quire {
namespace {

double seconds_of(const std::vector<simt::LaunchRecord>& launches) {
  double seconds = 0;
  for (const simt::LaunchRecord& launch : launches) seconds += launch.seconds;
  return seconds;
}

KernelReport report_on(const KernelCase& one, const std::vector<ThreadOrdering>& orders) {
  KernelReport report{.name = one.name, .launches = {}, .accesses = {}, .orders = {}};
  report.seconds = std::numeric_limits<double>::infinity();
  for (const ThreadOrdering& order : orders) {
    simt::set_order(order.order, order.seed);
    std::vector<float> found;
    const auto launches = simt::record_launches([&] { found = one.run(); });
    report.orders.push_back({order.name, error_over_slack(found, one.expected, one.slack)});
    report.seconds = std::min(report.seconds, seconds_of(launches));
    if (report.launches.empty()) report.launches = launches;
  }
  simt::set_order(orders.front().order, orders.front().seed);
  report.accesses = simt::count_accesses([&] { one.run(); });
  return report;
}

}  // namespace

std::vector<ThreadOrdering> thread_orders(std::uint64_t seed) {
  return {{"ascending", simt::Order::ascending},
          {"descending", simt::Order::descending},
          {fmt::format("shuffled:{}", seed), simt::Order::shuffled, seed},
          {fmt::format("shuffled:{}", seed + 1), simt::Order::shuffled, seed + 1}};
}

double error_over_slack(const std::vector<float>& yours, const std::vector<float>& expected,
                        const std::vector<float>& slack) {
  constexpr double kInfinite = std::numeric_limits<double>::infinity();
  if (yours.size() != expected.size()) return kInfinite;
  double worst = 0;
  for (std::size_t i = 0; i < yours.size(); ++i) {
    const double apart = std::fabs(double{yours[i]} - double{expected[i]});
    if (apart == 0) continue;
    worst = std::max(worst, apart / double{slack[i]} >= 0 ? apart / double{slack[i]} : kInfinite);
  }
  return worst;
}

simt::LaunchRecord KernelReport::total() const {
  simt::LaunchRecord sum = launches.front();
  for (std::size_t i = 1; i < launches.size(); ++i) {
    sum.threads += launches[i].threads;
    sum.resumptions += launches[i].resumptions;
    sum.barriers += launches[i].barriers;
    sum.warp_operations += launches[i].warp_operations;
  }
  return sum;
}

double KernelReport::worst() const {
  double worst = 0;
  for (const OrderResult& result : orders) worst = std::max(worst, result.error);
  return worst;
}

std::vector<KernelReport> survey(const std::vector<KernelCase>& cases,
                                 const std::vector<ThreadOrdering>& orders) {
  const std::shared_ptr<void> restore(nullptr,
                                      [](void*) { simt::set_order(simt::Order::ascending); });
  std::vector<KernelReport> reports;
  for (const KernelCase& one : cases) reports.push_back(report_on(one, orders));
  return reports;
}

}  // namespace quire
