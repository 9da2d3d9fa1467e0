/// \file
/// \brief Kernels with one mistake each, and what they would write without it.
///
/// All take `out`, 128 numbers in device memory, and a number `salt` that differs from run to run: a
/// stale but equal number would hide a mistake.
#pragma once

namespace quire::test::simt_kernels {

// --- Data races (races.cu) --------------------------------------------------------------------------

/// \brief The sum of a block twice, with both its barriers: out[0] = 128 salt, out[1] = 256 salt.
/// \param out   see above
/// \param salt  see above
void block_sum_twice(float* out, float salt);
/// \brief The same without the barrier between writing the warps' sums and reading them.
/// \param out   see above
/// \param salt  see above
void no_barrier_before_read(float* out, float salt);
/// \brief The same without the barrier between reading them and the next call's writing.
/// \param out   see above
/// \param salt  see above
void no_barrier_before_reuse(float* out, float salt);
/// \brief Each thread reads what its neighbour wrote: out[i] = salt + (i + 1) % 128.
/// \param out   see above
/// \param salt  see above
void no_barrier_at_all(float* out, float salt);
/// \brief A tree sum that trusts the lanes of a warp to move in step: out[0] = 32 salt.
/// \param out   see above
/// \param salt  see above
void no_warp_barrier(float* out, float salt);
/// \brief A shuffle is no barrier: what lanes wrote before it need not be there after it.
/// out[i] = salt + (i + 1) % 32.
/// \param out   see above
/// \param salt  see above
void shuffle_for_barrier(float* out, float salt);
/// \brief `+=` where atomicAdd is needed: out[0] = salt + 128.
/// \param out   see above; out[0] is salt before
/// \param salt  see above
void lost_update(float* out, float salt);

// --- Synchronisation (synchronisation.cu) -----------------------------------------------------------

/// \brief The two halves of a block wait in different lines.
/// \param out   see above
/// \param salt  see above
void divergent_barrier(float* out, float salt);
/// \brief One lane waits for the block, the others of its warp for that lane.
/// \param out   see above
/// \param salt  see above
void deadlock(float* out, float salt);
/// \brief A shuffle from a lane that takes no part.
/// \param out   see above
/// \param salt  see above
void shuffle_from_absent_lane(float* out, float salt);
/// \brief A lane calls a shuffle whose mask is without it.
/// \param out   see above
/// \param salt  see above
void lane_outside_its_mask(float* out, float salt);
/// \brief Half of a warp shuffles while the other half votes, both with a full mask.
/// \param out   see above
/// \param salt  see above
void divergent_warp(float* out, float salt);
/// \brief Even lanes shuffle a float, odd ones a double.
/// \param out   see above
/// \param salt  see above
void shuffle_of_two_types(float* out, float salt);
/// \brief A shuffle by -1 lanes.
/// \param out   see above
/// \param salt  see above
void shuffle_beyond_the_warp(float* out, float salt);
/// \brief A shuffle in segments of 12 lanes.
/// \param out   see above
/// \param salt  see above
void shuffle_of_an_odd_width(float* out, float salt);
/// \brief A product by tensor cores in half a warp.
/// \param out   see above
/// \param salt  see above
void tensor_core_in_half_a_warp(float* out, float salt);

// --- Memory (memory.cu) -----------------------------------------------------------------------------

/// \brief Sums shared memory of which it has written all but one number: out[0] = 127 salt.
/// \param out   see above
/// \param salt  see above
void shared_memory_never_written(float* out, float salt);
/// \brief Adds to global memory that nobody has written: out[i] = salt.
/// \param out   see above
/// \param salt  see above
void global_memory_never_written(float* out, float salt);
/// \brief Reads what an asynchronous copy brings, without waiting for it: out[i] = salt.
/// \param out   see above; out[0] is salt before
/// \param salt  see above
void async_copy_not_waited_for(float* out, float salt);
/// \brief An asynchronous copy of 16 bytes from an address that is a multiple of 4 only.
/// \param out   see above
/// \param salt  see above
void async_copy_misaligned(float* out, float salt);
/// \brief An asynchronous copy from shared memory, though there are only those into it.
/// \param out   see above
/// \param salt  see above
void async_copy_out_of_shared_memory(float* out, float salt);
/// \brief Stores a tile of tensor cores at a boundary of 16 bytes.
/// \param out   see above
/// \param salt  see above
void tile_misaligned(float* out, float salt);
/// \brief Stores a tile of tensor cores whose rows are 18 floats apart.
/// \param out   see above
/// \param salt  see above
void tile_with_an_odd_stride(float* out, float salt);
/// \brief Reads one number behind static shared memory.
/// \param out   see above
/// \param salt  see above
void static_shared_overrun(float* out, float salt);
/// \brief Reads one number behind dynamic shared memory.
/// \param out   see above
/// \param salt  see above
void dynamic_shared_overrun(float* out, float salt);
/// \brief Writes one number behind `out`.
/// \param out   see above
/// \param salt  see above
void global_overrun(float* out, float salt);
/// \brief Writes four floats at once to an address that is a multiple of 4 only.
/// \param out   see above
/// \param salt  see above
void misaligned_vector(float* out, float salt);
/// \brief Calls itself until the stack of the thread is full.
/// \param out   see above
/// \param salt  see above
void stack_overflow(float* out, float salt);

}  // namespace quire::test::simt_kernels
