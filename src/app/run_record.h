/// \file
/// \brief Everything that happened in one generation, kept to be shown.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "src/core/json.h"
#include "src/core/observer.h"
#include "src/report/table.h"

namespace quire {

/// \brief The shape of a value that the decoder computed.
struct SeenShape {
  int step = 0;      ///< in which step
  std::string name;  ///< the value's name
  int layer = -1;    ///< in which layer, -1 outside
  Shape shape;       ///< its extents
};

/// \brief Keeps the events of one generation.
class RunRecord : public Observer {
 public:
  /// \brief A record of nothing yet.
  /// \param on_choice  called with each token of the text as it is chosen; may be empty
  explicit RunRecord(std::function<void(TokenId)> on_choice = {})
      : on_choice_(std::move(on_choice)) {}

  void on_value(std::string_view name, int layer, ConstTensor value) override;
  void on_step(const StepEvent& step) override { steps_.push_back(step); }
  void on_token(const TokenEvent& token) override;

  /// \brief The steps, in order.
  const std::vector<StepEvent>& steps() const { return steps_; }
  /// \brief The tokens, in order.
  const std::vector<TokenEvent>& tokens() const { return tokens_; }
  /// \brief The shapes of the values outside the layers and in layer 0, in the first two steps.
  const std::vector<SeenShape>& shapes() const { return shapes_; }
  /// \brief The work of all steps together.
  Counters work() const;
  /// \brief Rows fed in all steps together.
  std::uint64_t rows() const;

 private:
  std::function<void(TokenId)> on_choice_;
  std::vector<StepEvent> steps_;
  std::vector<TokenEvent> tokens_;
  std::vector<SeenShape> shapes_;
};

/// \brief Some steps of a run as a table: the first three, then each doubling, the last, and the
/// sum.
/// \param record at least one step
Table steps_table(const RunRecord& record);

/// \brief The shapes of a run's first two steps, side by side.
/// \param record  at least one step
Table shapes_table(const RunRecord& record);

/// \brief Work as JSON: "flops", "bytes_read", "bytes_written".
/// \param work  a bill
Json to_json(const Work& work);

/// \brief Counters as JSON: the total, and "operators" by name.
/// \param counters  a bill by operator
Json to_json(const Counters& counters);

/// \brief Token ids as a JSON array of numbers.
/// \param tokens  any tokens
Json to_json(const std::vector<TokenId>& tokens);

/// \brief Steps as a JSON array.
/// \param steps  in order
Json to_json(const std::vector<StepEvent>& steps);

/// \brief A step as JSON: "context", "rows", "seconds", "kv_bytes" and its work.
/// \param step  what happened in it
Json to_json(const StepEvent& step);

}  // namespace quire
