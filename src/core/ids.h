/// \file
/// \brief Strong types for the numbers that are easily mistaken for one another.
///
/// Each is a scoped enumeration over an integer: no arithmetic and no implicit conversion, but
/// comparison, hashing and a fixed size in memory. `to_int` gives the number where a table is
/// indexed.
#pragma once

#include <cstdint>
#include <type_traits>

namespace quire {

/// \brief A row of the embedding table: 0 <= id < vocabulary.
enum class TokenId : std::int32_t {};
/// \brief A place in a sequence, counted from 0. RoPE and the causal mask depend on it.
enum class Position : std::int32_t {};
/// \brief Names a sequence for as long as it lives.
enum class SequenceId : std::int32_t {};
/// \brief A physical block of a cache: 0 <= id < blocks.
enum class BlockId : std::int32_t {};
/// \brief A physical row of a cache: block * block_size + offset, in 64 bits.
enum class Slot : std::int64_t {};

/// \brief The number behind a strong type.
/// \param id  a strong type
/// \return its value in the underlying integer type
template <class Id>
requires std::is_enum_v<Id>
constexpr auto to_int(Id id) {
  return static_cast<std::underlying_type_t<Id>>(id);
}

}  // namespace quire
