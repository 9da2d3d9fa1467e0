#include "src/core/tensor.h"

#include <algorithm>
#include <functional>
#include <new>
#include <numeric>

#include "src/core/error.h"

namespace quire {

Shape::Shape(std::initializer_list<Index> extents) : rank_(static_cast<int>(extents.size())) {
  require(extents.size() <= extents_.size(), "a shape has at most {} dimensions, not {}",
          extents_.size(), extents.size());
  std::copy(extents.begin(), extents.end(), extents_.begin());
}

Index Shape::size() const {
  return std::accumulate(extents_.begin(), extents_.begin() + rank_, Index{1}, std::multiplies<>());
}

Index Shape::row_size() const {
  return rank_ == 0 ? 0 : with_rows(1).size();
}

Shape Shape::with_rows(Index rows) const {
  assert(rank_ > 0);
  Shape result = *this;
  result.extents_[0] = rows;
  return result;
}

std::string to_string(const Shape& shape) {
  std::string text;
  for (int axis = 0; axis < shape.rank(); ++axis) {
    text += fmt::format("{}{}", axis == 0 ? "" : ", ", shape[axis]);
  }
  return fmt::format("[{}]", text);
}

Buffer allocate_host(std::size_t bytes) {
  constexpr std::align_val_t kAlignment{64};
  return {::operator new(bytes, kAlignment), bytes,
          [](void* data) { ::operator delete(data, kAlignment); }};
}

}  // namespace quire
