/// \file
/// \brief What a kernel file includes: CUDA C++ under nvcc, and under an ordinary C++ compiler the
/// emulator, which runs the same source on the processor.
///
/// Kernels (`*.cu`, `*.cuh`) are CUDA C++ but for two spellings, which mean the same in both builds:
///
///     quire::simt::launch(kernel<T>, {.grid = g, .block = b, .shared_bytes = n}, arguments...);
///         for  kernel<T><<<g, b, n>>>(arguments...);
///     T* tile = quire::simt::dynamic_shared<T>();
///         for  extern __shared__ T tile[];
///
/// The emulator compiles more than nvcc does: a call of the standard library, for one. A build with
/// both says so.
#pragma once

#ifdef __CUDACC__
#include "kernels/simt/launch.h"
#else
#include "kernels/simt/emulator.h"
#endif
