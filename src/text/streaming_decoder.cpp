#include "src/text/streaming_decoder.h"

#include <utility>

#include "src/text/utf8.h"

namespace quire {

std::string StreamingDecoder::push(TokenId token) {
  if (!keep_special_ && tokenizer_->is_special(token)) return {};
  pending_ += tokenizer_->piece(token);
  const std::size_t done = finished_bytes(pending_);
  std::string text = to_valid_utf8(std::string_view(pending_).substr(0, done));
  pending_.erase(0, done);
  return text;
}

std::string StreamingDecoder::finish() {
  return to_valid_utf8(std::exchange(pending_, {}));
}

}  // namespace quire
