#include "src/text/bpe.h"

#include <algorithm>
#include <limits>
#include <queue>
#include <utility>

#include "src/core/error.h"
#include "src/text/utf8.h"

namespace quire {

// The tokens of one word as a linked list over its symbols, and a heap of the pairs that may merge.
class MergeLoop {
 public:
  explicit MergeLoop(const Bpe& bpe) : bpe_(bpe) {}

  // [start]
  // Begins a word; the last one must be done, which leaves no candidates.
  void start(std::span<const TokenId> symbols) {
    nodes_.clear();
    const int size = static_cast<int>(symbols.size());
    for (int i = 0; i < size; ++i) {
      nodes_.push_back({symbols[static_cast<std::size_t>(i)], i - 1, i + 1 < size ? i + 1 : kNone});
    }
    for (int i = 0; i < size; ++i) propose(i);
  }
  // [start]

  // [step]
  // Merges the best pair and returns the rank of its rule; none if no rule applies any more.
  std::optional<int> step() {
    // exercise 01.1 begin: Take candidates out of the heap until one is still a pair, and merge it.
    while (!candidates_.empty()) {
      const Candidate best = candidates_.top();
      candidates_.pop();
      const Merge* merge = merge_at(best.left);
      // A pair whose left or right token has merged meanwhile is another pair, or none.
      if (merge == nullptr || merge->rank != best.rank) continue;
      join(best.left, merge->merged);
      return best.rank;
    }
    return std::nullopt;
    // exercise 01.1 end
  }
  // [step]

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

  // The rule for the token at a place and the one after it, if there are both.
  const Merge* merge_at(int left) const {
    const int right = node(left).next;
    return right == kNone ? nullptr : bpe_.merges_.find(node(left).token, node(right).token);
  }

  // [join]
  void propose(int left) {
    // exercise 01.2 begin: If a rule merges the pair at this place, the pair becomes a candidate.
    const Merge* merge = merge_at(left);
    if (merge != nullptr) candidates_.push({merge->rank, left});
    // exercise 01.2 end
  }

  // The left token of a pair becomes the merged one; the right one leaves the list.
  void join(int left, TokenId merged) {
    const int right = node(left).next;
    const int after = node(right).next;
    // exercise 01.3 begin: Link the list anew, and propose the pairs that the merged token is in.
    node(left) = {merged, node(left).previous, after};
    node(right).next = kNone;  // what was proposed at the right one is no pair any more
    if (after != kNone) node(after).previous = left;
    if (node(left).previous != kNone) propose(node(left).previous);
    propose(left);
    // exercise 01.3 end
  }
  // [join]

  const Bpe& bpe_;
  std::vector<Node> nodes_;
  std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> candidates_;
};

namespace {

// The symbols that tokens begin with, or end with, by the rules that make them.
class Ends {
 public:
  Ends(std::span<const MergeRule> rules, TokenId MergeRule::*side) {
    part_.reserve(rules.size());
    for (const MergeRule& rule : rules) part_.emplace(rule.merged, rule.*side);
  }

  TokenId of(TokenId token) {
    TokenId end = token;
    for (auto found = part_.find(end); found != part_.end(); found = part_.find(end)) {
      end = found->second;
    }
    // Shortens the way for whoever asks next.
    while (token != end) token = std::exchange(part_.at(token), end);
    return end;
  }

 private:
  std::unordered_map<TokenId, TokenId> part_;
};

}  // namespace

void Symbols::append(std::string_view word, std::vector<TokenId>& tokens) const {
  bool after_unknown = false;
  while (!word.empty()) {
    const Utf8Unit unit = characters.empty() ? Utf8Unit{Utf8Kind::invalid, 0, 1} : first_unit(word);
    const auto known =
        unit.kind == Utf8Kind::character ? characters.find(unit.code) : characters.end();
    if (known != characters.end()) {
      tokens.push_back(known->second);
    } else if (!unknown) {
      for (const char byte : word.substr(0, unit.bytes)) {
        const std::optional<TokenId> token = bytes[static_cast<unsigned char>(byte)];
        if (token) tokens.push_back(*token);
      }
    } else if (!after_unknown || !fuse_unknown) {
      tokens.push_back(*unknown);
    }
    after_unknown = known == characters.end();
    word.remove_prefix(unit.bytes);
  }
}

Bpe::Bpe(Symbols symbols, std::span<const MergeRule> rules, TokensByBytes whole_words)
    : symbols_(std::move(symbols)),
      merges_(rules.size()),
      joints_(rules.size()),
      whole_words_(std::move(whole_words)) {
  Ends first(rules, &MergeRule::left), last(rules, &MergeRule::right);
  for (int rank = 0; const MergeRule& rule : rules) {
    merges_.set({rule.left, rule.right, rank++, rule.merged});
    joints_.set({last.of(rule.left), first.of(rule.right), 0, rule.merged});
  }
}

// [seam]
// How many symbols there are up to the first place that no merge ever lies across: no rule has a
// left token that ends as the text does before it and a right one that begins as it does after it.
std::size_t Bpe::until_seam(std::span<const TokenId> symbols) const {
  std::size_t size = 1;
  while (size < symbols.size() && joints_.find(symbols[size - 1], symbols[size]) != nullptr) {
    ++size;
  }
  return size;
}

void Bpe::encode(std::string_view word, std::vector<TokenId>& tokens) const {
  require(word.size() < static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()),
          "a word of {} bytes is too long to encode", word.size());
  if (!whole_words_.empty()) {
    const auto whole = whole_words_.find(std::string(word));
    if (whole != whole_words_.end()) return tokens.push_back(whole->second);
  }
  std::vector<TokenId> symbols;
  symbols_.append(word, symbols);
  MergeLoop loop(*this);
  for (std::span<const TokenId> rest = symbols; !rest.empty();) {
    const std::size_t size = until_seam(rest);
    loop.start(rest.first(size));
    while (loop.step()) {
    }
    loop.append_to(tokens);
    rest = rest.subspan(size);
  }
}
// [seam]

bool Bpe::begins_words(TokenId symbol) const {
  const std::vector<Merge>& joints = joints_.places();
  return whole_words_.empty() &&
         std::none_of(joints.begin(), joints.end(), [&](const Merge& joint) {
           return joint.right == symbol && joint.left != symbol;
         });
}

void Bpe::explain(std::string_view word,
                  const std::function<void(const MergeEvent&)>& on_merge) const {
  if (whole_words_.contains(std::string(word))) return;
  std::vector<TokenId> tokens;
  symbols_.append(word, tokens);
  MergeLoop loop(*this);
  loop.start(tokens);
  while (const std::optional<int> rank = loop.step()) {
    tokens.clear();
    loop.append_to(tokens);
    on_merge({*rank, tokens});
  }
}

}  // namespace quire
