#include "src/text/added_tokens.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "src/text/unicode.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

bool is_word(const Utf8Unit& unit) {
  return unit.kind == Utf8Kind::character && is_word_character(unit.code);
}

bool is_space(const Utf8Unit& unit) {
  return unit.kind == Utf8Kind::character && kind_of(unit.code) == CharacterKind::space;
}

bool stands_alone(std::string_view before, std::string_view after) {
  return !is_word(last_unit(before)) && (after.empty() || !is_word(first_unit(after)));
}

std::size_t spaces_at_end(std::string_view text) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Utf8Unit unit = last_unit(text.substr(0, text.size() - bytes));
    if (!is_space(unit)) break;
    bytes += unit.bytes;
  }
  return bytes;
}

std::size_t spaces_at_beginning(std::string_view text) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const Utf8Unit unit = first_unit(text.substr(bytes));
    if (!is_space(unit)) break;
    bytes += unit.bytes;
  }
  return bytes;
}

std::vector<AddedToken> those_of_pass(const std::vector<AddedToken>& tokens, bool normalized,
                                      const std::vector<NormalizerStep>& normalizer = {}) {
  std::vector<AddedToken> chosen;
  for (AddedToken token : tokens) {
    if (token.normalized != normalized) continue;
    token.text = normalize(std::move(token.text), normalizer);
    chosen.push_back(std::move(token));
  }
  return chosen;
}

}  // namespace

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens,
                         std::vector<NormalizerStep> normalizer)
    : normalizer_(std::move(normalizer)),
      plain_(those_of_pass(tokens, false)),
      normalized_(those_of_pass(tokens, true, normalizer_)) {}

std::vector<Fragment> AddedTokens::split(std::string_view text, bool parse_special) const {
  std::vector<Fragment> first_pass, fragments;
  plain_.split(text, parse_special, first_pass);
  for (Fragment& fragment : first_pass) {
    if (fragment.token) {
      fragments.push_back(std::move(fragment));
    } else {
      normalized_.split(normalize(std::move(fragment.text), normalizer_), parse_special, fragments);
    }
  }
  return fragments;
}

AddedTokens::Pass::Pass(std::vector<AddedToken> tokens) : tokens_(std::move(tokens)) {
  std::stable_sort(tokens_.begin(), tokens_.end(),
                   [](const AddedToken& a, const AddedToken& b) { return a.text < b.text; });
  for (const AddedToken& token : tokens_) {
    assert(!token.text.empty());
    first_bytes_.set(static_cast<unsigned char>(token.text[0]));
  }
}

void AddedTokens::Pass::split(std::string_view text, bool parse_special,
                              std::vector<Fragment>& fragments) const {
  std::size_t begin = 0;  // of the text since the last token found
  const auto add_text_until = [&](std::size_t end) {
    if (begin < end) fragments.push_back({std::string(text.substr(begin, end - begin)), {}});
  };
  for (std::size_t at = 0; at < text.size();) {
    const AddedToken* token = longest_at(text.substr(at));
    std::size_t from = at;
    at += token != nullptr ? token->text.size() : 1;
    // A token that stays text still hides what begins within it.
    if (token == nullptr || (token->special && !parse_special)) continue;
    if (token->single_word && !stands_alone(text.substr(0, from), text.substr(at))) continue;
    if (token->lstrip && begin < from) from -= spaces_at_end(text.substr(begin, from - begin));
    add_text_until(from);
    begin = token->rstrip ? at + spaces_at_beginning(text.substr(at)) : at;
    fragments.push_back({std::string(text.substr(from, begin - from)), token->id});
  }
  add_text_until(text.size());
}

// Narrows the tokens down to those that begin as the text does, byte by byte. The shortest of them
// comes first, so a token that ends here is found there.
const AddedToken* AddedTokens::Pass::longest_at(std::string_view text) const {
  if (!first_bytes_.test(static_cast<unsigned char>(text[0]))) return nullptr;
  const AddedToken* longest = nullptr;
  auto begin = tokens_.begin(), end = tokens_.end();
  for (std::size_t i = 0; i < text.size() && begin != end; ++i) {
    const int wanted = static_cast<unsigned char>(text[i]);
    const auto byte = [i](const AddedToken& token) {
      return i < token.text.size() ? int{static_cast<unsigned char>(token.text[i])} : -1;
    };
    begin = std::partition_point(begin, end, [&](const auto& t) { return byte(t) < wanted; });
    end = std::partition_point(begin, end, [&](const auto& t) { return byte(t) == wanted; });
    if (begin != end && begin->text.size() == i + 1) longest = &*begin;
  }
  return longest;
}

}  // namespace quire
