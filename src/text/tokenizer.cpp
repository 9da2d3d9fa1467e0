#include "src/text/tokenizer.h"

#include <algorithm>
#include <functional>
#include <unordered_map>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {

namespace {

// Finds the tokens of a word that was there before in the text among those made so far: most words
// of a text are. It looks into the fragments of the text.
class WordCache {
 public:
  WordCache(const Bpe& bpe, std::vector<TokenId>& tokens) : bpe_(bpe), tokens_(tokens) {}

  void add(std::string_view word) {
    const auto known = words_.find(word);
    const std::size_t begin = tokens_.size();
    if (known == words_.end()) {
      bpe_.encode(word, tokens_);
      if (words_.size() < kMost && word.size() <= kLongest) {
        words_.emplace(word, Place{begin, tokens_.size() - begin});
      }
      return;
    }
    const Place place = known->second;
    tokens_.resize(begin + place.count);
    std::copy_n(tokens_.begin() + static_cast<std::ptrdiff_t>(place.begin), place.count,
                tokens_.begin() + static_cast<std::ptrdiff_t>(begin));
  }

 private:
  static constexpr std::size_t kMost = 1 << 16, kLongest = 64;

  struct Place {
    std::size_t begin, count;
  };

  const Bpe& bpe_;
  std::vector<TokenId>& tokens_;
  std::unordered_map<std::string_view, Place> words_;
};

}  // namespace

Tokenizer Tokenizer::load(const std::filesystem::path& tokenizer_json) {
  return Tokenizer(read_tokenizer(read_json(tokenizer_json), tokenizer_json.string()));
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, EncodeOptions options) const {
  // Signs for spaces make a text three times as long at most, and so may NFC.
  constexpr std::size_t kLimit = std::size_t{1} << 29;
  require(text.size() < kLimit, "a text of {} bytes is too long to encode at once; the limit is {}",
          text.size(), kLimit);
  const auto& [before, after] = parts_.frame;
  std::vector<TokenId> tokens;
  if (options.add_special) tokens = before;
  const std::vector<Fragment> fragments = fragments_of(text, options.parse_special);
  WordCache words(parts_.bpe, tokens);
  for (const Fragment& fragment : fragments) {
    if (fragment.token) {
      tokens.push_back(*fragment.token);
    } else {
      cut(fragment.text, parts_.pre_tokenizer.rules, [&](auto word) { words.add(word); });
    }
  }
  if (options.add_special) tokens.insert(tokens.end(), after.begin(), after.end());
  return tokens;
}

std::vector<Fragment> Tokenizer::fragments_of(std::string_view text, bool parse_special) const {
  std::vector<Fragment> fragments = parts_.added.split(text, parse_special);
  if (!parts_.pre_tokenizer.space_signs) return fragments;
  bool beginning = true;
  for (Fragment& fragment : fragments) {
    if (!fragment.token) {
      fragment.text = with_space_signs(fragment.text, *parts_.pre_tokenizer.space_signs, beginning);
    }
    beginning = false;
  }
  return fragments;
}

void Tokenizer::explain(std::string_view text, const std::function<void(std::string_view)>& on_word,
                        const std::function<void(const MergeEvent&)>& on_merge) const {
  for (const Fragment& fragment : fragments_of(text, /*parse_special=*/false)) {
    if (fragment.token) continue;
    cut(fragment.text, parts_.pre_tokenizer.rules, [&](std::string_view word) {
      on_word(word);
      parts_.bpe.explain(word, on_merge);
    });
  }
}

std::string Tokenizer::decode(std::span<const TokenId> tokens, bool keep_special) const {
  std::string text;
  for (const TokenId token : tokens) {
    if (keep_special || !is_special(token)) text += piece(token);
  }
  if (drops_first_space() && text.starts_with(' ')) text.erase(0, 1);
  return text;
}

std::optional<TokenId> Tokenizer::bos() const {
  const std::vector<TokenId>& before = parts_.frame.before;
  return before.empty() ? std::nullopt : std::optional(before.front());
}

}  // namespace quire
