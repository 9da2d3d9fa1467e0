/// \file
/// \brief Metrics of a step log as tables, charts, JSON, and a page.
#pragma once

#include <string>
#include <vector>

#include "src/core/json.h"
#include "src/log/metrics.h"
#include "src/report/chart.h"
#include "src/report/table.h"

namespace quire {

/// \brief Mean and percentiles of latencies: first token, between tokens, queue, whole request.
/// \param metrics  of a log
Table latency_table(const LogMetrics& metrics);

/// \brief Counts: requests, tokens, steps, throughput, preemptions, memory. One row for each.
/// \param metrics  of a log
Table totals_table(const LogMetrics& metrics);

/// \brief Blocks held at each step, those that tokens would fill, and how many there are.
/// \param metrics  of a log
Chart blocks_chart(const LogMetrics& metrics);

/// \brief Sequences that run and that wait, at each step.
/// \param metrics  of a log
Chart queue_chart(const LogMetrics& metrics);

/// \brief Rows that each step fed, beside its budget.
/// \param metrics  of a log
Chart rows_chart(const LogMetrics& metrics);

/// \brief Metrics as JSON: counts, spreads in seconds, and `"requests"`, one object each.
/// \param metrics  of a log
Json to_json(const LogMetrics& metrics);

/// \brief A page with the tables and the charts, complete in itself.
/// \param metrics  of a log
/// \param title    its heading
std::string metrics_page(const LogMetrics& metrics, const std::string& title);

}  // namespace quire
