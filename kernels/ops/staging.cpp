#include "kernels/ops/staging.h"

#include <algorithm>
#include <cstring>

#include "src/core/error.h"

namespace quire::kernels {
namespace {

constexpr std::size_t kFirst = std::size_t{64} << 10, kMost = std::size_t{16} << 20;

// Each copy begins at such a boundary, as a tensor does.
constexpr std::size_t aligned(std::size_t bytes) {
  return (bytes + 63) / 64 * 64;
}

}  // namespace

Staging::~Staging() {
  try {
    simt::synchronize(stream_);
  } catch (const Error&) {
    // The device has failed: it copies nothing any more.
  }
}

void Staging::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  if (used_ + bytes > memory_.bytes()) make_room(bytes);
  std::byte* const waiting = memory_.tensor(DType::i32, {0}).bytes() + used_;
  std::memcpy(waiting, from, bytes);
  used_ = std::min(aligned(used_ + bytes), memory_.bytes());
  simt::copy_to_device(to, waiting, bytes, stream_);
}

void Staging::make_room(std::size_t bytes) {
  simt::synchronize(stream_);
  used_ = 0;
  const std::size_t doubled = std::clamp(2 * memory_.bytes(), kFirst, kMost);
  const std::size_t size = std::max({doubled, memory_.bytes(), bytes});
  if (size == memory_.bytes()) return;
  memory_ = {};
  memory_ = {simt::allocate_host(size), size, simt::release_host};
}

}  // namespace quire::kernels
