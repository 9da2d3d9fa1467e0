// What the memory accesses of each kernel cost on a GPU: a table of sectors and bank conflicts.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "kernels/add/add.h"
#include "kernels/add_bias/add_bias.h"
#include "kernels/argmax/argmax.h"
#include "kernels/attend/attend.h"
#include "kernels/embed/embed.h"
#include "kernels/gather_rows/gather_rows.h"
#include "kernels/linear/linear.h"
#include "kernels/rms_norm/rms_norm.h"
#include "kernels/rope_and_store/rope_and_store.h"
#include "kernels/silu_mul/silu_mul.h"
#include "kernels/simt/access_counter.h"
#include "kernels/softmax/softmax.h"
#include "src/core/dtype.h"
#include "src/report/table.h"
#include "tests/kernels/support/device_array.h"

namespace quire {
namespace {

using simt::AccessCount;
using simt::AccessCounts;
using test::DeviceArray;

constexpr std::int64_t kRows = 16, kWidth = 256;

// Device memory of the kernels, all of it zeros: what is counted does not depend on values.
template <class T>
DeviceArray<T> zeros(std::int64_t size) {
  return DeviceArray<T>(std::vector<T>(static_cast<std::size_t>(size)));
}

DeviceArray<std::int32_t> first_numbers(std::int64_t count) {
  std::vector<std::int32_t> numbers(static_cast<std::size_t>(count));
  std::iota(numbers.begin(), numbers.end(), 0);
  return DeviceArray<std::int32_t>(numbers);
}

// One row of the table.
struct Launch {
  std::string name;
  std::function<void()> run;
};

// Four sequences of 64 tokens decode one each: 8 query heads, 2 key/value heads of 64, blocks of 16.
struct Attention {
  static constexpr int kSequences = 4, kTokens = 64, kHeads = 8, kKvHeads = 2, kHeadDim = 64;
  static constexpr int kBlocks = kSequences * kTokens / 16;

  DeviceArray<float> q = zeros<float>(kSequences * kHeads * kHeadDim);
  DeviceArray<float> keys = zeros<float>(kSequences * kTokens * kKvHeads * kHeadDim);
  DeviceArray<float> values = zeros<float>(kSequences * kTokens * kKvHeads * kHeadDim);
  DeviceArray<float> out = zeros<float>(kSequences * kHeads * kHeadDim);
  DeviceArray<std::int32_t> tables = first_numbers(kBlocks);
  DeviceArray<kernels::AttendRow> places = rows();

  static DeviceArray<kernels::AttendRow> rows() {
    std::vector<kernels::AttendRow> result;
    for (int i = 0; i < kSequences; ++i) result.push_back({.span = i, .position = kTokens - 1});
    return DeviceArray<kernels::AttendRow>(result);
  }

