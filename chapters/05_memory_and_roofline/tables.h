/// \file
/// \brief Chapter 05: a plan as tables, as text and as JSON.
#pragma once

#include <string>

#include "chapters/05_memory_and_roofline/plan.h"
#include "src/core/json.h"
#include "src/report/table.h"

namespace quire {

/// \brief The weights by part: parameters, format, bytes.
/// \param plan  any plan
Table weights_table(const Plan& plan);

/// \brief Keys and values against the length of a sequence: bytes, blocks, share of the card, how
/// many sequences fit, and from how many on arithmetic limits.
/// \param plan  any plan
Table lengths_table(const Plan& plan);

/// \brief Prefill and decode: FLOPs, bytes, time by either bound, and which one limits.
/// \param plan  any plan
Table steps_table(const Plan& plan);

/// \brief The whole plan for a terminal: what was asked, three tables, and what they say.
/// \param plan  any plan
std::string text_of(const Plan& plan);

/// \brief The whole plan for programs.
/// \param plan  any plan
Json to_json(const Plan& plan);

}  // namespace quire
