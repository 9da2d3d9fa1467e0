/// \file
/// \brief Who a CUDA thread is: the built-in variables of kernels.
///
/// They are plain variables, which the emulator sets before it lets a thread run; so a debugger can
/// print them, and stop where `threadIdx.x == 33`.
#pragma once

// CUDA's own names, which CUDA documents.
/// \cond
struct uint3 {
  unsigned x, y, z;
};

struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x_size = 1, unsigned y_size = 1, unsigned z_size = 1)
      : x(x_size), y(y_size), z(z_size) {}
};

inline uint3 threadIdx{};
inline uint3 blockIdx{};
inline dim3 blockDim;
inline dim3 gridDim;
inline constexpr int warpSize = 32;
/// \endcond
