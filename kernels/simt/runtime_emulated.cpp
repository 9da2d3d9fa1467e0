#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>

#include "kernels/simt/executor.h"
#include "kernels/simt/runtime.h"
#include "src/core/error.h"

namespace quire::simt {
namespace {

constexpr std::size_t kAlignment = 256;  // as cudaMalloc

void copy(void* to, const void* from, std::size_t bytes) {
  if (bytes > 0) std::memcpy(to, from, bytes);
}

// Where device memory is: the first byte of each piece, and the one behind it.
struct Pieces {
  std::mutex mutex;
  std::map<const std::byte*, const std::byte*> ends;
};

Pieces& pieces() {
  static Pieces all;
  return all;
}

}  // namespace

bool detail::is_device_memory(const void* address) {
  const auto at = static_cast<const std::byte*>(address);
  const std::lock_guard lock(pieces().mutex);
  const auto next = pieces().ends.upper_bound(at);
  return next != pieces().ends.begin() && at < std::prev(next)->second;
}

void detail::submit(const LaunchConfig& config, const Launch& launch) {
  run_grid(config, launch.body);
}

const char* device_name() {
  return "the emulator";
}

void* allocate(std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* memory = nullptr;
  require(posix_memalign(&memory, kAlignment, bytes) == 0, "there are no {} bytes of memory",
          bytes);
  const auto begin = static_cast<const std::byte*>(memory);
  const std::lock_guard lock(pieces().mutex);
  pieces().ends[begin] = begin + bytes;
  return std::memset(memory, detail::kNeverWritten, bytes);
}

void release(void* memory) noexcept {
  const std::lock_guard lock(pieces().mutex);
  pieces().ends.erase(static_cast<const std::byte*>(memory));
  std::free(memory);
}

void* allocate_host(std::size_t bytes) {
  void* memory = std::malloc(bytes);
  require(memory || bytes == 0, "there are no {} bytes of memory", bytes);
  return memory;
}

void release_host(void* memory) noexcept {
  std::free(memory);
}

Stream create_stream() {
  detail::prepare_to_run();  // a program hears of a wrong order before it does anything
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
