#include "src/text/stop_matcher.h"

#include <algorithm>
#include <utility>

#include "src/core/error.h"
#include "src/core/json.h"
#include "src/text/utf8.h"

namespace quire {

// [pattern]
StopMatcher::Pattern::Pattern(std::string stop) : text(std::move(stop)), shorter(text.size(), 0) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    std::size_t length = shorter[i - 1];
    while (length > 0 && text[length] != text[i]) length = shorter[length - 1];
    shorter[i] = text[length] == text[i] ? length + 1 : 0;
  }
}

bool StopMatcher::Pattern::advance(char byte) {
  while (matched > 0 && text[matched] != byte) matched = shorter[matched - 1];
  if (text[matched] == byte) ++matched;
  return matched == text.size();
}
// [pattern]

StopMatcher::StopMatcher(const std::vector<std::string>& stops) {
  for (const std::string& stop : stops) {
    require(!stop.empty(), "a stop string is empty, expected at least one character");
    require(to_valid_utf8(stop) == stop, "the stop string {} is not valid UTF-8", in_quotes(stop));
    patterns_.emplace_back(stop);
  }
}

std::size_t StopMatcher::advance(char byte) {
  std::size_t longest = 0;
  for (Pattern& pattern : patterns_) {
    if (pattern.advance(byte)) longest = std::max(longest, pattern.text.size());
  }
  return longest;
}

std::size_t StopMatcher::held() const {
  std::size_t bytes = 0;
  for (const Pattern& pattern : patterns_) bytes = std::max(bytes, pattern.matched);
  return bytes;
}

// [push]
std::string StopMatcher::push(std::string_view piece) {
  for (const char byte : piece) {
    if (stopped_) return {};
    pending_ += byte;
    if (const std::size_t match = advance(byte); match > 0) {
      stopped_ = true;
      pending_.resize(pending_.size() - match);
      return std::exchange(pending_, {});
    }
  }
  std::string certain = pending_.substr(0, pending_.size() - held());
  pending_.erase(0, certain.size());
  return certain;
}
// [push]

std::string StopMatcher::finish() {
  return std::exchange(pending_, {});
}

}  // namespace quire
