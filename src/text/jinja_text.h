/// \file
/// \brief Jinja templates as texts that can be compared: no engine, only their spelling.
#pragma once

#include <string>
#include <string_view>

namespace quire {

/// \brief A template in one fixed spelling, so that two templates that differ in layout alone are
/// equal.
///
/// White space that is never printed is gone (`-`, and the options trim_blocks and lstrip_blocks
/// that `transformers` sets), literals have one kind of quotes and no sums of two of them,
/// `a['b']` is `a.b`, and what an exception says is left out.
/// \param text   a template
/// \param where  what to call it in messages
/// \throws Error if a tag or a literal does not end
std::string canonical_jinja(std::string_view text, std::string_view where);

}  // namespace quire
