/// \file
/// \brief Chapter 06: what kernels did, as tables, as JSON and as a drawing.
#pragma once

#include <string>
#include <vector>

#include "chapters/06_cuda_kernels/fusion.h"
#include "chapters/06_cuda_kernels/survey.h"
#include "src/core/json.h"
#include "src/report/table.h"

namespace quire {

/// \brief How each kernel was launched, what the emulator did for it, and how right it is.
/// \param reports  of a survey
Table launches_table(const std::vector<KernelReport>& reports);

/// \brief Sectors for each access of a warp, and conflicts of shared memory's banks.
/// \param reports  of a survey
Table accesses_table(const std::vector<KernelReport>& reports);

/// \brief Bytes that kernels ask for, apart and fused.
/// \param fusions  both ways
Table fusions_table(const std::vector<Fusion>& fusions);

/// \brief Sectors that a warp's load takes, by stride.
/// \param loads  of several strides
Table strides_table(const std::vector<StridedLoad>& loads);

/// \brief Everything as JSON.
/// \param reports  of a survey
/// \param fusions  both ways
/// \param loads    of several strides
Json to_json(const std::vector<KernelReport>& reports, const std::vector<Fusion>& fusions,
             const std::vector<StridedLoad>& loads);

/// \brief Draws which floats of which sectors a warp reads, for strides 1, 3 and 8.
/// \param loads  those of strided_loads()
std::string accesses_figure(const std::vector<StridedLoad>& loads);

}  // namespace quire
