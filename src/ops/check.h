/// \file
/// \brief What the contracts check of their arguments.
#pragma once

#include <string_view>

#include "src/core/tensor.h"
#include "src/ops/ops.h"

namespace quire {

/// \brief Checks the dtype and shape of one argument.
/// \param op        the operator, for the message
/// \param argument  the argument's name, for the message
/// \param x         the argument
/// \param dtype     what it must hold
/// \param shape     what it must be
/// \throws Error that names the operator, the argument, what it is and what would be right
void check_argument(Operator op, std::string_view argument, ConstTensor x, DType dtype,
                    const Shape& shape);

/// \brief Checks that a weight holds stored numbers of a given shape.
/// \param op        the operator, for the message
/// \param argument  the argument's name, for the message
/// \param weight    the weight
/// \param shape     what it must be
/// \throws Error that names the operator, the argument, what it is and what would be right
void check_weight(Operator op, std::string_view argument, const Weight& weight, const Shape& shape);

/// \brief Checks that one argument holds stored numbers of a given shape.
/// \param op        the operator, for the message
/// \param argument  the argument's name, for the message
/// \param x         the argument
/// \param shape     what it must be
/// \throws Error that names the operator, the argument, what it is and what would be right
void check_stored(Operator op, std::string_view argument, ConstTensor x, const Shape& shape);

/// \brief A number of elements, rows or bytes in the unsigned form that bills are kept in.
/// \param n  not negative
constexpr std::uint64_t count(Index n) {
  return static_cast<std::uint64_t>(n);
}

}  // namespace quire
