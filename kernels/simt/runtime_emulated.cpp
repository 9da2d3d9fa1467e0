#include <cstdlib>
#include <cstring>

#include "kernels/simt/executor.h"
#include "kernels/simt/runtime.h"
#include "src/core/error.h"

namespace quire::simt {
namespace {

constexpr std::size_t kAlignment = 256;  // as cudaMalloc

void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

}  // namespace

const char* device_name() {
  return "the emulator";
}

void* allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  require(posix_memalign(&memory, kAlignment, bytes) == 0, "there are no {} bytes of memory",
          bytes);
  return std::memset(memory, detail::kNeverWritten, bytes);
}

void release(void* memory) noexcept {
  std::free(memory);
}

void* allocate_host(std::size_t bytes) {
  return allocate(bytes);
}

void release_host(void* memory) noexcept {
  std::free(memory);
}

Stream create_stream() {
  return nullptr;
}

void release_stream(Stream) noexcept {}

void copy_to_device(void* to, const void* from, std::size_t bytes, Stream) {
  copy(to, from, bytes);
}

void copy_to_host(void* to, const void* from, std::size_t bytes, Stream) {
  copy(to, from, bytes);
}

void copy_on_device(void* to, const void* from, std::size_t bytes, Stream) {
  copy(to, from, bytes);
}

void synchronize(Stream) {}

}  // namespace quire::simt
