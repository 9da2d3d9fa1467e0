/// \file
/// \brief A trace served in several ways, as tables, JSON and figures.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "chapters/08_static_batching/simulation.h"
#include "src/core/json.h"
#include "src/report/chart.h"
#include "src/report/table.h"

namespace quire {

/// \brief One way to serve a trace, and what it came to.
struct ServedTrace {
  std::string name;             ///< "static", or the reservation
  std::optional<double> paper;  ///< share of memory with tokens that the paper measured, in percent
  Simulation run;               ///< step by step
  Totals totals;                ///< of the run
};

/// \brief The memory and the steps that a trace is served with.
struct ServingLimits {
  int slabs = 16;      ///< sequences of the longest kind that fit memory
  int context = 1024;  ///< rows of each
  int budget = 512;    ///< rows of a step
};

/// \brief Serves requests in static batches with maximum reservation, and then with each reservation
/// while they begin and end one by one.
///
/// Memory is the only limit of the number of sequences. Slabs are put where the buddy system says, as
/// in the paper; "oracle, first fit" shows what that costs.
/// \param requests  each fits the context
/// \param limits    memory and steps
std::vector<ServedTrace> compare_reservations(const std::vector<TraceRequest>& requests,
                                              const ServingLimits& limits);

/// \brief A row for each way: steps, rows, idle rows, sequences a step, tokens a step.
/// \param served  a trace in several ways
Table steps_table(const std::vector<ServedTrace>& served);
/// \brief A row for each way: what memory held, in percent, on average over all steps; then "loaded",
/// the share with tokens in steps in which a request waited, and that of the paper.
/// \param served  a trace in several ways
Table memory_table(const std::vector<ServedTrace>& served);
/// \brief Totals as JSON: one object for each way, by "name".
/// \param served  a trace in several ways
Json to_json(const std::vector<ServedTrace>& served);

/// \brief What memory held, as one divided bar for each way: one `<svg>` element.
/// \param served  a trace in several ways
std::string memory_figure(const std::vector<ServedTrace>& served);
/// \brief Sequences whose text has not ended, against steps.
/// \param served  a trace in several ways
Chart running_chart(const std::vector<ServedTrace>& served);
/// \brief The share of memory that holds tokens, against steps.
/// \param served  a trace in several ways
Chart tokens_chart(const std::vector<ServedTrace>& served);

}  // namespace quire
