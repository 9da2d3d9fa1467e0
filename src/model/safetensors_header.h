/// \file
/// \brief The header of a safetensors file, and all that can be wrong with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "src/core/tensor.h"

namespace quire {

/// \brief A tensor as the header of a file describes it.
struct TensorEntry {
  std::string dtype;         ///< its name, such as "BF16"
  std::vector<Index> shape;  ///< the extents, outermost first; none negative
  std::uint64_t begin = 0;   ///< its first byte, counted from the end of the header
  std::uint64_t end = 0;     ///< one past its last byte
};

/// \brief The tensors of a safetensors file by name.
using TensorEntries = std::map<std::string, TensorEntry>;

/// \brief The element type that a dtype of a file is computed with.
/// \param dtype  a name such as "BF16"
/// \return none for the types that Quire does not compute with
std::optional<DType> computable_dtype(std::string_view dtype);

/// \brief How many bytes lie before the numbers: the header's length and the header.
/// \param file   the whole file
/// \param where  what to call it in messages
/// \throws Error if the file has no room for the header that it promises, or it is beyond 100 MB
std::size_t header_bytes(std::span<const std::byte> file, std::string_view where);

/// \brief Reads and checks a header.
///
/// The tensors must fill the data without gap or overlap, and each its shape and dtype.
/// \param header      the JSON
/// \param data_bytes  how many bytes the file has after the header
/// \param where       what to call the file in messages
/// \throws Error if anything is wrong
TensorEntries read_entries(std::string_view header, std::uint64_t data_bytes,
                           std::string_view where);

}  // namespace quire
