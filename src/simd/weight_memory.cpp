#include "src/simd/weight_memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <new>

namespace quire::simd {
namespace {

constexpr std::size_t kLargePage = std::size_t{2} << 20, kPiece = 16 * kLargePage;

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

std::shared_ptr<Buffer> new_piece(std::size_t bytes) {
  constexpr std::align_val_t kAlignment{kLargePage};
  void* const data = ::operator new(bytes, kAlignment);
  // Advice: if the system does not take it, pages are small.
  ::madvise(data, bytes, MADV_HUGEPAGE);
  return std::make_shared<Buffer>(data, bytes,
                                  [](void* memory) { ::operator delete(memory, kAlignment); });
}

}  // namespace

std::shared_ptr<std::byte> WeightMemory::take(std::size_t bytes) {
  bytes = round_up(bytes, 64);
  if (!piece_ || piece_->bytes() - used_ < bytes) {
    piece_ = new_piece(std::max(kPiece, round_up(bytes, kLargePage)));
    used_ = 0;
  }
  std::byte* const data = piece_->tensor(DType::f32, {0}).bytes() + used_;
  used_ += bytes;
  return {piece_, data};
}

}  // namespace quire::simd
