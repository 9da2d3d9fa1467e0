/// \file
/// \brief The bill of a computation: floating-point operations and bytes, by operator.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace quire {

/// \brief The operators that a decoder is made of.
enum class Operator {
  embed,           ///< rows of the embedding table
  rms_norm,        ///< root-mean-square normalisation
  linear,          ///< a matrix product with a weight
  add_bias,        ///< one bias for each output of a linear layer
  rope_and_store,  ///< rotation of Q and K, and storing K and V
  attend,          ///< attention over stored keys and values
  silu_mul,        ///< the gate of a gated FFN
  add,             ///< a residual connection
  gather_rows,     ///< picking the rows that need logits
  copy_blocks,     ///< copy-on-write of shared blocks
};

/// \brief How many operators there are.
inline constexpr std::size_t kOperators = static_cast<std::size_t>(Operator::copy_blocks) + 1;

/// \brief The name of an operator, as its function is called.
/// \param op  an operator
std::string_view name_of(Operator op);

/// \brief Work done or to be done.
struct Work {
  std::uint64_t flops = 0;          ///< a multiply-add counts as 2
  std::uint64_t bytes_read = 0;     ///< weights, activations, keys and values
  std::uint64_t bytes_written = 0;  ///< activations, keys and values

  /// \brief All bytes moved.
  std::uint64_t bytes() const { return bytes_read + bytes_written; }
  /// \brief Adds another bill to this one.
  /// \param other  what to add
  Work& operator+=(const Work& other);
  /// \brief What was added since an earlier bill.
  /// \param earlier  a bill that this one grew from
  Work operator-(const Work& earlier) const;
  /// \brief Equal in every number.
  bool operator==(const Work&) const = default;
};

/// \brief Work by operator. The calls that do the work add to it; nothing else does.
class Counters {
 public:
  /// \brief The work of one operator.
  /// \param op  an operator
  const Work& of(Operator op) const { return work_[static_cast<std::size_t>(op)]; }
  /// \brief Adds work to one operator.
  /// \param op    an operator
  /// \param work  what it did
  void add(Operator op, const Work& work) { work_[static_cast<std::size_t>(op)] += work; }
  /// \brief The work of all operators together.
  Work total() const;
  /// \brief Adds another reading to this one, operator by operator.
  /// \param other  what to add
  Counters& operator+=(const Counters& other);
  /// \brief What was added since an earlier reading.
  /// \param earlier  a reading that this one grew from
  Counters operator-(const Counters& earlier) const;
  /// \brief Equal for every operator.
  bool operator==(const Counters&) const = default;

 private:
  std::array<Work, kOperators> work_{};
};

}  // namespace quire
