#include "src/text/bpe.h"

#include <functional>
#include <queue>

namespace quire {

// The tokens of one word as a linked list over its bytes, and a heap of the pairs that may merge.
class MergeLoop {
 public:
  MergeLoop(const Bpe& bpe, std::string_view word) : bpe_(bpe) {
    const int size = static_cast<int>(word.size());
    nodes_.reserve(word.size());
    for (int i = 0; i < size; ++i) {
      const auto byte = static_cast<std::uint8_t>(word[static_cast<std::size_t>(i)]);
      nodes_.push_back({bpe.bytes_[byte], i - 1, i + 1 < size ? i + 1 : kNone});
    }
    for (int i = 0; i < size; ++i) propose(i);
  }

  void run() {
    while (!candidates_.empty()) {
      const Candidate best = candidates_.top();
      candidates_.pop();
      const Bpe::Merge* merge = merge_at(best.left);
      // A pair whose left or right token has merged meanwhile is another pair, or none.
      if (merge != nullptr && merge->rank == best.rank) apply(best.left, merge->merged);
    }
  }

  void append_to(std::vector<TokenId>& tokens) const {
    for (int i = nodes_.empty() ? kNone : 0; i != kNone; i = node(i).next) {
      tokens.push_back(node(i).token);
    }
  }

 private:
  static constexpr int kNone = -1;

  struct Node {
    TokenId token;
    int previous, next;
  };

  // A pair by the place of its left token. The lowest rank is on top, the leftmost among equals.
  struct Candidate {
    int rank, left;
    auto operator<=>(const Candidate&) const = default;
  };

  Node& node(int i) { return nodes_[static_cast<std::size_t>(i)]; }
  const Node& node(int i) const { return nodes_[static_cast<std::size_t>(i)]; }

  const Bpe::Merge* merge_at(int left) const {
    const int right = node(left).next;
    return right == kNone ? nullptr : bpe_.find(node(left).token, node(right).token);
  }

  void propose(int left) {
    const Bpe::Merge* merge = merge_at(left);
    if (merge != nullptr) candidates_.push({merge->rank, left});
  }

  // The left token becomes the merged one; the right one leaves the list.
  void apply(int left, TokenId merged) {
    const int right = node(left).next;
    const int after = node(right).next;
    node(left) = {merged, node(left).previous, after};
    node(right).next = kNone;  // what was proposed at the right one is no pair any more
    if (after != kNone) node(after).previous = left;
    if (node(left).previous != kNone) propose(node(left).previous);
    propose(left);
  }

  const Bpe& bpe_;
  std::vector<Node> nodes_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

Bpe::Bpe(const std::array<TokenId, 256>& bytes, std::span<const MergeRule> rules,
         TokensByBytes whole_words)
    : bytes_(bytes), whole_words_(std::move(whole_words)) {
  merges_.reserve(rules.size());
  for (int rank = 0; const MergeRule& rule : rules) {
    merges_[key_of(rule.left, rule.right)] = {rank++, rule.merged};
  }
}

std::uint64_t Bpe::key_of(TokenId left, TokenId right) {
  return static_cast<std::uint64_t>(to_int(left)) << 32 | static_cast<std::uint32_t>(to_int(right));
}

const Bpe::Merge* Bpe::find(TokenId left, TokenId right) const {
  const auto found = merges_.find(key_of(left, right));
  return found == merges_.end() ? nullptr : &found->second;
}

void Bpe::encode(std::string_view word, std::vector<TokenId>& tokens) const {
  if (!whole_words_.empty()) {
    const auto whole = whole_words_.find(std::string(word));
    if (whole != whole_words_.end()) return tokens.push_back(whole->second);
  }
  MergeLoop loop(*this, word);
  loop.run();
  loop.append_to(tokens);
}

}  // namespace quire
