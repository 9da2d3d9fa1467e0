#include <cuda_runtime_api.h>

#include "kernels/simt/cuda_check.h"
#include "kernels/simt/runtime.h"
#include "src/core/error.h"

namespace quire::simt {

void check(cudaError_t status, CallSite site) {
  if (status == cudaSuccess) return;
  fail("{} ({}): {}: {}", place(site), site.function, cudaGetErrorName(status),
       cudaGetErrorString(status));
}

void set_order(Order, std::uint64_t) {}

const char* device_name() {
  static const cudaDeviceProp properties = [] {
    cudaDeviceProp found{};
    int devices = 0;
    // Without a driver the count is an error, and means the same.
    if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return found;
    check(cudaGetDeviceProperties(&found, 0));
    return found;
  }();
  return properties.name[0] ? properties.name : nullptr;
}

void* allocate(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes > 0) check(cudaMalloc(&memory, bytes));
  return memory;
}

void release(void* memory) noexcept {
  cudaFree(memory);
}

void* allocate_host(std::size_t bytes) {
  void* memory = nullptr;
  if (bytes > 0) check(cudaMallocHost(&memory, bytes));
  return memory;
}

void release_host(void* memory) noexcept {
  if (memory) cudaFreeHost(memory);
}

Stream create_stream() {
  Stream stream = nullptr;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return stream;
}

void release_stream(Stream stream) noexcept {
  if (!stream) return;
  cudaStreamSynchronize(stream);
  cudaStreamDestroy(stream);
}

void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, stream));
}

void copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, stream));
  synchronize(stream);
}

void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream) {
  check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream));
}

void synchronize(Stream stream) {
  check(cudaStreamSynchronize(stream));
}

}  // namespace quire::simt
