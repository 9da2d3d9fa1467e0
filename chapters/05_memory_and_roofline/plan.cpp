#include "chapters/05_memory_and_roofline/plan.h"

#include <algorithm>
#include <set>

#include "chapters/05_memory_and_roofline/exact.h"
#include "src/core/error.h"

namespace quire {
namespace {

using u64 = std::uint64_t;

u64 window_of(const Plan& plan) {
  return static_cast<u64>(plan.shape.config.window);
}

// The tokens of a sequence that attention still sees.
u64 seen(const Plan& plan, u64 length) {
  return window_of(plan) == 0 ? length : std::min(length, window_of(plan));
}

u64 allocated(const Plan& plan, u64 length) {
  return exact_product(
      {tokens_kept(length, plan.request.block_size, window_of(plan)), plan.kv_per_token});
}

void add_up_memory(Plan& plan) {
  for (const u64 length : plan.request.lengths) {
    plan.kv_bytes =
        exact_sum({plan.kv_bytes, exact_product({seen(plan, length), plan.kv_per_token})});
    plan.kv_allocated = exact_sum({plan.kv_allocated, allocated(plan, length)});
  }
  const u64 sequences = plan.request.lengths.size();
  plan.kv_padded = exact_product({sequences, allocated(plan, plan.request.longest())});
  const u64 taken = exact_sum({plan.weights.total(), plan.request.reserved});
  if (taken > plan.request.card.memory) return;
  plan.free = plan.request.card.memory - taken;
  plan.fits = plan.kv_allocated <= *plan.free;
  plan.longest = longest_that_fits(*plan.free, sequences, plan.kv_per_token,
                                   plan.request.block_size, window_of(plan));
}

LengthRow row_of(const Plan& plan, u64 length) {
  const u64 bytes = allocated(plan, length);
  return {
      .length = length,
      .kv_bytes = exact_product({seen(plan, length), plan.kv_per_token}),
      .kv_allocated = bytes,
      .sequences = plan.free.value_or(0) / bytes,
      .batch = compute_bound_batch(plan.shape, plan.request.formats, plan.request.card, length)};
}

std::vector<LengthRow> lengths_of(const Plan& plan) {
  std::set<u64> lengths = {1024, 2048, 4096, 8192, 16384, plan.request.longest()};
  std::vector<LengthRow> rows;
  for (const u64 length : lengths) rows.push_back(row_of(plan, length));
  return rows;
}

StepRow step_row(const Plan& plan, const char* phase, const std::vector<EqualSpans>& spans) {
  StepRow row{.phase = phase};
  u64 bytes = 0;
  for (const EqualSpans& span : spans) {
    const u64 length = exact_sum({span.context, span.rows});
    row.sequences += span.sequences;
    row.length = std::max(row.length, length);
    bytes = exact_sum({bytes, exact_product({span.sequences, allocated(plan, length)})});
  }
  row.cost = step_cost(plan.shape, plan.request.formats, spans);
  row.time = time_of(row.cost, plan.request.card);
  row.fits = plan.free.has_value() && bytes <= *plan.free;
  return row;
}

// The sequences that were asked for, as one step that feeds all of each or its last token.
std::vector<EqualSpans> asked(const PlanRequest& request, bool prefill) {
  std::vector<EqualSpans> spans;
  for (const u64 length : request.lengths) {
    EqualSpans span{.sequences = 1, .context = length - 1, .rows = 1};
    if (prefill) span = {.sequences = 1, .context = 0, .rows = length};
    spans.push_back(span);
  }
  return spans;
}

std::vector<StepRow> steps_of(const Plan& plan) {
  std::vector<StepRow> rows;
  rows.push_back(step_row(plan, "prefill", asked(plan.request, true)));
  rows.push_back(step_row(plan, "decode", asked(plan.request, false)));
  const u64 asked_for = plan.request.lengths.size();
  for (const u64 sequences : {1, 4, 16, 64, 256}) {
    if (sequences == asked_for && !plan.request.ragged()) continue;
    const EqualSpans span{.sequences = sequences, .context = plan.request.longest() - 1, .rows = 1};
    rows.push_back(step_row(plan, "decode", {span}));
  }
  return rows;
}

}  // namespace

std::uint64_t PlanRequest::longest() const {
  return *std::max_element(lengths.begin(), lengths.end());
}

bool PlanRequest::ragged() const {
  return std::any_of(lengths.begin(), lengths.end(),
                     [&](u64 length) { return length != lengths.front(); });
}

Plan make_plan(const PlanRequest& request) {
  require(!request.lengths.empty(), "a plan needs at least one sequence");
  Plan plan{.request = request, .shape = rank_of(request.shape, request.ranks)};
  plan.parameters = parameters_of(plan.shape);
  plan.weights = weight_bytes_of(plan.shape, request.formats);
  plan.kv_per_token = kv_bytes_per_token(plan.shape, request.formats.kv);
  add_up_memory(plan);
  plan.lengths = lengths_of(plan);
  plan.steps = steps_of(plan);
  plan.prompt = compute_bound_prompt(plan.shape, request.formats, request.card);
  return plan;
}

}  // namespace quire
