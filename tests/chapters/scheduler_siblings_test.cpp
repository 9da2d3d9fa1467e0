// Several samples of requests, in any order: whoever reads a row finds what was written for it, and
// nobody writes into a block that others hold.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>
#include <memory>
#include <tuple>

#include "chapters/09_paged_attention/block_manager.h"
#include "chapters/10_continuous_batching/scheduler.h"

namespace quire::test {
namespace {

struct Request {
  int prompt, generated, samples;
  int steps_before;  // taken before it arrives
  int aborted;       // which of its samples is aborted right then; none if there is no such sample
};

void showValue(const Request& request, std::ostream& out) {
  out << request.samples << " samples of " << request.prompt << " + " << request.generated
      << " tokens after " << request.steps_before << " steps, abort " << request.aborted;
}

// What a row is about: its request, its sample (-1 while all samples are alike) and its position.
using Row = std::tuple<int, int, int>;

class Family {
 public:
  Family(int blocks, int block_size, int budget, int most)
      : manager_(blocks, block_size),
        scheduler_(manager_, {.budget = budget, .max_sequences = most}),
        rows_(static_cast<std::size_t>(blocks * block_size)) {}

  void arrive(const Request& request) {
    if (request.prompt + request.generated - 1 > manager_.capacity()) return;
    const int first = next_;
    for (int sample = 0; sample < request.samples; ++sample) add(request, sample, first);
    ++requests_;
    if (request.aborted < request.samples) end(SequenceId{first + request.aborted});
  }

  void step() {
    const Plan& plan = scheduler_.schedule();
    RC_ASSERT(plan.preempted.empty() || plan.admitted.empty());
    for (const BlockCopy& copy : manager_.take_copies()) copy_block(copy);
    for (const Share& share : plan.shares) check_reads(share);
    for (const Share& share : plan.shares) write(share);
    scheduler_.commit();
    scheduler_.check_invariants();
    manager_.check_invariants();
    shared += plan.shares.size() > 1 && blocks_in_tables() > held_blocks();
    for (const Share& share : std::vector(plan.shares)) know_more(share.sequence);
  }

  void finish_all() {
    int bound = 0;
    for (const auto& [id, member] : members_) bound += member->sequence.max_rows;
    while (!scheduler_.idle()) {
      RC_ASSERT(bound-- > 0);
      step();
    }
    RC_ASSERT(held_blocks() == 0);
  }

  // Steps in which tables shared a block, in all runs together.
  static inline int shared = 0;

 private:
  struct Member {
    Sequence sequence;
    int request, sample;
  };

  void add(const Request& request, int sample, int first) {
    const SequenceId id{next_++};
    auto member = std::make_unique<Member>();
    member->request = requests_;
    member->sample = sample;
    member->sequence = {.id = id,
                        .tokens = std::vector<TokenId>(static_cast<std::size_t>(request.prompt)),
                        .max_rows = request.prompt + request.generated - 1};
    if (sample > 0) member->sequence.sibling = SequenceId{first};
    member->sequence.shared = request.prompt;
    scheduler_.add(member->sequence);
    members_[id] = std::move(member);
  }

  void end(SequenceId id) {
    scheduler_.remove(id);
    members_.erase(id);
  }

  Row row_of(SequenceId id, int position) const {
    const Member& member = *members_.at(id);
    const bool alike = position < member.sequence.shared;
    return {member.request, alike ? -1 : member.sample, position};
  }

  BlockId block_of(SequenceId id, int position) const {
    return manager_.table(id)[static_cast<std::size_t>(position / manager_.block_size())];
  }
  Row& at(SequenceId id, int position) {
    const Slot slot = slot_of(block_of(id, position), manager_.block_size(), position);
    return rows_.at(static_cast<std::size_t>(to_int(slot)));
  }

  void copy_block(const BlockCopy& copy) {
    const Index size = manager_.block_size();
    std::copy_n(rows_.begin() + to_int(copy.from) * size, size,
                rows_.begin() + to_int(copy.to) * size);
  }

  void check_reads(const Share& share) {
    for (int p = 0; p < manager_.stored(share.sequence); ++p) {
      RC_ASSERT(at(share.sequence, p) == row_of(share.sequence, p));
    }
  }

  void write(const Share& share) {
    const int context = manager_.stored(share.sequence);
    for (int p = context; p < context + share.rows; ++p) {
      RC_ASSERT(manager_.pool().references(block_of(share.sequence, p)) == 1);
      at(share.sequence, p) = row_of(share.sequence, p);
    }
  }

  void know_more(SequenceId id) {
    Sequence& sequence = members_.at(id)->sequence;
    if (manager_.stored(id) < sequence.known()) return;
    sequence.tokens.push_back({});
    if (sequence.known() > sequence.max_rows) end(id);
  }

  int held_blocks() const { return manager_.pool().blocks() - manager_.pool().free_blocks(); }
  int blocks_in_tables() const {
    std::size_t count = 0;
    for (const Sequence* s : scheduler_.running()) count += manager_.table(s->id).size();
    return static_cast<int>(count);
  }

  BlockManager manager_;
  Scheduler scheduler_;
  std::vector<Row> rows_;
  std::map<SequenceId, std::unique_ptr<Member>> members_;
  int next_ = 0, requests_ = 0;
};

rc::Gen<Request> any_request() {
  return rc::gen::map(
      rc::gen::tuple(rc::gen::inRange(1, 14), rc::gen::inRange(1, 10), rc::gen::inRange(1, 5),
                     rc::gen::inRange(0, 9), rc::gen::inRange(0, 12)),
      [](const auto& t) {
        return Request{std::get<0>(t), std::get<1>(t), std::get<2>(t), std::get<3>(t),
                       std::get<4>(t)};
      });
}

TEST(SchedulerProperty, SamplesShareRowsAndNeverWriteThoseOfOthers) {
  EXPECT_TRUE(rc::check("every row is read where it was written", [] {
    Family family(*rc::gen::inRange(1, 14), *rc::gen::inRange(1, 6), *rc::gen::inRange(1, 12),
                  *rc::gen::inRange(1, 7));
    for (const Request& request : *rc::gen::container<std::vector<Request>>(any_request())) {
      for (int i = 0; i < request.steps_before; ++i) family.step();
      family.arrive(request);
    }
    family.finish_all();
  }));
  EXPECT_GT(Family::shared, 1000) << "samples that never share show little";
}

}  // namespace
}  // namespace quire::test
