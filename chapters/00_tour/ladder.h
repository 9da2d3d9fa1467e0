/// \file
/// \brief The ladder: every stage on one prompt, and what each idea buys.
#pragma once

#include <string>
#include <vector>

#include "src/app/loaded_model.h"
#include "src/app/run_record.h"
#include "src/report/bar_chart.h"
#include "src/report/chart.h"
#include "src/report/table.h"

namespace quire {

/// \brief A way to remember, and the chapter that builds it.
struct Stage {
  std::string chapter;     ///< two digits
  std::string name;        ///< a few words
  MakeMemory make_memory;  ///< who remembers
};

/// \brief The stages there are, each the oracle of the next.
std::vector<Stage> all_stages();

/// \brief What one stage did.
struct StageResult {
  Stage stage;                       ///< which
  Generation generation;             ///< what it said
  std::uint64_t kv_bytes = 0;        ///< bytes allocated for keys and values
  std::vector<StepEvent> steps;      ///< the steps; their seconds are the least of all repeats
  bool identical = true;             ///< the same ids as the first stage
  double seconds() const;            ///< of all steps
  double tokens_per_second() const;  ///< generated tokens by seconds()
  Work work_per_token() const;       ///< of all steps, by generated tokens, rounded down
};

/// \brief The ladder as a table, a row a stage.
/// \param results  at least one stage
Table ladder_table(const std::vector<StageResult>& results);

/// \brief The ladder as JSON: `stages`, each with its speed, work, memory and ids.
/// \param results  at least one stage
Json to_json(const std::vector<StageResult>& results);

/// \brief A chart of the ladder.
struct LadderChart {
  std::string name;     ///< of its file, without an ending
  std::string heading;  ///< of its section
  Chart chart;          ///< what it shows
  std::string caption;  ///< stands under it
};

/// \brief Time, arithmetic and memory of each step against the length of the sequence.
/// \param results  at least one stage
std::vector<LadderChart> ladder_charts(const std::vector<StageResult>& results);

/// \brief A report with charts, as one HTML file.
/// \param results      at least one stage
/// \param crowd        what the stages did for many requests
/// \param crowd_chart  the same as bars
/// \param prompt       the text that was continued
/// \param text         its continuation by the first stage
std::string report_page(const std::vector<StageResult>& results, const Table& crowd,
                        const BarChart& crowd_chart, const std::string& prompt,
                        const std::string& text);

}  // namespace quire
