/// \file
/// \brief CUDA's atomic functions and fences.
///
/// A thread of the emulator runs without interruption between two barriers, so an update that is
/// not atomic loses nothing here; only ThreadSanitizer sees that it would on a GPU.
#pragma once

#include <atomic>
#include <concepts>
#include <type_traits>

// CUDA's own names, which CUDA documents.
/// \cond
template <class T>
T atomicAdd(T* p, std::type_identity_t<T> value) {
  return std::atomic_ref(*p).fetch_add(value, std::memory_order_relaxed);
}
template <class T>
T atomicSub(T* p, std::type_identity_t<T> value) {
  return std::atomic_ref(*p).fetch_sub(value, std::memory_order_relaxed);
}
template <class T>
T atomicExch(T* p, std::type_identity_t<T> value) {
  return std::atomic_ref(*p).exchange(value, std::memory_order_relaxed);
}
template <std::integral T>
T atomicAnd(T* p, std::type_identity_t<T> value) {
  return std::atomic_ref(*p).fetch_and(value, std::memory_order_relaxed);
}
template <std::integral T>
T atomicOr(T* p, std::type_identity_t<T> value) {
  return std::atomic_ref(*p).fetch_or(value, std::memory_order_relaxed);
}
template <std::integral T>
T atomicCAS(T* p, std::type_identity_t<T> expected, std::type_identity_t<T> desired) {
  std::atomic_ref(*p).compare_exchange_strong(expected, desired, std::memory_order_relaxed);
  return expected;
}
template <std::integral T>
T atomicMax(T* p, std::type_identity_t<T> value) {
  const std::atomic_ref shared(*p);
  T old = shared.load(std::memory_order_relaxed);
  while (old < value && !shared.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
  }
  return old;
}
template <std::integral T>
T atomicMin(T* p, std::type_identity_t<T> value) {
  const std::atomic_ref shared(*p);
  T old = shared.load(std::memory_order_relaxed);
  while (value < old && !shared.compare_exchange_weak(old, value, std::memory_order_relaxed)) {
  }
  return old;
}

// All CUDA threads are one thread of the processor, which sees its own accesses in order.
inline void __threadfence_block() {
  std::atomic_signal_fence(std::memory_order_seq_cst);
}
inline void __threadfence() {
  __threadfence_block();
}
/// \endcond
