#include "src/kv/step.h"

#include <gtest/gtest.h>

#include "tests/support/errors.h"

namespace quire::test {
namespace {

const std::vector<TokenId> kKnown = {TokenId{7}, TokenId{8}, TokenId{9}};
constexpr SequenceId kSequence{4};

TEST(CloseTheGap, WithoutACacheEverythingKnownIsComputed) {
  const Step step = close_the_gap(kSequence, kKnown, 0);
  EXPECT_EQ(step.tokens, kKnown);
  ASSERT_EQ(step.spans.size(), 1u);
  EXPECT_EQ(step.spans[0].sequence, kSequence);
  EXPECT_EQ(step.spans[0].first_row, 0);
  EXPECT_EQ(step.spans[0].rows, 3);
  EXPECT_EQ(step.spans[0].context, 0);
  EXPECT_EQ(step.logits_rows, std::vector<int>{2});
}

TEST(CloseTheGap, WhatIsStoredIsContextAndNotComputedAgain) {
  const Step step = close_the_gap(kSequence, kKnown, 2);
  EXPECT_EQ(step.tokens, std::vector<TokenId>{TokenId{9}});
  EXPECT_EQ(step.spans[0].rows, 1);
  EXPECT_EQ(step.spans[0].context, 2);
  EXPECT_EQ(step.spans[0].position(0), 2) << "a row's position counts what was stored before";
  EXPECT_EQ(step.logits_rows, std::vector<int>{0});
}

TEST(CloseTheGap, GivesAWellFormedStep) {
  for (const int stored : {0, 1, 2}) {
    EXPECT_NO_THROW(check(close_the_gap(kSequence, kKnown, stored)));
  }
}

TEST(CloseTheGap, AStepWithNothingToComputeIsRefused) {
  expect_error([] { close_the_gap(kSequence, kKnown, 3); }, {"3 known", "3 stored"});
  expect_error([] { close_the_gap(kSequence, kKnown, 4); }, {"3 known", "4 stored"});
  expect_error([] { close_the_gap(kSequence, {}, 0); }, {"0 known"});
  expect_error([] { close_the_gap(kSequence, kKnown, -1); }, {"-1 stored"});
}

// Two sequences of two and one rows; logits are wanted of each one's last.
Step two_spans() {
  Step step;
  step.tokens = kKnown;
  step.spans = {{.sequence = SequenceId{0}, .first_row = 0, .rows = 2, .context = 0},
                {.sequence = SequenceId{1}, .first_row = 2, .rows = 1, .context = 9}};
  step.logits_rows = {1, 2};
  return step;
}

// Checks a step that was broken in one place.
template <class Break>
void expect_refused(Break break_it, std::initializer_list<std::string_view> parts) {
  Step step = two_spans();
  EXPECT_NO_THROW(check(step)) << "the step is right before it is broken";
  break_it(step);
  expect_error([&] { check(step); }, parts);
}

TEST(CheckStep, SpansCoverTheRowsInOrder) {
  expect_refused([](Step& s) { s.spans[1].first_row = 1; }, {"sequence 1", "row 1", "expected 2"});
  expect_refused([](Step& s) { std::swap(s.spans[0], s.spans[1]); }, {"row 2", "expected 0"});
  expect_refused([](Step& s) { s.tokens.pop_back(); }, {"cover 3 rows", "has 2"});
  expect_refused([](Step& s) { s.spans.pop_back(); }, {"cover 2 rows", "has 3"});
}

TEST(CheckStep, NoSpanIsEmptyAndNoContextNegative) {
  expect_refused([](Step& s) { s.spans[0].rows = 0; }, {"sequence 0", "0 rows"});
  expect_refused([](Step& s) { s.spans[1].context = -1; }, {"sequence 1", "-1"});
}

TEST(CheckStep, RowsThatWantLogitsExistAndAscend) {
  expect_refused([](Step& s) { s.logits_rows = {1, 3}; }, {"row 3", "below 3"});
  expect_refused([](Step& s) { s.logits_rows = {2, 1}; }, {"row 1 after row 2"});
  expect_refused([](Step& s) { s.logits_rows = {1, 1}; }, {"row 1 after row 1"});
  expect_refused([](Step& s) { s.logits_rows = {-1}; }, {"row -1"});
}

TEST(CheckStep, AStepNeedNotWantLogits) {
  Step step = two_spans();
  step.logits_rows.clear();
  EXPECT_NO_THROW(check(step));
}

}  // namespace
}  // namespace quire::test
