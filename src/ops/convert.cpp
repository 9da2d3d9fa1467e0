#include "src/ops/convert.h"

#include <algorithm>

#include "src/core/error.h"

namespace quire {
namespace {

template <class Stored>
void widen_as(ConstTensor source, std::span<float> target) {
  const auto stored = source.values<Stored>();
  std::transform(stored.begin(), stored.end(), target.begin(),
                 [](Stored x) { return to_float(x); });
}

}  // namespace

void widen(ConstTensor source, std::span<float> target) {
  switch (source.dtype()) {
    case DType::f32:
      return widen_as<float>(source, target);
    case DType::f16:
      return widen_as<Float16>(source, target);
    case DType::bf16:
      return widen_as<BFloat16>(source, target);
    default:
      fail("cannot widen {} to F32: stored numbers are F32, F16 or BF16", name_of(source.dtype()));
  }
}

void narrow(std::span<const float> source, Tensor target) {
  switch (target.dtype()) {
    case DType::f32:
      std::copy(source.begin(), source.end(), target.values<float>().begin());
      return;
    case DType::f16:
      std::transform(source.begin(), source.end(), target.values<Float16>().begin(), to_float16);
      return;
    case DType::bf16:
      std::transform(source.begin(), source.end(), target.values<BFloat16>().begin(), to_bfloat16);
      return;
    default:
      fail("cannot narrow F32 to {}: stored numbers are F32, F16 or BF16", name_of(target.dtype()));
  }
}

}  // namespace quire
