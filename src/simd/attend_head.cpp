#include "src/simd/attend_head.h"

#include <limits>
#include <utility>

#include "src/simd/exp.h"
#include "src/simd/keys_and_values.h"

namespace quire::simd {
namespace {

constexpr float kNothing = -std::numeric_limits<float>::infinity();

// What a row of queries knows after some blocks of keys.
struct Running {
  float top;  // the greatest score
  float sum;  // of the exponentials of scores, less the greatest
};

// Turns a row's scores of a block into weights. Of its kKeys scores those in [begin, end) count.
// Returns by what everything summed before is to be multiplied.
float add_block(float* scores, Index begin, Index end, Running& running) {
  std::fill(scores, scores + begin, kNothing);
  std::fill(scores + end, scores + kKeys, kNothing);
  Vec tops = splat(running.top);
  for (Index i = 0; i < kKeys; i += kLanes) tops = greater_of(load(scores + i), tops);
  float top = running.top;
  for (int lane = 0; lane < kLanes; ++lane) top = std::max(top, tops[lane]);
  // If all scores are minus infinity, their exponentials are 0.
  const Vec shift = splat(top == kNothing ? 0.0f : top);
  const float scale = exp(splat(running.top) - shift)[0];
  Vec sum{};
  for (Index i = 0; i < kKeys; i += kLanes) {
    const Vec weights = exp(load(scores + i) - shift);
    store(weights, scores + i);
    sum += weights;
  }
  running = {top, running.sum * scale + sum_of(sum)};
  return scale;
}

void multiply_row(float* x, Index n, float factor) {
  for_each_vector(n,
                  [&](Index i, Index lanes) { store(load(x + i, lanes) * factor, x + i, lanes); });
}

// One job. Query i is head i % group of row i / group.
class Job {
 public:
  Job(const AttendArguments& arguments, const AttendJob& job, float* scratch)
      : a_(arguments),
        job_(job),
        span_(a_.view->spans[job.span]),
        group_(a_.group()),
        head_dim_(a_.head_dim()),
        queries_(job.rows * group_),
        keys_(a_.view->k, *a_.view, job.span, job.kv_head),
        values_(a_.view->v, *a_.view, job.span, job.kv_head) {
    const auto take = [&](Index floats) { return std::exchange(scratch, scratch + floats); };
    q_ = take(queries_ * head_dim_);
    out_ = take(queries_ * head_dim_);
    scores_ = take(queries_ * kKeys);
    panels_ = take(panel_scratch(head_dim_));
    running_ = reinterpret_cast<Running*>(take(2 * queries_));
  }

  void run() {
    begin();
    const Index last = position(job_.rows - 1);
    for (Index block = first_seen(0) / kKeys; block <= last / kKeys; ++block) {
      const Index base = block * kKeys;
      add_keys(base, std::max(base, first_seen(0)), std::min(base + kKeys, last + 1));
    }
    finish();
  }

 private:
  int position(int row) const { return span_.position(job_.first_row + row); }
  Index first_seen(int row) const { return a_.mask->first_visible(position(row)); }

  // The elements of query i in a tensor of the call.
  Index offset(Index i) const {
    const Index row = span_.first_row + job_.first_row + i / group_;
    return (row * a_.q.extent(1) + job_.kv_head * group_ + i % group_) * head_dim_;
  }

  void begin() {
    const float* q = a_.q.values<float>().data();
    for (Index i = 0; i < queries_; ++i) {
      float* query = q_ + i * head_dim_;
      std::copy_n(q + offset(i), head_dim_, query);
      multiply_row(query, head_dim_, a_.mask->scale);
      running_[i] = {kNothing, 0};
    }
    std::fill_n(out_, queries_ * head_dim_, 0.0f);
  }

