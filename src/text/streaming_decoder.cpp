#include "src/text/streaming_decoder.h"

#include <utility>

#include "src/text/utf8.h"

namespace quire {

std::string StreamingDecoder::push(TokenId token) {
  if (!keep_special_ && tokenizer_->is_special(token)) return {};
  std::string_view piece = tokenizer_->piece(token);
  if (!begun_ && tokenizer_->drops_first_space() && piece.starts_with(' ')) piece.remove_prefix(1);
  begun_ = begun_ || !tokenizer_->piece(token).empty();
  pending_ += piece;
  const std::size_t done = finished_bytes(pending_);
  std::string text = to_valid_utf8(std::string_view(pending_).substr(0, done));
  pending_.erase(0, done);
  return text;
}

void StreamingDecoder::skip(std::span<const TokenId> tokens) {
  for (const TokenId token : tokens) push(token);
}

std::string StreamingDecoder::finish() {
  begun_ = false;
  return to_valid_utf8(std::exchange(pending_, {}));
}

}  // namespace quire
