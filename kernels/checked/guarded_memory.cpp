#include "kernels/checked/guarded_memory.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <iterator>

#include "kernels/simt/executor.h"
#include "src/core/error.h"

namespace quire::simt {
namespace {

constexpr std::size_t kRange = std::size_t{1} << 42;  // of addresses; they take no memory
constexpr std::size_t kAlignment = 256;               // as cudaMalloc
constexpr int kReserve = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  return size;
}

std::size_t whole_pages(std::size_t bytes) {
  return (bytes + page_size() - 1) / page_size() * page_size();
}

}  // namespace

GuardedMemory::GuardedMemory(Access access) : access_(access) {
  void* const first = mmap(nullptr, kRange, PROT_NONE, kReserve, -1, 0);
  require(first != MAP_FAILED, "there are no {} bytes of addresses", kRange);
  range_ = unused_ = {static_cast<std::byte*>(first), kRange};
}

GuardedMemory::~GuardedMemory() {
  munmap(range_.data(), range_.size());
}

void* GuardedMemory::take(std::size_t bytes) {
  require(bytes < unused_.size() - 2 * page_size(), "there are no {} bytes of memory", bytes);
  const Pages pages = unused_.first(whole_pages(bytes));
  require(mprotect(pages.data(), pages.size(), PROT_READ | PROT_WRITE) == 0,
          "there are no {} bytes of memory", bytes);
  unused_ = unused_.subspan(pages.size() + page_size());
  std::byte* const piece = pages.data() + (pages.size() - bytes) / kAlignment * kAlignment;
  std::memset(pages.data(), detail::kNeverWritten, pages.size());
  protect(pages, access_);
  pieces_[piece] = pages;
  return piece;
}

void GuardedMemory::give_back(void* memory) noexcept {
  const Pages pages = pieces_.at(static_cast<std::byte*>(memory));
  // Mapped anew: its contents go, and the system joins it to what lies beside it.
  mmap(pages.data(), pages.size(), PROT_NONE, kReserve | MAP_FIXED, -1, 0);
  pieces_.erase(static_cast<std::byte*>(memory));
}

bool GuardedMemory::has(const void* address) const {
  const auto at = static_cast<const std::byte*>(address);
  const auto next = pieces_.upper_bound(at);
  if (next == pieces_.begin()) return false;
  const Pages pages = std::prev(next)->second;
  return at <= pages.data() + pages.size();
}

void GuardedMemory::set(Access access) noexcept {
  access_ = access;
  for (const auto& [piece, pages] : pieces_) protect(pages, access);
}

void GuardedMemory::protect(Pages pages, Access access) const noexcept {
  mprotect(pages.data(), pages.size(), access == Access::open ? PROT_READ | PROT_WRITE : PROT_NONE);
}

}  // namespace quire::simt
