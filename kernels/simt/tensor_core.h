/// \file
/// \brief Products of small matrices by all lanes of a warp together. Include it in kernels beside
/// cuda.h.
///
/// On a GPU: `nvcuda::wmma`, and the instruction `mma.sync` in a function. In the emulator both are
/// warp operations like a shuffle: once all 32 lanes are there, the product is computed from what
/// all of them hold.
#pragma once

#include <cstdint>

#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

#ifdef __CUDACC__
#include <mma.h>
#else
#include "kernels/simt/wmma_emulated.h"
#endif

namespace quire::simt {

/// \brief `d += a b` for a 16 x 16 matrix `a` and a 16 x 8 matrix `b`, spread over the lanes.
///
/// With g = lane / 4 and t = lane % 4, each number of 32 bits holds two neighbours, the lower one in
/// its lower half: `a[0]` is row g, columns 2t and 2t+1; `a[1]` row g+8; `a[2]` and `a[3]` the same
/// rows, columns + 8. `b[0]` is rows 2t and 2t+1 of column g; `b[1]` rows + 8. `d[0]` and `d[1]` are
/// row g, columns 2t and 2t+1; `d[2]` and `d[3]` row g+8. (PTX ISA, "Matrix Fragments for
/// mma.m16n8k16 with floating point type".)
/// \tparam T  BFloat16 or Float16
/// \param d   4 of the sums
/// \param a   8 elements
/// \param b   4 elements
#ifdef __CUDACC__
template <class T>
__device__ void mma_m16n8k16(float (&d)[4], const std::uint32_t (&a)[4],
                             const std::uint32_t (&b)[2]) {
  if constexpr (std::is_same_v<T, BFloat16>) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  } else {
    static_assert(std::is_same_v<T, Float16>);
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
  }
}
#else
/// \cond
template <class T>
void mma_m16n8k16(float (&d)[4], const std::uint32_t (&a)[4], const std::uint32_t (&b)[2],
                  CallSite site = "mma_m16n8k16") {
  struct Lane {
    float* d;
    const std::uint32_t *a, *b;
  };
  Lane mine{d, a, b};
  detail::warp_operation(
      0xffffffffu, mine,
      [](Lane* const* lanes) {
        if (!detail::is_whole_warp(lanes)) detail::fail_whole_warp();
        const auto half = [](std::uint32_t pair, int which) {
          return widen(T{static_cast<std::uint16_t>(pair >> 16 * which)});
        };
        for (int row = 0; row < 16; ++row) {
          for (int column = 0; column < 8; ++column) {
            float& sum = lanes[row % 8 * 4 + column / 2]->d[row / 8 * 2 + column % 2];
            for (int k = 0; k < 16; ++k) {
              const Lane& left = *lanes[row % 8 * 4 + k % 8 / 2];
              const Lane& right = *lanes[column * 4 + k % 8 / 2];
              sum += half(left.a[row / 8 + k / 8 * 2], k % 2) * half(right.b[k / 8], k % 2);
            }
          }
        }
      },
      site);
}
/// \endcond
#endif

}  // namespace quire::simt
