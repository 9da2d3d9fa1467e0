#include "kernels/simt/access_counter.h"

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <set>
#include <unordered_map>

#include "kernels/simt/executor.h"

/// \cond
// Where the program lies in memory, as the linker says: static shared memory is there.
extern "C" const char __executable_start, _end;
/// \endcond

namespace quire::simt {
namespace {

constexpr std::uintptr_t kSectorBytes = 32, kBanks = 32, kWordBytes = 4;

bool is_builtin(const void* address) {
  const auto within = [&](const auto& variable) {
    const auto begin = reinterpret_cast<std::uintptr_t>(&variable);
    return reinterpret_cast<std::uintptr_t>(address) - begin < sizeof variable;
  };
  return within(threadIdx) || within(blockIdx) || within(blockDim) || within(gridDim) ||
         within(detail::running_lane);
}

bool is_shared(const void* address) {
  if (detail::is_dynamic_shared(address)) return true;
  return address >= &__executable_start && address < &_end && !is_builtin(address);
}

// A load or store of a kernel's source, and the memory that it goes to.
struct Site {
  AccessCount* count;
  bool shared;
  std::array<unsigned, 1024> visits{};  // of each thread of the block
  // The accesses of lanes that belong together, by warp and visit.
  std::map<std::pair<unsigned, unsigned>, std::vector<LaneAccess>> requests = {};
};

std::int64_t distinct_bytes(const std::vector<LaneAccess>& lanes) {
  std::set<std::uintptr_t> words;
  for (const auto& [lane, address, bytes] : lanes) {
    for (std::size_t i = 0; i < bytes; ++i) words.insert(address + i);
  }
  return static_cast<std::int64_t>(words.size());
}

// How many lanes go through the banks together.
unsigned lanes_at_once(std::size_t bytes) {
  return static_cast<unsigned>(
      std::max<std::size_t>(1, kBanks * kWordBytes / std::max(bytes, kWordBytes)));
}

// In one pass each bank gives one word.
std::int64_t passes_for(const std::vector<LaneAccess>& lanes) {
  std::array<std::set<std::uintptr_t>, kBanks> words;
  for (const auto& [lane, address, bytes] : lanes) {
    for (std::uintptr_t word = address / kWordBytes; word * kWordBytes < address + bytes; ++word) {
      words[word % kBanks].insert(word);
    }
  }
  std::size_t worst = 0;
  for (const auto& of_bank : words) worst = std::max(worst, of_bank.size());
  return static_cast<std::int64_t>(worst);
}

class Counter {
 public:
  void note(const void* address, std::size_t bytes, bool store, const void* place) {
    const bool shared = is_shared(address);
    if (!shared && !detail::is_device_memory(address)) return;  // the thread's own stack
    if (block_ != index(blockIdx, gridDim)) end_block();
    Site& site = site_of(place, shared, store);
    const unsigned thread = index(threadIdx, blockDim);
    const unsigned visit = site.visits[thread]++;
    site.requests[{thread / unsigned{warpSize}, visit}].push_back(
        {thread % unsigned{warpSize}, reinterpret_cast<std::uintptr_t>(address), bytes});
  }

  AccessCounts end() {
    end_block();
    return counts_;
  }

 private:
  static unsigned index(const uint3& i, const dim3& shape) {
    return (i.z * shape.y + i.y) * shape.x + i.x;
  }

  Site& site_of(const void* place, bool shared, bool store) {
    auto& site = sites_[{place, shared}];
    if (!site) {
      AccessCount& count = shared ? (store ? counts_.shared_stores : counts_.shared_loads)
                                  : (store ? counts_.global_stores : counts_.global_loads);
      site = std::make_unique<Site>(Site{&count, shared});
    }
    return *site;
  }

  // Blocks run one after another, so all requests of the last one are complete.
  void end_block() {
    for (const auto& [key, site] : sites_) {
      for (const auto& [request, lanes] : site->requests) add(*site, lanes);
    }
    sites_.clear();
    block_ = index(blockIdx, gridDim);
  }

  static void add(const Site& site, const std::vector<LaneAccess>& lanes) {
    const std::int64_t bytes = distinct_bytes(lanes);
    AccessCount count{1, static_cast<std::int64_t>(lanes.size()), bytes, sectors(lanes),
                      (bytes + 31) / 32};
    if (site.shared) {
      const auto [taken, least] = bank_passes(lanes);
      count.cost = taken;
      count.least = least;
    }
    *site.count += count;
  }

  AccessCounts counts_;
  std::map<std::pair<const void*, bool>, std::unique_ptr<Site>> sites_;
  unsigned block_ = 0;
};

Counter* running = nullptr;

}  // namespace

AccessCount& AccessCount::operator+=(const AccessCount& other) {
  requests += other.requests;
  lanes += other.lanes;
  bytes += other.bytes;
  cost += other.cost;
  least += other.least;
  return *this;
}

std::int64_t sectors(const std::vector<LaneAccess>& lanes) {
  std::set<std::uintptr_t> touched;
  for (const auto& [lane, address, bytes] : lanes) {
    touched.insert(address / kSectorBytes);
    touched.insert((address + bytes - 1) / kSectorBytes);
  }
  return static_cast<std::int64_t>(touched.size());
}

BankPasses bank_passes(const std::vector<LaneAccess>& lanes) {
  std::map<unsigned, std::vector<LaneAccess>> groups;
  for (const LaneAccess& access : lanes) {
    groups[access.lane / lanes_at_once(access.bytes)].push_back(access);
  }
  BankPasses passes{0, static_cast<std::int64_t>(groups.size())};
  for (const auto& [group, together] : groups) passes.taken += passes_for(together);
  return passes;
}

AccessCounts count_accesses(const std::function<void()>& launches) {
  Counter counter;
  running = &counter;
  const std::shared_ptr<void> stop(nullptr, [](void*) { running = nullptr; });
  launches();
  return counter.end();
}

void detail::note_access(const void* address, std::size_t bytes, bool store, const void* site) {
  if (running) running->note(address, bytes, store, site);
}

}  // namespace quire::simt
