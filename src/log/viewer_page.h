/// \file
/// \brief The block viewer's page without a log, put together from docs/viewer at build time.
#pragma once

#include <string_view>

namespace quire {

/// \brief The page; `@LOG@` stands where the log goes.
std::string_view viewer_page();

}  // namespace quire
