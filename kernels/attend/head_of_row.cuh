/// \file
/// \brief One query head of one row, and its way to the keys and values that it sees.
#pragma once

#include "kernels/attend/attend.h"
#include "kernels/simt/cuda.h"
#include "kernels/simt/storage.h"

namespace quire::kernels {

/// \brief One query head of one row. `item` counts them: row * heads + head.
/// \tparam T  how keys and values are stored
template <class T>
struct HeadOfRow {
  const AttendArguments<T>& arguments;  ///< of the call
  const float* query;                   ///< [head_dim]
  const std::int32_t* table;            ///< the blocks of the row's sequence
  int kv_head;                          ///< whose keys and values it reads
  int first;                            ///< the first position that the row sees
  int last;                             ///< the last one: its own

  /// \brief Looks up where the row stands.
  /// \param call  the call
  /// \param item  row * heads + head
  __device__ HeadOfRow(const AttendArguments<T>& call, std::int64_t item) : arguments(call) {
    const AttendShape& shape = call.shape;
    const AttendRow place = call.places[item / shape.heads];
    query = call.q + item * shape.head_dim;
    table = call.tables + place.span * shape.table_width;
    kv_head = static_cast<int>(item % shape.heads) / (shape.heads / shape.kv_heads);
    last = place.position;
    const bool sees_all = shape.window == 0 || last < shape.window;
    first = sees_all ? 0 : last - shape.window + 1;
  }

  /// \brief How many positions the row sees.
  __device__ int keys() const { return last - first + 1; }

  // [offset]
  /// \brief Where the key and the value of a position begin, in elements: beyond 2^31 in a large
  /// cache.
  /// \param position  that the row sees
  __device__ std::int64_t offset(int position) const {
    const AttendShape& shape = arguments.shape;
    const std::int64_t block = table[position / shape.block_size];
    const std::int64_t slot = block * shape.block_size + position % shape.block_size;
    return (slot * shape.kv_heads + kv_head) * shape.head_dim;
  }
  // [offset]

  /// \brief scale * q.k, summed from the first element to the last.
  /// \param offset_of_key  what offset() said
  __device__ float score(std::int64_t offset_of_key) const {
    const T* key = arguments.k + offset_of_key;
    float sum = 0;
    for (int i = 0; i < arguments.shape.head_dim; ++i) {
      sum = fmaf(query[i], simt::widen(key[i]), sum);
    }
    return arguments.shape.scale * sum;
  }
};

}  // namespace quire::kernels
