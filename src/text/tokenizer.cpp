#include "src/text/tokenizer.h"

#include <limits>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {

Tokenizer Tokenizer::load(const std::filesystem::path& tokenizer_json) {
  return Tokenizer(read_tokenizer(read_json(tokenizer_json), tokenizer_json.string()));
}

std::vector<TokenId> Tokenizer::encode(std::string_view text, EncodeOptions options) const {
  constexpr std::size_t kLimit = std::numeric_limits<std::int32_t>::max();
  require(text.size() < kLimit, "a text of {} bytes is too long to encode at once; the limit is {}",
          text.size(), kLimit);
  const auto& [before, after] = parts_.frame;
  std::vector<TokenId> tokens;
  if (options.add_special) tokens = before;
  for (const Fragment& fragment : parts_.added.split(text, options.parse_special)) {
    if (fragment.token) {
      tokens.push_back(*fragment.token);
    } else {
      encode_words(fragment.text, tokens);
    }
  }
  if (options.add_special) tokens.insert(tokens.end(), after.begin(), after.end());
  return tokens;
}

void Tokenizer::encode_words(std::string_view text, std::vector<TokenId>& tokens) const {
  while (!text.empty()) {
    const std::size_t bytes = parts_.first_word(text);
    parts_.bpe.encode(text.substr(0, bytes), tokens);
    text.remove_prefix(bytes);
  }
}

std::string Tokenizer::decode(std::span<const TokenId> tokens, bool keep_special) const {
  std::string text;
  for (const TokenId token : tokens) {
    if (keep_special || !is_special(token)) text += piece(token);
  }
  return text;
}

std::optional<TokenId> Tokenizer::bos() const {
  const std::vector<TokenId>& before = parts_.frame.before;
  return before.empty() ? std::nullopt : std::optional(before.front());
}

}  // namespace quire
