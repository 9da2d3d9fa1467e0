/// \file
/// \brief Chapter 03: what each operation of the sampler does to one choice, kept to be looked at.
#pragma once

#include <string>
#include <vector>

#include "src/app/run_record.h"
#include "src/report/bar_chart.h"
#include "src/report/table.h"
#include "src/text/tokenizer.h"

namespace quire {

/// \brief The distribution over tokens after an operation of the sampler.
struct Stage {
  std::string operation;            ///< its name, as Observer::on_candidates gives it
  std::vector<double> probability;  ///< [vocabulary], 0 for a token that was dropped
  std::size_t left = 0;             ///< how many tokens were not dropped
};

/// \brief A record of a generation that also keeps how one of its tokens was chosen.
class StageRecord : public RunRecord {
 public:
  /// \brief A record of nothing yet.
  /// \param index      which token's choice is kept, from 0; a negative number keeps none
  /// \param on_choice  called with each token of the text as it is chosen; may be empty
  explicit StageRecord(int index, std::function<void(TokenId)> on_choice = {})
      : RunRecord(std::move(on_choice)), index_(index) {}

  void on_candidates(std::string_view operation, std::span<const Candidate> candidates) override;

  /// \brief The distributions of that choice, the model's first; none if the text ended before it.
  const std::vector<Stage>& stages() const { return stages_; }
  /// \brief The token that was chosen then.
  TokenId chosen() const { return tokens().at(static_cast<std::size_t>(index_)).token; }

 private:
  int index_;
  std::vector<Stage> stages_;
};

/// \brief A token as a table shows it: its text in quotes, control characters escaped.
/// \param tokenizer  who knows its bytes
/// \param token      any id
std::string shown_token(const Tokenizer& tokenizer, TokenId token);

/// \brief The likeliest candidates, a row each, with their probability after every operation; a dash
/// where they were dropped. The last row counts who is left.
/// \param record     with stages
/// \param tokenizer  names the tokens
/// \param rows       how many candidates; the chosen one is added if it is not among them
Table stages_table(const StageRecord& record, const Tokenizer& tokenizer, int rows);

/// \brief The likeliest candidates as bars: what the model gave them, and what was left in the end.
/// \param record     with stages
/// \param tokenizer  names the tokens
/// \param rows       how many candidates
BarChart stages_chart(const StageRecord& record, const Tokenizer& tokenizer, int rows);

/// \brief The stages as JSON: "chosen", and "stages", each with its operation, how many tokens are
/// left, and the "probabilities" of the likeliest candidates.
/// \param record     with stages
/// \param tokenizer  names the tokens
/// \param rows       how many candidates
Json to_json(const StageRecord& record, const Tokenizer& tokenizer, int rows);

}  // namespace quire
