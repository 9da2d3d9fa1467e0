// What code that was compiled with -fsanitize=thread calls, in place of ThreadSanitizer. Link it only
// into a program that is to count accesses; see access_counter.h.
#include <atomic>
#include <cstddef>
#include <cstdint>

#include "kernels/simt/access_counter.h"

#define QUIRE_ACCESS(bytes)                                                               \
  void __tsan_read##bytes(void* address) {                                                \
    quire::simt::detail::note_access(address, bytes, false, __builtin_return_address(0)); \
  }                                                                                       \
  void __tsan_write##bytes(void* address) {                                               \
    quire::simt::detail::note_access(address, bytes, true, __builtin_return_address(0));  \
  }                                                                                       \
  void __tsan_unaligned_read##bytes(void* address) {                                      \
    quire::simt::detail::note_access(address, bytes, false, __builtin_return_address(0)); \
  }                                                                                       \
  void __tsan_unaligned_write##bytes(void* address) {                                     \
    quire::simt::detail::note_access(address, bytes, true, __builtin_return_address(0));  \
  }

// Atomics are done here, and count as stores.
#define QUIRE_UPDATE(bits, name, builtin)                                                         \
  std::uint##bits##_t __tsan_atomic##bits##_##name(volatile void* address,                        \
                                                   std::uint##bits##_t value, int) {              \
    quire::simt::detail::note_access(const_cast<const void*>(address), bits / 8, true,            \
                                     __builtin_return_address(0));                                \
    return builtin(static_cast<volatile std::uint##bits##_t*>(address), value, __ATOMIC_RELAXED); \
  }
#define QUIRE_COMPARE(bits, strength)                                                            \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile void* address,                  \
                                                        std::uint##bits##_t* expected,           \
                                                        std::uint##bits##_t desired, int, int) { \
    quire::simt::detail::note_access(const_cast<const void*>(address), bits / 8, true,           \
                                     __builtin_return_address(0));                               \
    return __atomic_compare_exchange_n(static_cast<volatile std::uint##bits##_t*>(address),      \
                                       expected, desired, false, __ATOMIC_RELAXED,               \
                                       __ATOMIC_RELAXED);                                        \
  }
#define QUIRE_ATOMICS(bits)                                                                  \
  QUIRE_UPDATE(bits, exchange, __atomic_exchange_n)                                          \
  QUIRE_UPDATE(bits, fetch_add, __atomic_fetch_add)                                          \
  QUIRE_UPDATE(bits, fetch_sub, __atomic_fetch_sub)                                          \
  QUIRE_UPDATE(bits, fetch_and, __atomic_fetch_and)                                          \
  QUIRE_UPDATE(bits, fetch_or, __atomic_fetch_or)                                            \
  QUIRE_COMPARE(bits, strong)                                                                \
  QUIRE_COMPARE(bits, weak)                                                                  \
  std::uint##bits##_t __tsan_atomic##bits##_load(const volatile void* address, int) {        \
    return __atomic_load_n(static_cast<const volatile std::uint##bits##_t*>(address),        \
                           __ATOMIC_RELAXED);                                                \
  }                                                                                          \
  void __tsan_atomic##bits##_store(volatile void* address, std::uint##bits##_t value, int) { \
    quire::simt::detail::note_access(const_cast<const void*>(address), bits / 8, true,       \
                                     __builtin_return_address(0));                           \
    __atomic_store_n(static_cast<volatile std::uint##bits##_t*>(address), value,             \
                     __ATOMIC_RELAXED);                                                      \
  }

extern "C" {

QUIRE_ACCESS(1)
QUIRE_ACCESS(2)
QUIRE_ACCESS(4)
QUIRE_ACCESS(8)
QUIRE_ACCESS(16)

void __tsan_read_range(void* address, std::size_t bytes) {
  quire::simt::detail::note_access(address, bytes, false, __builtin_return_address(0));
}
void __tsan_write_range(void* address, std::size_t bytes) {
  quire::simt::detail::note_access(address, bytes, true, __builtin_return_address(0));
}

QUIRE_ATOMICS(32)
QUIRE_ATOMICS(64)

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __tsan_vptr_update(void*, void*) {}
void __tsan_vptr_read(void*) {}
void __tsan_atomic_signal_fence(int) {}
void __tsan_atomic_thread_fence(int) {}

}  // extern "C"
