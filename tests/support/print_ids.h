/// \file
/// \brief Strong types as numbers in the messages of failing tests.
#pragma once

#include <ostream>

#include "src/core/ids.h"

namespace quire {

/// \brief What GoogleTest prints of a token id. Found because it stands beside the type.
/// \param token  the id
/// \param out    where to
inline void PrintTo(TokenId token, std::ostream* out) {
  *out << to_int(token);
}

}  // namespace quire
