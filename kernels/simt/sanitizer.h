/// \file
/// \brief Explains the emulator to AddressSanitizer and ThreadSanitizer: which stack is in use, and
/// which CUDA thread has waited for which. Without them every function here is empty.
///
/// To ThreadSanitizer each CUDA thread is a fiber. That this processor runs one after the other must
/// not order what they do, only barriers may: so it finds data races between CUDA threads, though
/// all run on one thread of the system. The emulator itself is then compiled without
/// `-fsanitize=thread` and with QUIRE_RACES=1, kernels and their tests with it.
#pragma once

#include <cstddef>

/// \cond
#ifndef __has_feature  // clang has it
#define __has_feature(feature) 0
#endif
/// \endcond

#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
/// \brief Whether this build has AddressSanitizer.
#define QUIRE_ADDRESS_SANITIZER 1
#include <sanitizer/common_interface_defs.h>
#else
/// \brief Whether this build has AddressSanitizer.
#define QUIRE_ADDRESS_SANITIZER 0
#endif

#ifndef QUIRE_RACES
/// \brief Whether kernels are compiled with ThreadSanitizer.
#define QUIRE_RACES 0
#endif
#if QUIRE_RACES
#include <sanitizer/tsan_interface.h>
/// \cond
extern "C" {
void AnnotateIgnoreReadsBegin(const char* file, int line);
void AnnotateIgnoreReadsEnd(const char* file, int line);
void AnnotateIgnoreWritesBegin(const char* file, int line);
void AnnotateIgnoreWritesEnd(const char* file, int line);
}
/// \endcond
#endif

/// \brief What the sanitizers must be told.
namespace quire::simt::detail::sanitizer {

/// \brief A handle of a new stack.
/// \param name  what reports call it
inline void* new_stack([[maybe_unused]] const char* name) {
#if QUIRE_RACES
  void* const stack = __tsan_create_fiber(0);
  __tsan_set_fiber_name(stack, name);
  return stack;
#else
  return nullptr;
#endif
}

/// \brief The handle of the stack in use.
inline void* this_stack() {
#if QUIRE_RACES
  return __tsan_get_current_fiber();
#else
  return nullptr;
#endif
}

/// \brief What this CUDA thread has done so far happens before ...
/// \param token  an address that stands for the barrier
inline void release([[maybe_unused]] void* token) {
#if QUIRE_RACES
  __tsan_release(token);
#endif
}

/// \brief ... what that one does from here on.
/// \param token  an address that stands for the barrier
inline void acquire([[maybe_unused]] void* token) {
#if QUIRE_RACES
  __tsan_acquire(token);
#endif
}

/// \brief While it lives, accesses are the emulator's own and not the kernel's.
struct IgnoreAccesses {
#if QUIRE_RACES
  IgnoreAccesses() {
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
  }
  ~IgnoreAccesses() {
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
  }
#else
  /// \brief Ignores nothing.
  IgnoreAccesses() {}
  /// \brief Nothing to end.
  ~IgnoreAccesses() {}
#endif
  IgnoreAccesses(const IgnoreAccesses&) = delete;             ///< It stands for a scope.
  IgnoreAccesses& operator=(const IgnoreAccesses&) = delete;  ///< It stands for a scope.
};

/// \brief Before another stack comes into use.
/// \param address_state  where AddressSanitizer keeps what belongs to this one
/// \param bottom         of the other
/// \param bytes          of the other
/// \param thread_state   ThreadSanitizer's handle of the other
inline void about_to_switch([[maybe_unused]] void** address_state,
                            [[maybe_unused]] const void* bottom, [[maybe_unused]] std::size_t bytes,
                            [[maybe_unused]] void* thread_state) {
#if QUIRE_ADDRESS_SANITIZER
  __sanitizer_start_switch_fiber(address_state, bottom, bytes);
#endif
#if QUIRE_RACES
  __tsan_switch_to_fiber(thread_state, __tsan_switch_to_fiber_no_sync);
#endif
}

/// \brief After it came into use.
/// \param address_state  what about_to_switch() kept for it
/// \param bottom         is set to the bottom of the stack before, unless null
/// \param bytes          is set to its size, unless null
inline void switched([[maybe_unused]] void* address_state, [[maybe_unused]] const void** bottom,
                     [[maybe_unused]] std::size_t* bytes) {
#if QUIRE_ADDRESS_SANITIZER
  __sanitizer_finish_switch_fiber(address_state, bottom, bytes);
#endif
}

}  // namespace quire::simt::detail::sanitizer
