#include "src/text/added_tokens.h"

#include <cassert>

namespace quire {

AddedTokens::AddedTokens(const std::vector<AddedToken>& tokens) {
  for (const AddedToken& token : tokens) (token.normalized ? normalized_ : plain_).add(token);
}

std::vector<Fragment> AddedTokens::split(std::string_view text, bool parse_special) const {
  std::vector<Fragment> first_pass, fragments;
  plain_.split(text, parse_special, first_pass);
  for (const Fragment& fragment : first_pass) {
    if (fragment.token) {
      fragments.push_back(fragment);
    } else {
      normalized_.split(fragment.text, parse_special, fragments);
    }
  }
  return fragments;
}

void AddedTokens::Pass::add(const AddedToken& token) {
  assert(!token.text.empty());
  const std::size_t bytes = token.text.size();
  by_length_[bytes].emplace(token.text, Match{token.id, token.special, bytes});
  first_bytes_.set(static_cast<unsigned char>(token.text[0]));
}

void AddedTokens::Pass::split(std::string_view text, bool parse_special,
                              std::vector<Fragment>& fragments) const {
  std::size_t begin = 0;  // of the text since the last token found
  for (std::size_t at = 0; at < text.size();) {
    const std::optional<Match> match = longest_at(text.substr(at));
    // A special token that stays text still hides what begins within it.
    if (match && (parse_special || !match->special)) {
      if (begin < at) fragments.push_back({text.substr(begin, at - begin), std::nullopt});
      fragments.push_back({text.substr(at, match->bytes), match->id});
      begin = at + match->bytes;
    }
    at += match ? match->bytes : 1;
  }
  if (begin < text.size()) fragments.push_back({text.substr(begin), std::nullopt});
}

std::optional<AddedTokens::Match> AddedTokens::Pass::longest_at(std::string_view text) const {
  if (!first_bytes_.test(static_cast<unsigned char>(text[0]))) return std::nullopt;
  for (const auto& [bytes, tokens] : by_length_) {
    const auto found = tokens.find(std::string(text.substr(0, bytes)));
    if (found != tokens.end()) return found->second;
  }
  return std::nullopt;
}

}  // namespace quire
