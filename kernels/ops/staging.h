/// \file
/// \brief Where data of the host waits for its copy to the device.
#pragma once

#include <cstddef>

#include "kernels/simt/runtime.h"
#include "src/core/tensor.h"

namespace quire::kernels {

/// \brief Copies host memory to the device without waiting for the device.
///
/// A copy that is only enqueued needs its source until it is done, and the caller's may be gone before.
/// So bytes are first copied into page-locked memory of the host, from which the device fetches them
/// when their turn comes. That memory is used from its beginning again once all copies are done.
class Staging {
 public:
  /// \brief Copies for one stream.
  /// \param stream  where copies are enqueued
  explicit Staging(simt::Stream stream) : stream_(stream) {}
  ~Staging();
  Staging(const Staging&) = delete;             ///< Its memory has one owner.
  Staging& operator=(const Staging&) = delete;  ///< Its memory has one owner.

  /// \brief Enqueues a copy. Waits for the device only if the memory is full: then it becomes twice as
  /// large, up to 16 MiB, or as large as this copy needs.
  /// \param to     device memory
  /// \param from   host memory; may change as soon as this returns
  /// \param bytes  how many
  void copy(void* to, const void* from, std::size_t bytes);
  /// \brief All copies are done: whoever synchronised with the stream says so.
  void all_done() { used_ = 0; }

 private:
  void make_room(std::size_t bytes);

  simt::Stream stream_;
  Buffer memory_;
  std::size_t used_ = 0;
};

}  // namespace quire::kernels
