/// \file
/// \brief Chapter 05: what Quire's decoder counts, beside what the arithmetic says.
#pragma once

#include <string>
#include <vector>

#include "chapters/05_memory_and_roofline/arithmetic.h"
#include "src/app/loaded_model.h"
#include "src/core/counters.h"
#include "src/core/json.h"
#include "src/report/table.h"

namespace quire {

/// \brief A step that was run.
struct MeasuredStep {
  std::string phase = {};  ///< "prefill" or "decode"
  StepCost planned = {};   ///< by arithmetic
  Counters counted = {};   ///< by the operators that did the work
};

/// \brief Runs prefill and one decode step, with keys and values in F32.
/// \param model   a loaded model; its weights must be stored in one dtype
/// \param shape   the same model's shape
/// \param tokens  of the prompt, at least 1 and fewer than the model has positions
/// \throws Error if the tokens do not fit, or if the weights are of several dtypes
std::vector<MeasuredStep> measure(LoadedModel& model, const ModelShape& shape, int tokens);

/// \brief Counted and planned, a row for each kind of FLOPs and bytes.
/// \param steps  what was run
Table measured_table(const std::vector<MeasuredStep>& steps);

/// \brief The same for programs.
/// \param steps  what was run
Json to_json(const std::vector<MeasuredStep>& steps);

}  // namespace quire
