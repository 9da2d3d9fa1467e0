// A device that is as late as CUDA allows, and whose memory is not the host's: in place of
// runtime_emulated.cpp, for tests.
//
// Launches and copies are enqueued, each stream's in order. Nothing of it is done before somebody waits
// for that stream, or gives device memory back, which waits for all. Only while work is done is device
// memory there at all: at any other time, and behind the end of each piece, an access faults. So a
// missing synchronize, a source that changes before its copy, and host code that follows a pointer into
// the device show. The host's memory cannot be hidden from kernels, since they run in it; but a pointer
// to it among a kernel's arguments is refused. Pointers within a struct are not looked at.
//
// For one thread of the host.
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "kernels/checked/guarded_memory.h"
#include "kernels/simt/executor.h"
#include "kernels/simt/runtime.h"
#include "src/core/error.h"

struct CUstream_st {
  std::deque<std::function<void()>> work;
  std::exception_ptr failure;  // of which nobody has heard; until then nothing more is done
};

namespace quire::simt {
namespace {

struct Device {
  GuardedMemory memory{GuardedMemory::Access::closed};
  GuardedMemory pinned{GuardedMemory::Access::open};  // of the host
  CUstream_st null_stream;
  std::set<Stream> streams{&null_stream};
};

Device& device() {
  // Never destroyed, as others give memory back at the end of the program.
  static Device& instance = *new Device;
  return instance;
}

CUstream_st& stream_at(Stream stream) {
  return stream == nullptr ? device().null_stream : *stream;
}

void defer(Stream stream, std::function<void()> work) {
  stream_at(stream).work.push_back(std::move(work));
}

void do_one(CUstream_st& stream) noexcept {
  try {
    if (!stream.failure) stream.work.front()();
  } catch (...) {
    stream.failure = std::current_exception();
  }
  stream.work.pop_front();
}

void do_all(CUstream_st& stream) noexcept {
  if (stream.work.empty()) return;
  device().memory.set(GuardedMemory::Access::open);
  while (!stream.work.empty()) do_one(stream);
  device().memory.set(GuardedMemory::Access::closed);
}

void require_device(const void* address, const char* copy, const char* end) {
  require(detail::is_device_memory(address), "{}: its {} is not in device memory", copy, end);
}

void require_host(const void* address, const char* copy, const char* end) {
  require(!detail::is_device_memory(address), "{}: its {} is in device memory", copy, end);
}

void require_device_arguments(const LaunchConfig& config, const detail::Launch& launch) {
  for (std::size_t i = 0; i < launch.targets.size(); ++i) {
    const void* target = launch.targets[i];
    require(target == nullptr || detail::is_device_memory(target),
            "{} ({}): argument {} of the kernel points to no device memory", place(config.site),
            config.site.function, i + 1);
  }
}

}  // namespace

bool detail::is_device_memory(const void* address) {
  return device().memory.has(address);
}

void detail::submit(const LaunchConfig& config, const Launch& launch) {
  check_launch(config);
  require_device_arguments(config, launch);
  defer(config.stream, [config, run = launch.body.run, given = launch.copy(launch.body.given)] {
    run_grid(config, {run, given.get()});
  });
}

const char* device_name() {
  return "the emulator";
}

void* allocate(std::size_t bytes) {
  return bytes == 0 ? nullptr : device().memory.take(bytes);
}

void release(void* memory) noexcept {
  if (memory == nullptr) return;
  for (const Stream stream : device().streams) do_all(*stream);
  device().memory.give_back(memory);
}

void* allocate_host(std::size_t bytes) {
  return bytes == 0 ? nullptr : device().pinned.take(bytes);
}

void release_host(void* memory) noexcept {
  if (memory != nullptr) device().pinned.give_back(memory);
}

Stream create_stream() {
  detail::prepare_to_run();
  return *device().streams.insert(new CUstream_st).first;
}

void release_stream(Stream stream) noexcept {
  if (stream == nullptr) return;
  do_all(*stream);
  device().streams.erase(stream);
  delete stream;
}

void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  require_device(to, "copy_to_device", "target");
  require_host(from, "copy_to_device", "source");
  if (device().pinned.has(from)) {
    return defer(stream, [=] { std::memcpy(to, from, bytes); });
  }
  const auto first = static_cast<const std::byte*>(from);
  defer(stream, [to, read = std::vector<std::byte>(first, first + bytes)] {
    std::memcpy(to, read.data(), read.size());
  });
}

void copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes > 0) {
    require_host(to, "copy_to_host", "target");
    require_device(from, "copy_to_host", "source");
    defer(stream, [=] { std::memcpy(to, from, bytes); });
  }
  synchronize(stream);
}

void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  if (bytes == 0) return;
  require_device(to, "copy_on_device", "target");
  require_device(from, "copy_on_device", "source");
  defer(stream, [=] { std::memcpy(to, from, bytes); });
}

void synchronize(Stream stream) {
  CUstream_st& waited_for = stream_at(stream);
  do_all(waited_for);
  const std::exception_ptr failure = std::exchange(waited_for.failure, nullptr);
  if (failure) std::rethrow_exception(failure);
}

}  // namespace quire::simt