  kernels::AttendArguments<float> arguments() const {
    return {.q = q.data(),
            .k = keys.data(),
            .v = values.data(),
            .tables = tables.data(),
            .places = places.data(),
            .out = out.data(),
            .shape = {.rows = kSequences,
                      .heads = kHeads,
                      .kv_heads = kKvHeads,
                      .head_dim = kHeadDim,
                      .block_size = 16,
                      .table_width = kBlocks / kSequences,
                      .longest = kTokens}};
  }
};

void attend(void (*version)(const kernels::AttendArguments<float>&, float*, simt::Stream)) {
  const Attention attention;
  const auto arguments = attention.arguments();
  const auto room = static_cast<std::int64_t>(
      std::max(kernels::scores_size(arguments.shape), kernels::partials_size(arguments.shape)));
  version(arguments, zeros<float>(room).data(), nullptr);
}

void linear(std::int64_t rows) {
  const auto x = zeros<float>(rows * kWidth), out = zeros<float>(rows * kWidth);
  const auto weight = zeros<BFloat16>(kWidth * kWidth);
  kernels::linear<BFloat16>(out.data(), x.data(), weight.data(), {rows, kWidth, kWidth}, nullptr);
}

void rope_and_store() {
  const std::int64_t heads = 8, kv_heads = 2, head_dim = 64;
  const auto q = zeros<float>(kRows * heads * head_dim),
             k = zeros<float>(kRows * kv_heads * head_dim);
  const auto keys = zeros<BFloat16>(kRows * kv_heads * head_dim);
  const auto values = zeros<BFloat16>(kRows * kv_heads * head_dim);
  std::vector<std::int64_t> slots(kRows);
  std::iota(slots.begin(), slots.end(), 0);
  kernels::rope_and_store(q.data(), k.data(), k.data(), zeros<float>(kRows * head_dim).data(),
                          keys.data(), values.data(), DeviceArray<std::int64_t>(slots).data(),
                          {kRows, heads, kv_heads, head_dim}, nullptr);
}

std::vector<Launch> launches() {
  static const auto x = zeros<float>(kRows * kWidth), out = zeros<float>(kRows * kWidth);
  static const auto gain = zeros<float>(kWidth);
  static const auto table = zeros<BFloat16>(kRows * kWidth);
  static const auto ids = first_numbers(kRows);
  static const auto choice = zeros<std::int32_t>(kRows);
  using namespace kernels;
  return {
      {"add", [] { add(out.data(), x.data(), kRows * kWidth, nullptr); }},
      {"add_bias", [] { add_bias(out.data(), gain.data(), kRows, kWidth, nullptr); }},
      {"argmax", [] { argmax(choice.data(), x.data(), kRows, kWidth, nullptr); }},
      {"attend_scores, F32", [] { attend(attend_scores<float>); }},
      {"attend_online, F32",
       [] {
         const Attention attention;
         attend_online(attention.arguments(), nullptr);
       }},
      {"attend_split, F32", [] { attend(attend_split<float>); }},
      {"embed, BF16", [] { embed(out.data(), table.data(), ids.data(), kRows, kWidth, nullptr); }},
      {"gather_rows",
       [] { gather_rows(out.data(), x.data(), ids.data(), kRows, kWidth, nullptr); }},
      {"linear, 4 rows, BF16", [] { quire::linear(4); }},
      {"linear, 64 rows, BF16", [] { quire::linear(64); }},
      {"rms_norm",
       [] {
         rms_norm<float>(out.data(), x.data(), nullptr, nullptr, gain.data(), 1e-5f, kRows, kWidth,
                         nullptr);
       }},
      {"rope_and_store, BF16", [] { quire::rope_and_store(); }},
      {"silu_mul", [] { silu_mul(out.data(), x.data(), x.data(), kRows * kWidth, nullptr); }},
      {"softmax", [] { softmax(out.data(), x.data(), kRows, kWidth, nullptr); }},
  };
}

std::vector<Cell> global(const AccessCount& count) {
  if (count.requests == 0) return {"", "", ""};
  return {std::to_string(count.requests), fmt::format("{:.1f}", count.sectors_per_request()),
          fmt::format("{:.0f} %", 100 * count.used())};
}

Cell shared(const AccessCount& count) {
  return count.requests == 0 ? "" : fmt::format("{:.1f}", count.conflict_degree());
}

}  // namespace
}  // namespace quire

int main() {
  quire::Table table({{.title = "kernel", .align = quire::Align::left},
                      {.title = "loads"},
                      {.title = "sectors"},
                      {.title = "used"},
                      {.title = "stores"},
                      {.title = "sectors"},
                      {.title = "used"},
                      {.title = "shared loads"},
                      {.title = "shared stores"}});
  for (const auto& [name, run] : quire::launches()) {
    const quire::AccessCounts counts = quire::simt::count_accesses(run);
    std::vector<quire::Cell> row = {name};
    for (const auto& count : {counts.global_loads, counts.global_stores}) {
      for (const quire::Cell& cell : quire::global(count)) row.push_back(cell);
    }
    row.push_back(quire::shared(counts.shared_loads));
    row.push_back(quire::shared(counts.shared_stores));
    table.row(row);
  }
  fmt::print(
      "Accesses of warps: sectors of 32 bytes for each load or store of global memory, and the "
      "part of\n"
      "these bytes that was asked for; for shared memory the degree of bank conflicts, 1 is "
      "none.\n\n{}",
      table.text());
}
