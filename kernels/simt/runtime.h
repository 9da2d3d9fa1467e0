/// \file
/// \brief What host code needs of a device: memory, copies, streams. The same for a GPU and for the
/// emulator.
///
/// Which of the two a program gets is decided when it is linked: `runtime_cuda.cpp` or
/// `runtime_emulated.cpp`; tests have a third, `kernels/checked/runtime_late.cpp`. Nothing here is CUDA,
/// so that any compiler reads it.
#pragma once

#include <cstddef>
#include <cstdint>

struct CUstream_st;

namespace quire {
class Error;
}

/// \brief Kernels on a GPU or, thread by thread, on the processor: the emulator and the little that
/// both builds share.
namespace quire::simt {

/// \brief Work that a device does in order, `cudaStream_t` by another name. Null is a stream too.
/// The emulator has done a call's work when the call returns, whatever the stream.
using Stream = CUstream_st*;

/// \brief What a launch, a kernel or the runtime throws: the project's one kind of error.
using Error = quire::Error;

/// \brief Who runs first among the threads of a block and the blocks of a grid.
///
/// A kernel that lacks a barrier may pass in one order; between ascending and descending order any
/// two warps, and any two lanes between two warp operations, swap places.
enum class Order {
  ascending,   ///< block 0 first; in a block thread 0, which goes as far as it can
  descending,  ///< the last block first, and its last thread
  shuffled,    ///< blocks, warps, and lanes of each warp at random; drawn anew at each barrier
};

/// \brief Sets the order of all later launches of the emulator. A GPU has its own, and ignores it.
///
/// Until the first call the environment variable QUIRE_THREAD_ORDER decides: `ascending`,
/// `descending` or `shuffled:SEED`; if it is not set, or empty, the order is ascending.
/// \param order  who runs first
/// \param seed   for a shuffled order: the same seed draws the same orders
void set_order(Order order, std::uint64_t seed = 0);

/// \brief The name of the device that runs kernels, or null if there is none.
const char* device_name();

/// \brief Takes device memory, aligned to 256 bytes. The emulator fills it with NaN and takes
/// exactly as much as was asked for, so that AddressSanitizer sees the first byte beyond.
/// \param bytes  how much; 0 gives null
/// \throws Error if there is not so much
void* allocate(std::size_t bytes);
/// \brief Gives device memory back.
/// \param memory  from allocate(), or null
void release(void* memory) noexcept;

/// \brief Takes host memory that a device reads while the processor goes on (pinned, in CUDA's
/// word).
/// \param bytes  how much; 0 gives null
/// \throws Error if there is not so much
void* allocate_host(std::size_t bytes);
/// \brief Gives pinned memory back.
/// \param memory  from allocate_host(), or null
void release_host(void* memory) noexcept;

/// \brief A new stream, which does not wait for the null stream.
/// \throws Error if the device has no more
Stream create_stream();
/// \brief Ends a stream once its work is done.
/// \param stream  from create_stream(), or null
void release_stream(Stream stream) noexcept;

/// \brief Enqueues a copy from host to device. From pinned memory it returns at once: leave the
/// source as it is until synchronize(). Other memory has been read when it returns.
/// \param to      device memory
/// \param from    host memory
/// \param bytes   how much
/// \param stream  after whose earlier work
void copy_to_device(void* to, const void* from, std::size_t bytes, Stream stream = nullptr);
/// \brief Copies from device to host, and waits: for the stream's earlier work, and for the bytes.
/// \param to      host memory
/// \param from    device memory
/// \param bytes   how much
/// \param stream  after whose earlier work
/// \throws Error if that work failed
void copy_to_host(void* to, const void* from, std::size_t bytes, Stream stream = nullptr);
/// \brief Enqueues a copy within the device.
/// \param to      device memory
/// \param from    device memory; must not overlap `to`
/// \param bytes   how much
/// \param stream  after whose earlier work
void copy_on_device(void* to, const void* from, std::size_t bytes, Stream stream = nullptr);
/// \brief Waits until a stream has done all its work.
/// \param stream  which
/// \throws Error if that work failed
void synchronize(Stream stream = nullptr);

}  // namespace quire::simt
