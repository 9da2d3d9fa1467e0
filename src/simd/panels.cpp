#include "src/simd/panels.h"

#include <algorithm>

namespace quire::simd {
namespace {

// One number of a panel, at its place in an element.
void put(float weight, Index, float& element) {
  element = weight;
}
void put(Float16 weight, Index, Float16& element) {
  element = weight;
}
void put(BFloat16 weight, Index input, std::uint32_t& element) {
  element |= std::uint32_t{weight.bits} << (16 * (input % 2));
}

float get(float element, Index) {
  return element;
}
float get(Float16 element, Index) {
  return to_float(element);
}
float get(std::uint32_t element, Index input) {
  return to_float(BFloat16{static_cast<std::uint16_t>(element >> (16 * (input % 2)))});
}

template <class Panels, class Stored>
void pack_as(ConstTensor weight, std::byte* memory) {
  using Element = typename Panels::Element;
  const Index outputs = weight.extent(0), inputs = weight.shape().row_size();
  const Index size = panel_size<Panels>(inputs);
  auto* const panels = reinterpret_cast<Element*>(memory);
  std::fill_n(panels, size * panels_of(outputs), Element{});
  const Stored* row = weight.values<Stored>().data();
  for (Index output = 0; output < outputs; ++output, row += inputs) {
    Element* const lane = panels + output / kPanel * size + output % kPanel;
    for (Index i = 0; i < inputs; ++i) put(row[i], i, lane[i / Panels::kInputs * kPanel]);
  }
}

}  // namespace

std::size_t packed_bytes(ConstTensor weight) {
  std::size_t bytes = 0;
  with_panels(weight.dtype(), [&](auto layout) {
    using Panels = decltype(layout);
    const Index elements =
        panel_size<Panels>(weight.shape().row_size()) * panels_of(weight.extent(0));
    bytes = static_cast<std::size_t>(elements) * sizeof(typename Panels::Element);
  });
  return bytes;
}

void pack(ConstTensor weight, std::byte* panels) {
  if (weight.dtype() == DType::f32) return pack_as<F32Panels, float>(weight, panels);
  if (weight.dtype() == DType::f16) return pack_as<F16Panels, Float16>(weight, panels);
  pack_as<BF16Panels, BFloat16>(weight, panels);
}

void unpack_row(const std::byte* panels, DType dtype, Index inputs, Index row, float* out) {
  with_panels(dtype, [&](auto layout) {
    using Panels = decltype(layout);
    const auto* lane = reinterpret_cast<const typename Panels::Element*>(panels) +
                       row / kPanel * panel_size<Panels>(inputs) + row % kPanel;
    for (Index i = 0; i < inputs; ++i) out[i] = get(lane[i / Panels::kInputs * kPanel], i);
  });
}

}  // namespace quire::simd
