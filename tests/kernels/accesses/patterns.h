/// \file
/// \brief Kernels whose accesses to memory are counted by hand as well.
#pragma once

namespace quire::test::access_patterns {

/// \brief A warp loads floats `stride` apart, from the `offset`th on, and stores them side by side.
/// \param out     32 floats
/// \param in      offset + 32 stride floats
/// \param stride  0: all lanes load the same
/// \param offset  0: from a sector's beginning
void strided(float* out, const float* in, int stride, int offset);

/// \brief A warp copies 32 float4.
/// \param out  128 floats
/// \param in   128 floats
void vectors(float* out, const float* in);

/// \brief A warp loads 32 float4, and each lane stores the sum of its four floats.
/// \param out  32 floats
/// \param in   128 floats
void sums_of_vectors(float* out, const float* in);

/// \brief A warp copies 32 bytes, a lane a byte.
/// \param out  32 bytes
/// \param in   32 bytes
void bytes(unsigned char* out, const unsigned char* in);

/// \brief Blocks of two warps copy rows; a loop goes over them, and the upper half of each warp stops
/// halfway.
/// \param out     blocks x rows x 64 floats
/// \param in      as many
/// \param blocks  how many
/// \param rows    an even number
void rows(float* out, const float* in, int blocks, int rows);

/// \brief A warp transposes a tile of 32 x 32 floats in static shared memory: it writes rows of the
/// tile and reads columns. Rows are 32 floats apart.
/// \param out  32 x 32 floats
/// \param in   32 x 32 floats
void transpose(float* out, const float* in);
/// \brief The same with rows that are 33 floats apart.
/// \param out  32 x 32 floats
/// \param in   32 x 32 floats
void transpose_padded(float* out, const float* in);

/// \brief A warp reads dynamic shared memory: floats `stride` apart.
/// \param out     32 floats
/// \param stride  0: all lanes read the same
void shared_strided(float* out, int stride);
/// \brief A warp reads 32 float4 of dynamic shared memory.
/// \param out  128 floats
void shared_vectors(float* out);

/// \brief All lanes add to one counter, and the sum is stored.
/// \param out  1 float: 0 before
void atomics(float* out);

}  // namespace quire::test::access_patterns
