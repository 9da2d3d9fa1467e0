#include "chapters/08_static_batching/static_batch.h"

#include <algorithm>

#include "src/core/error.h"

namespace quire {

StaticBatch::StaticBatch(KvManager& manager, const BatchLimits& limits)
    : manager_(manager), limits_(limits) {
  require(limits.budget >= 1, "a step of {} rows computes nothing; at least 1", limits.budget);
  require(limits.max_sequences >= 1, "a batch of {} sequences is empty; at least 1",
          limits.max_sequences);
}

StaticBatch::~StaticBatch() {
  for (const BatchMember& member : members_) manager_.release(member.sequence);
}

bool StaticBatch::add(SequenceId sequence, std::span<const TokenId> prompt, int limit) {
  const int tokens = static_cast<int>(prompt.size());
  require(tokens >= 1 && limit >= 1,
          "a prompt of {} tokens and at most {} new ones; at least 1 each", tokens, limit);
  // A decode step feeds a row for every member.
  const int most = std::min(limits_.max_sequences, limits_.budget);
  if (static_cast<int>(members_.size()) == most) return false;
  if (!manager_.open(sequence, prompt, tokens + limit - 1)) return false;
  members_.push_back({.sequence = sequence, .prompt = tokens, .limit = limit});
  return true;
}

// [next]
std::vector<BatchShare> StaticBatch::next() {
  if (all_finished()) return {};
  std::vector<BatchShare> shares = prompt_shares();
  if (shares.empty()) shares = decode_shares();
  for (const BatchShare& share : shares) {
    const SequenceId sequence = members_[share.member].sequence;
    if (share.idle) manager_.truncate(sequence, manager_.stored(sequence) - share.rows);
    require(manager_.reserve(sequence, share.rows), "sequence {} has no room for {} rows",
            to_int(sequence), share.rows);
  }
  return shares;
}

// What prompts lack, in their order, up to the budget.
std::vector<BatchShare> StaticBatch::prompt_shares() const {
  std::vector<BatchShare> shares;
  int left = limits_.budget;
  for (std::size_t i = 0; i < members_.size() && left > 0; ++i) {
    const int missing = members_[i].prompt - manager_.stored(members_[i].sequence);
    const int rows = std::min(missing, left);
    if (rows > 0) shares.push_back({.member = i, .rows = rows});
    left -= std::max(rows, 0);
  }
  return shares;
}

// One row for everybody, whether anybody needs it or not.
std::vector<BatchShare> StaticBatch::decode_shares() const {
  std::vector<BatchShare> shares;
  for (std::size_t i = 0; i < members_.size(); ++i) {
    shares.push_back({.member = i, .rows = 1, .idle = members_[i].finished});
  }
  return shares;
}
// [next]

void StaticBatch::commit(std::span<const BatchShare> shares) {
  for (const BatchShare& share : shares) {
    manager_.commit(members_[share.member].sequence, share.rows);
  }
}

bool StaticBatch::gives_token(const BatchShare& share) const {
  const BatchMember& member = members_[share.member];
  return !share.idle && manager_.stored(member.sequence) == member.known();
}

void StaticBatch::know(std::size_t member, bool ends) {
  BatchMember& ours = members_[member];
  ++ours.generated;
  ours.finished = ends || ours.generated == ours.limit;
}

std::vector<SequenceId> StaticBatch::finished() const {
  std::vector<SequenceId> sequences;
  for (const BatchMember& member : members_) {
    if (member.finished) sequences.push_back(member.sequence);
  }
  return sequences;
}

bool StaticBatch::all_finished() const {
  return std::all_of(members_.begin(), members_.end(),
                     [](const BatchMember& member) { return member.finished; });
}

}  // namespace quire
