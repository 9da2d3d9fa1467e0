#include "src/text/vocabulary.h"

#include <algorithm>
#include <cassert>

#include "src/core/error.h"
#include "src/core/json.h"
#include "src/text/byte_fallback.h"
#include "src/text/byte_level.h"

namespace quire {
namespace {

std::string read_spelling(const std::string& spelling, Alphabet alphabet, std::string_view where) {
  if (alphabet == Alphabet::byte_level) return unspell(spelling).value_or(spelling);
  std::optional<std::string> bytes = read_fallback(spelling);
  require(bytes.has_value(), "{}: {} is a malformed byte piece; they are <0x00> to <0xFF>", where,
          in_quotes(spelling));
  return *std::move(bytes);
}

}  // namespace

void Vocabulary::add(const std::string& spelling, TokenId id, std::string_view where) {
  const auto index = static_cast<std::size_t>(to_int(id));
  assert(to_int(id) >= 0 && !spelling.empty());
  entries_.resize(std::max(entries_.size(), index + 1));
  Entry& entry = entries_[index];
  if (entry.taken) {
    fail("{}: id {} belongs to two tokens, {} and {}", where, index, in_quotes(spelling_of(id)),
         in_quotes(spelling));
  }
  const auto [known, is_new] = ids_.emplace(spelling, id);
  require(is_new, "{}: the token {} has two ids, {} and {}", where, in_quotes(spelling),
          to_int(known->second), index);
  entry = {read_spelling(spelling, alphabet_, where), /*taken=*/true, /*special=*/false};
}

void Vocabulary::mark_special(TokenId id) {
  entries_.at(static_cast<std::size_t>(to_int(id))).special = true;
}

std::optional<TokenId> Vocabulary::id_of(const std::string& spelling) const {
  const auto found = ids_.find(spelling);
  return found == ids_.end() ? std::nullopt : std::optional(found->second);
}

const Vocabulary::Entry& Vocabulary::entry(TokenId id) const {
  static const Entry kPadding{};
  require(to_int(id) >= 0, "token id {} is not in the vocabulary: ids begin at 0", to_int(id));
  return to_int(id) < size() ? entries_[static_cast<std::size_t>(to_int(id))] : kPadding;
}

std::string_view Vocabulary::spelling_of(TokenId id) const {
  const auto found = std::find_if(ids_.begin(), ids_.end(),
                                  [id](const auto& token) { return token.second == id; });
  return found == ids_.end() ? std::string_view{} : found->first;
}

}  // namespace quire
