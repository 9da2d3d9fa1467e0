/// \file
/// \brief The ladder's upper half: sixteen requests at once.
#pragma once

#include <string>
#include <vector>

#include "src/app/loaded_model.h"
#include "src/core/json.h"
#include "src/report/bar_chart.h"
#include "src/report/table.h"

namespace quire {

/// \brief How many requests there are.
inline constexpr int kCrowd = 16;

/// \brief What a stage did for all requests.
struct CrowdResult {
  std::string chapter;                           ///< two digits
  std::string name;                              ///< a few words
  std::vector<std::vector<TokenId>> texts = {};  ///< what was generated for each request
  double seconds = 0;                            ///< from the first step to the last
  int steps = 0;                                 ///< that ran
  Index rows = 0;                                ///< that all of them fed
  Index reserved = 0;     ///< rows of keys and values that sequences held, at most
  double used = 0;        ///< of the rows held, the share that held a needed token, over all steps
  bool identical = true;  ///< the same ids as one request after the other with a cache

  /// \brief Tokens of all texts.
  Index tokens() const;
  /// \brief Tokens of all texts by seconds.
  double tokens_per_second() const;
};

/// \brief Continues one prompt sixteen times in each stage: one text after the other with a cache,
/// in static batches over slabs, as samples that share blocks, and in an engine. Without a cache only
/// once, since that takes long and its speed is that of any other text.
///
/// Text k chooses with the random numbers of sample k, so each stage must say the same.
/// \param model    the model
/// \param prompt   at least one token, and room for one more in the context
/// \param options  the same for each request
std::vector<CrowdResult> serve_crowd(LoadedModel& model, const std::vector<TokenId>& prompt,
                                     const GenerationOptions& options);

/// \brief The stages as a table, a row each.
/// \param results        at least one
/// \param bytes_per_row  of keys and values
Table crowd_table(const std::vector<CrowdResult>& results, std::uint64_t bytes_per_row);

/// \brief Tokens a second of each stage, as bars.
/// \param results  at least one
BarChart crowd_chart(const std::vector<CrowdResult>& results);

/// \brief The stages as a JSON array.
/// \param results        at least one
/// \param bytes_per_row  of keys and values
Json to_json(const std::vector<CrowdResult>& results, std::uint64_t bytes_per_row);

}  // namespace quire
