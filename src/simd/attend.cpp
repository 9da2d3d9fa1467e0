#include "src/simd/attend_head.h"
#include "src/simd/simd_ops.h"

namespace quire {

void SimdOps::do_attend(ConstTensor q, const KvView& view, const AttentionMask& mask, Tensor out) {
  const simd::AttendArguments arguments{q, &view, &mask, out};
  const int rows = simd::rows_of_job(arguments.group());
  jobs_.clear();
  for (std::size_t s = 0; s < view.spans.size(); ++s) {
    for (int row = 0; row < view.spans[s].rows; row += rows) {
      const int count = std::min(rows, view.spans[s].rows - row);
      for (Index head = 0; head < view.k.extent(1); ++head) jobs_.push_back({s, row, count, head});
    }
  }
  const auto bytes = static_cast<std::size_t>(attend_scratch(arguments)) * sizeof(float);
  for (Buffer& scratch : scratch_) {
    if (scratch.bytes() < bytes) scratch = allocate_host(bytes);
  }
  threads_.parallel_chunks(
      static_cast<Index>(jobs_.size()), 1, [&](Index begin, Index end, Index thread) {
        const Buffer& scratch = scratch_[static_cast<std::size_t>(thread)];
        float* memory = scratch.tensor(DType::f32, {0}).values<float>().data();
        for (Index i = begin; i < end; ++i) {
          simd::attend_job(arguments, jobs_[static_cast<std::size_t>(i)], memory);
        }
      });
}

}  // namespace quire
