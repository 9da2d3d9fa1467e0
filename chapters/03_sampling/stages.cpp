#include "chapters/03_sampling/stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "src/report/format.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

std::size_t index_of(TokenId token) {
  return static_cast<std::size_t>(to_int(token));
}

std::string percent(double probability) {
  return probability == 0 ? "-" : fmt::format("{:.2f} %", 100 * probability);
}

// The likeliest tokens by the model, then those that the sampler made the likeliest.
std::vector<TokenId> likeliest(const StageRecord& record, int rows) {
  const std::vector<double>& given = record.stages().front().probability;
  std::vector<std::int32_t> order(given.size());
  std::iota(order.begin(), order.end(), 0);
  const auto count = std::min(order.size(), static_cast<std::size_t>(rows));
  std::partial_sort(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count), order.end(),
                    [&](std::int32_t a, std::int32_t b) {
                      const double p = given[index_of(TokenId{a})], q = given[index_of(TokenId{b})];
                      return p != q ? p > q : a < b;
                    });
  std::vector<TokenId> tokens;
  for (std::size_t i = 0; i < count; ++i) tokens.push_back(TokenId{order[i]});
  return tokens;
}

Stage stage_of(std::string_view operation, std::span<const Candidate> candidates,
               std::size_t vocabulary) {
  double top = -std::numeric_limits<double>::infinity(), total = 0;
  for (const Candidate& one : candidates) top = std::max(top, one.logit);
  Stage stage{.operation = std::string(operation),
              .probability = std::vector<double>(vocabulary, 0),
              .left = candidates.size()};
  for (const Candidate& one : candidates) {
    total += stage.probability[index_of(one.token)] = std::exp(one.logit - top);
  }
  for (double& probability : stage.probability) probability /= total;
  return stage;
}

}  // namespace

void StageRecord::on_candidates(std::string_view operation, std::span<const Candidate> candidates) {
  if (static_cast<int>(tokens().size()) != index_) return;
  // The first stage holds the whole vocabulary.
  const std::size_t vocabulary =
      stages_.empty() ? candidates.size() : stages_.front().probability.size();
  stages_.push_back(stage_of(operation, candidates, vocabulary));
}

std::string shown_token(const Tokenizer& tokenizer, TokenId token) {
  return in_quotes(to_valid_utf8(tokenizer.piece(token)));
}

Table stages_table(const StageRecord& record, const Tokenizer& tokenizer, int rows) {
  std::vector<Column> columns = {{.title = "token", .align = Align::left}};
  for (const Stage& stage : record.stages()) columns.push_back({.title = stage.operation});
  Table table(std::move(columns));
  std::vector<TokenId> tokens = likeliest(record, rows);
  if (std::find(tokens.begin(), tokens.end(), record.chosen()) == tokens.end()) {
    tokens.push_back(record.chosen());
  }
  for (const TokenId token : tokens) {
    const bool chosen = token == record.chosen();
    std::vector<Cell> cells = {shown_token(tokenizer, token) + (chosen ? " chosen" : "")};
    for (const Stage& stage : record.stages()) {
      const double probability = stage.probability[index_of(token)];
      cells.emplace_back(percent(probability), probability);
    }
    table.row(std::move(cells));
  }
  std::vector<Cell> left = {"tokens left"};
  for (const Stage& stage : record.stages()) left.emplace_back(format_count(stage.left));
  table.row(std::move(left));
  return table;
}

BarChart stages_chart(const StageRecord& record, const Tokenizer& tokenizer, int rows) {
  BarChart chart{.title = "One choice, before and after the sampler",
                 .description =
                     "For each of the likeliest tokens, the probability that the model "
                     "gave it and the one it was drawn with.",
                 .measure = "probability; above: the model's, below: after all operations",
                 .bars = {}};
  for (const TokenId token : likeliest(record, rows)) {
    const double before = record.stages().front().probability[index_of(token)];
    const double after = record.stages().back().probability[index_of(token)];
    chart.bars.push_back({shown_token(tokenizer, token), before, percent(before), 2});
    chart.bars.push_back({"", after, after == 0 ? "dropped" : percent(after), 1});
  }
  return chart;
}

Json to_json(const StageRecord& record, const Tokenizer& tokenizer, int rows) {
  const std::vector<TokenId> tokens = likeliest(record, rows);
  Json stages = Json::array();
  for (const Stage& stage : record.stages()) {
    Json probabilities = Json::array();
    for (const TokenId token : tokens) {
      probabilities.push_back({{"id", to_int(token)},
                               {"token", tokenizer.piece(token)},
                               {"probability", stage.probability[index_of(token)]}});
    }
    stages.push_back({{"operation", stage.operation},
                      {"left", stage.left},
                      {"probabilities", std::move(probabilities)}});
  }
  return {{"chosen", to_int(record.chosen())}, {"stages", std::move(stages)}};
}

}  // namespace quire
