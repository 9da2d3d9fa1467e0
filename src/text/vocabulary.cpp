#include "src/text/vocabulary.h"

#include <algorithm>
#include <cassert>

#include "src/core/error.h"
#include "src/core/json.h"
#include "src/text/byte_level.h"

namespace quire {

void Vocabulary::add(const std::string& spelling, TokenId id) {
  const auto index = static_cast<std::size_t>(to_int(id));
  assert(to_int(id) >= 0 && !spelling.empty());
  entries_.resize(std::max(entries_.size(), index + 1));
  Entry& entry = entries_[index];
  if (entry.taken) fail("id {} belongs to two tokens; one is {}", index, in_quotes(spelling));
  if (!ids_.emplace(spelling, id).second) {
    fail("the token {} has two ids; one is {}", in_quotes(spelling), index);
  }
  entry = {unspell(spelling).value_or(spelling), /*taken=*/true, /*special=*/false};
}

void Vocabulary::mark_special(TokenId id) {
  entries_.at(static_cast<std::size_t>(to_int(id))).special = true;
}

std::optional<TokenId> Vocabulary::id_of(const std::string& spelling) const {
  const auto found = ids_.find(spelling);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const Vocabulary::Entry& Vocabulary::entry(TokenId id) const {
  require(to_int(id) >= 0 && to_int(id) < size(), "token id {} is not in the vocabulary of {}",
          to_int(id), size());
  return entries_[static_cast<std::size_t>(to_int(id))];
}

}  // namespace quire
