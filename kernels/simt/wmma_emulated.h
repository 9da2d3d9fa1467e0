/// \file
/// \brief `nvcuda::wmma` for the emulator: products of 16 x 16 tiles of BF16 or FP16 numbers.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "kernels/simt/executor.h"
#include "kernels/simt/storage.h"
#include "kernels/simt/warp.h"

namespace quire::simt::detail {

/// \brief Whether all 32 lanes are there, as a product needs.
/// \param lanes  null for those that are not
template <class Lane>
bool is_whole_warp(Lane* const* lanes) {
  return std::all_of(lanes, lanes + warpSize, [](const Lane* lane) { return lane != nullptr; });
}

/// \brief Ends the load or store of a tile from where the hardware does not take it.
/// \param tile    its first element
/// \param stride  elements from one of its rows or columns to the next
/// \param site    where it stands
/// \throws Error unless the tile begins at a boundary of 32 bytes and the stride is whole 16 bytes
template <class T>
void check_tile(const T* tile, unsigned stride, const CallSite& site) {
  if (reinterpret_cast<std::uintptr_t>(tile) % 32 != 0) {
    fail_in_kernel(site, "its tile must begin at a boundary of 32 bytes");
  }
  if (stride * sizeof(T) % 16 != 0) {
    fail_in_kernel(site, "its stride must be a multiple of 16 bytes");
  }
}

}  // namespace quire::simt::detail

// CUDA's own names, which CUDA documents.
/// \cond
using __half = quire::Float16;
using __nv_bfloat16 = quire::BFloat16;

namespace nvcuda::wmma {

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

// CUDA leaves open which lane holds which element. Here lane l holds the elements 8 l to 8 l + 7 of
// the tile, row by row.
template <class Use, int M, int N, int K, class T, class Layout = void>
struct fragment {
  static_assert(M == 16 && N == 16 && K == 16, "the emulator knows only this shape");
  static constexpr int num_elements = 8;
  T x[num_elements];
};

namespace detail {

inline unsigned offset(int element, unsigned stride, bool row_by_row) {
  const auto index = static_cast<unsigned>(quire::simt::detail::lane() * 8 + element);
  const unsigned row = index / 16, column = index % 16;
  return row_by_row ? row * stride + column : column * stride + row;
}

}  // namespace detail

template <class Use, class T, class Layout>
void load_matrix_sync(fragment<Use, 16, 16, 16, T, Layout>& tile, const T* from, unsigned stride,
                      quire::simt::CallSite site = "wmma::load_matrix_sync") {
  quire::simt::detail::check_tile(from, stride, site);
  quire::simt::detail::warp_barrier(0xffffffffu, site);
  for (int e = 0; e < 8; ++e) {
    tile.x[e] = from[detail::offset(e, stride, std::is_same_v<Layout, row_major>)];
  }
}

template <class T>
void store_matrix_sync(T* to, const fragment<accumulator, 16, 16, 16, T>& tile, unsigned stride,
                       layout_t layout, quire::simt::CallSite site = "wmma::store_matrix_sync") {
  quire::simt::detail::check_tile(to, stride, site);
  quire::simt::detail::warp_barrier(0xffffffffu, site);
  for (int e = 0; e < 8; ++e) to[detail::offset(e, stride, layout == mem_row_major)] = tile.x[e];
}

template <class Use, class T, class Layout>
void fill_fragment(fragment<Use, 16, 16, 16, T, Layout>& tile, T value) {
  std::fill_n(tile.x, 8, value);
}

template <class T, class LayoutA, class LayoutB>
void mma_sync(fragment<accumulator, 16, 16, 16, float>& d,
              const fragment<matrix_a, 16, 16, 16, T, LayoutA>& a,
              const fragment<matrix_b, 16, 16, 16, T, LayoutB>& b,
              const fragment<accumulator, 16, 16, 16, float>& c,
              quire::simt::CallSite site = "wmma::mma_sync") {
  struct Lane {
    float* d;
    const T *a, *b;
    const float* c;
  };
  Lane mine{d.x, a.x, b.x, c.x};
  quire::simt::detail::warp_operation(
      0xffffffffu, mine,
      [](Lane* const* lanes) {
        using quire::simt::widen;
        if (!quire::simt::detail::is_whole_warp(lanes)) quire::simt::detail::fail_whole_warp();
        float product[16][16] = {};
        for (int row = 0; row < 16; ++row) {
          for (int column = 0; column < 16; ++column) {
            for (int k = 0; k < 16; ++k) {
              product[row][column] += widen(lanes[(row * 16 + k) / 8]->a[k % 8]) *
                                      widen(lanes[(k * 16 + column) / 8]->b[column % 8]);
            }
          }
        }
        for (int e = 0; e < 256; ++e) {
          lanes[e / 8]->d[e % 8] = product[e / 16][e % 16] + lanes[e / 8]->c[e % 8];
        }
      },
      site);
}

}  // namespace nvcuda::wmma
/// \endcond
