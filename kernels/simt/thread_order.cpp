#include "kernels/simt/thread_order.h"

#include <algorithm>
#include <charconv>
#include <numeric>

#include "kernels/simt/thread_index.h"
#include "src/core/error.h"

namespace quire::simt::detail {
namespace {

constexpr std::string_view kShuffled = "shuffled:";

std::uint64_t seed_in(std::string_view text) {
  const std::string_view digits = text.substr(std::min(kShuffled.size(), text.size()));
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), seed);
  require(text.starts_with(kShuffled) && !digits.empty() && error == std::errc() &&
              end == digits.data() + digits.size(),
          "QUIRE_THREAD_ORDER is \"{}\": it must be ascending, descending or shuffled:SEED", text);
  return seed;
}

}  // namespace

ThreadOrder::ThreadOrder(std::string_view text) {
  if (text == "ascending") return;
  if (text == "descending") {
    set(Order::descending, 0);
  } else {
    set(Order::shuffled, seed_in(text));
  }
}

void ThreadOrder::set(Order order, std::uint64_t seed) {
  order_ = order;
  random_.seed(seed);
}

std::vector<unsigned> ThreadOrder::blocks(unsigned count) {
  std::vector<unsigned> result(count);
  std::iota(result.begin(), result.end(), 0u);
  if (order_ == Order::descending) std::reverse(result.begin(), result.end());
  if (order_ == Order::shuffled) std::shuffle(result.begin(), result.end(), random_);
  return result;
}

void ThreadOrder::threads(unsigned count, std::vector<unsigned>& ranks) {
  ranks.resize(count);
  std::iota(ranks.begin(), ranks.end(), 0u);
  if (order_ == Order::descending) std::reverse(ranks.begin(), ranks.end());
  if (order_ != Order::shuffled) return;
  const unsigned warp_size = warpSize;
  std::vector<unsigned> warps((count + warp_size - 1) / warp_size);
  std::iota(warps.begin(), warps.end(), 0u);
  std::shuffle(warps.begin(), warps.end(), random_);
  auto next = ranks.begin();
  for (const unsigned warp : warps) {
    const unsigned lanes = std::min(warp_size, count - warp * warp_size);
    std::iota(next, next + lanes, warp * warp_size);
    std::shuffle(next, next + lanes, random_);
    next += lanes;
  }
}

}  // namespace quire::simt::detail