  // [add_keys]
  // The keys at positions [begin, end), all in the block of positions that begins at `base`.
  void add_keys(Index base, Index begin, Index end) {
    const bool in_place = job_.rows == 1 && values_.is_in_panels();
    keys_.pack_keys(base, begin, end, panels_);
    if (in_place) values_.prefetch_rows(begin, end);
    multiply(Product<F32Panels>{.x = {q_, head_dim_},
                                .weights = {panels_, panel_size<F32Panels>(head_dim_)},
                                .out = {scores_, kKeys},
                                .rows = queries_,
                                .inputs = head_dim_,
                                .outputs = panels_of(end - base) * kPanel});
    if (!in_place) values_.pack_values(base, begin, end, panels_);
    for (int row = 0; row < job_.rows; ++row) weigh(row, base, begin, end);
    if (in_place) return add_values_in_place(base, begin, end);
    const bool all = first_seen(job_.rows - 1) <= begin && position(0) + 1 >= end;
    if (all) return add_values(0, job_.rows, begin - base, end - base);
    for (int row = 0; row < job_.rows; ++row) {
      const Index first = std::max(begin, first_seen(row)), last = std::min(end, seen_end(row));
      if (first < last) add_values(row, 1, first - base, last - base);
    }
  }
  // [add_keys]

  Index seen_end(int row) const { return position(row) + 1; }

  // Makes weights of the scores of one row's queries.
  void weigh(int row, Index base, Index begin, Index end) {
    const Index first = std::max(begin, first_seen(row)), last = std::min(end, seen_end(row));
    if (first >= last) return;
    for (Index i = row * group_; i < (row + 1) * group_; ++i) {
      const float scale = add_block(scores_ + i * kKeys, first - base, last - base, running_[i]);
      if (scale != 1.0f) multiply_row(out_ + i * head_dim_, head_dim_, scale);
    }
  }

  // Adds weights times values of a single row: each value is used at once, where it lies, since a copy
  // would cost as much as its use. The next block's keys are on their way meanwhile.
  void add_values_in_place(Index base, Index begin, Index end) {
    keys_.prefetch_rows(end, std::min<Index>(end + kKeys, seen_end(0)));
    const RowAddresses values = values_.addresses(begin, end);
    multiply(Product<ScatteredRows>{.x = {scores_ + begin - base, kKeys},
                                    .weights = {values.data()},
                                    .out = {out_, head_dim_},
                                    .rows = group_,
                                    .inputs = end - begin,
                                    .outputs = head_dim_,
                                    .begin = Begin::where_left});
  }

  // Adds weights times values, keys [begin, end) of the block, for some rows.
  void add_values(int row, int rows, Index begin, Index end) {
    const Index query = row * group_;
    multiply(Product<F32Panels>{.x = {scores_ + query * kKeys + begin, kKeys},
                                .weights = {panels_ + begin * kPanel, kKeys * kPanel},
                                .out = {out_ + query * head_dim_, head_dim_},
                                .rows = rows * group_,
                                .inputs = end - begin,
                                .outputs = head_dim_,
                                .begin = Begin::where_left});
  }

  void finish() {
    float* out = a_.out.values<float>().data();
    for (Index i = 0; i < queries_; ++i) {
      const Vec sum = splat(running_[i].sum);
      for_each_vector(head_dim_, [&](Index d, Index lanes) {
        store(load(out_ + i * head_dim_ + d, lanes) / sum, out + offset(i) + d, lanes);
      });
    }
  }

  const AttendArguments& a_;
  const AttendJob& job_;
  const Span& span_;
  Index group_, head_dim_, queries_;
  StoredHead keys_, values_;
  float *q_, *out_, *scores_, *panels_;
  Running* running_;
};

}  // namespace

Index attend_scratch(const AttendArguments& arguments) {
  const Index queries = rows_of_job(arguments.group()) * arguments.group();
  return queries * (2 * arguments.head_dim() + kKeys + 2) + panel_scratch(arguments.head_dim());
}

void attend_job(const AttendArguments& arguments, const AttendJob& job, float* scratch) {
  Job(arguments, job, scratch).run();
}

}  // namespace quire::simd
