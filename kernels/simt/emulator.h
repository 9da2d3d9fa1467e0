/// \file
/// \brief The part of CUDA C++ that kernels use, for an ordinary C++ compiler.
///
/// What CUDA's functions mean is in the CUDA C++ Programming Guide. Where that leaves undefined what
/// happens, the emulator throws Error if it can tell. It has no part in timing, in a GPU's weak
/// order of memory accesses, or in races between blocks, and a thread that spins until another one
/// has done something spins for ever.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "kernels/simt/atomics.h"
#include "kernels/simt/device_math.h"
#include "kernels/simt/executor.h"
#include "kernels/simt/vector_types.h"
#include "kernels/simt/warp.h"

/// \cond
#define __global__
#define __device__
#define __host__
#define __constant__
// Blocks run one at a time, so one copy is enough. AddressSanitizer guards it as it is.
#define __shared__ static
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(bytes) __attribute__((aligned(bytes)))
/// \endcond

// As in launch.h, with which Doxygen would take these for the same functions.
/// \cond
namespace quire::simt {
namespace detail {

// A kernel and its arguments.
template <class... Params>
struct Call {
  void (*kernel)(Params...);
  std::tuple<Params...> params;

  // Not std::apply, which would fill the traces of debuggers and sanitizers.
  static void run(const void* given) {
    const Call& mine = *static_cast<const Call*>(given);
    const auto pass = [&]<std::size_t... i>(std::index_sequence<i...>) {
      mine.kernel(std::get<i>(mine.params)...);
    };
    pass(std::index_sequence_for<Params...>());
  }
  static std::shared_ptr<const void> copy(const void* given) {
    return std::make_shared<const Call>(*static_cast<const Call*>(given));
  }
};

template <class Param>
const void* target_of(const Param& param) {
  if constexpr (std::is_convertible_v<Param, const void*>) {
    return param;
  } else {
    return nullptr;
  }
}

}  // namespace detail

template <class... Params, class... Args>
void launch(void (*kernel)(Params...), const LaunchConfig& config, Args&&... args) {
  using Call = detail::Call<Params...>;
  const Call call{kernel, std::tuple<Params...>(std::forward<Args>(args)...)};
  const auto targets_of = [](const Params&... params) {
    return std::array<const void*, sizeof...(Params)>{detail::target_of(params)...};
  };
  const auto targets = std::apply(targets_of, call.params);
  detail::submit(config, {{Call::run, &call}, Call::copy, targets});
}

template <class T>
T* dynamic_shared() {
  return reinterpret_cast<T*>(detail::dynamic_shared_memory());
}
/// \endcond

}  // namespace quire::simt
