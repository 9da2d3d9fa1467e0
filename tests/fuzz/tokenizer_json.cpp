#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "src/core/error.h"
#include "src/text/streaming_decoder.h"
#include "src/text/tokenizer.h"
#include "src/text/utf8.h"

// Whatever a tokenizer.json says, it is an Error, or it encodes and decodes any bytes, the same
// piece by piece as at once.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  try {
    const Tokenizer tokenizer(read_tokenizer(parse_json(bytes, "file"), "file"));
    for (const std::string_view text : {std::string_view("It's 12  <s>\xff \u4e2d\n"), bytes}) {
      const auto tokens = tokenizer.encode(text.substr(0, 500), {.parse_special = size % 2 == 0});
      StreamingDecoder decoder(tokenizer);
      std::string streamed;
      for (const TokenId token : tokens) streamed += decoder.push(token);
      streamed += decoder.finish();
      if (streamed != to_valid_utf8(tokenizer.decode(tokens))) std::abort();
    }
  } catch (const Error&) {
  }
  return 0;
}
