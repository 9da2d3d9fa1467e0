/// \file
/// \brief Chapter 05: a plan as charts, and as a page.
#pragma once

#include <string>

#include "chapters/05_memory_and_roofline/plan.h"
#include "src/report/chart.h"

namespace quire {

/// \brief Keys and values of one sequence against its length: as planned, with a KV head for each
/// query head, and in INT8; and what the card has left for them.
/// \param plan  any plan
Chart kv_chart(const Plan& plan);

/// \brief The roofline of the card, with prefill of several lengths and decode of several batches.
/// \param plan  any plan
Chart roofline_chart(const Plan& plan);

/// \brief The plan as one HTML file.
/// \param plan  any plan
std::string page_of(const Plan& plan);

}  // namespace quire
