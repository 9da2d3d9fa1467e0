#include "tests/support/allocations.h"

#include <atomic>
#include <cerrno>
#include <cstdlib>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define QUIRE_COUNTS_ALLOCATIONS 0
#else
#define QUIRE_COUNTS_ALLOCATIONS 1
#endif

namespace {
std::atomic<int> count{0};
}

#if QUIRE_COUNTS_ALLOCATIONS
// The C library's own functions; operator new and Eigen come here too.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);

void* malloc(std::size_t size) {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) {
  ++count;
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) {
  ++count;
  return __libc_realloc(old, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** result, std::size_t alignment, std::size_t size) {
  ++count;
  *result = __libc_memalign(alignment, size);
  return *result == nullptr ? ENOMEM : 0;
}
}
#endif

namespace quire::test {

bool counts_allocations() {
  return QUIRE_COUNTS_ALLOCATIONS;
}

int allocations() {
  return count;
}

}  // namespace quire::test
