/// \file
/// \brief Kernels that use one part of CUDA each, for the tests of the emulator. On a GPU they show
/// that CUDA means the same.
#pragma once

#include <cstdint>

#include "kernels/simt/runtime.h"
#include "src/core/dtype.h"

/// \brief Kernels that show what the emulator does, and what it catches.
namespace quire::test::simt_kernels {

/// \brief out[i] = number of thread i in the whole launch, from its indices in three dimensions.
/// \param out      a number for each of `blocks` x 24 threads
/// \param blocks_x  blocks along x; 3 along y, 2 along z
void write_indices(int* out, int blocks_x);

/// \brief out[b * threads + i] = in[b * threads + threads - 1 - i], through static shared memory.
/// \param out      blocks * 128 numbers
/// \param in       as many
/// \param blocks   of 128 threads
void reverse_static(float* out, const float* in, int blocks);
/// \brief The same through dynamic shared memory, with any number of threads.
/// \param out      blocks * threads numbers
/// \param in       as many
/// \param blocks   how many
/// \param threads  of a block
void reverse_dynamic(float* out, const float* in, int blocks, int threads);

/// \brief What each lane gets from shuffles with segments of 8 lanes, and from one of the whole warp:
/// shfl from lane 3, down by 2, up by 3, xor 5, and xor 16 over 32 lanes.
/// \param out  5 x 32 numbers
/// \param in   32 numbers
void shuffles(int* out, const int* in);
/// \brief A 16-byte struct goes through a shuffle as a whole: out[i] = in[31 - i].
/// \param out  32 x 4 floats
/// \param in   as many
void shuffle_struct(float* out, const float* in);
/// \brief The halves of a warp sum on their own, one of them more often: masks.
/// \param out  32 numbers: in the lower half its sum, in the upper 4 times its sum
/// \param in   32 numbers
void half_warps(int* out, const int* in);
/// \brief Groups of 8 lanes reverse their numbers through shared memory, each with barriers of its own
/// and each another odd number of times: out[8 g + i] = in[8 g + 7 - i].
/// \param out  32 numbers
/// \param in   32 numbers
void group_barriers(int* out, const int* in);
/// \brief Ballot, any, all, and reductions by add, min and max.
/// \param out  6 x 32 numbers
/// \param in   32 numbers
void votes(int* out, const int* in);
/// \brief Votes of a block at a barrier: for each threshold how many threads are below it, whether
/// one is, whether all are. A third of the threads ends before.
/// \param out   3 numbers for each threshold
/// \param thresholds  0 to `thresholds` - 1
void block_votes(int* out, int thresholds);
/// \brief Threads that have ended are not waited for: out[0] = sum of the first `live` numbers.
/// \param out   1 number
/// \param in    128 numbers
/// \param live  threads that stay, 1 to 128
void early_exit(float* out, const float* in, int live);

/// \brief What atomics leave behind after 256 threads: add int, add float, max, min, or, and the sum
/// of what atomicExch and atomicCAS saw.
/// \param integers  6 numbers: 0, -1, 1000, 0, 0, 0 before
/// \param sum       a float: 0 before
void atomics(int* integers, float* sum);
/// \brief Reads with float4, writes with uint4 and int2: out[i] = in[i], in reverse fours.
/// \param out   a multiple of 4 numbers
/// \param in    as many
/// \param fours  how many fours
void vectors(float* out, const float* in, int fours);

/// \brief c = a b by tensor cores; m, n, k multiples of 16.
/// \param c  m x n
/// \param a  m x k
/// \param b  k x n
/// \param m  rows of c
/// \param n  columns of c
/// \param k  how many are summed
template <class T>
void wmma_product(float* c, const T* a, const T* b, int m, int n, int k);
/// \copydoc wmma_product
template <class T>
void mma_product(float* c, const T* a, const T* b, int m, int n, int k);

/// \brief Where a sum through a double-buffered tile goes wrong.
enum class Pipeline {
  right,    ///< nowhere
  no_wait,  ///< it does not wait for its copies
  late,     ///< it waits for one group too few
};
/// \brief out[i] = sum of in[tile][j][i] over tiles and j < 4.
/// \param out      64 numbers
/// \param in       tiles x 4 x 64 numbers
/// \param tiles    how many
/// \param variant  what is wrong
void pipeline(float* out, const float* in, int tiles, Pipeline variant = Pipeline::right);

/// \brief Narrows on the device: what kernels store.
/// \param bfloat16  rounded
/// \param float16   rounded
/// \param float8    rounded
/// \param in        what is rounded
/// \param count     how many
void narrow_all(BFloat16* bfloat16, Float16* float16, std::uint8_t* float8, const float* in,
                int count);

}  // namespace quire::test::simt_kernels
