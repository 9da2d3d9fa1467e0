#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "chapters/08_static_batching/trace.h"
#include "src/core/error.h"

// Whatever a trace says, it is an Error, or requests in order of arrival with tokens that count.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto trace = quire::parse_trace(text, "trace");
    if (trace.empty()) std::abort();
    double latest = trace.front().arrival;
    for (const quire::TraceRequest& request : trace) {
      // Not "less than", which NaN would pass.
      if (!(request.arrival >= latest)) std::abort();
      latest = request.arrival;
      if (request.prompt_tokens < 1 || request.prompt_tokens > quire::kMaxTraceTokens) std::abort();
      if (request.output_tokens < 1 || request.output_tokens > quire::kMaxTraceTokens) std::abort();
    }
  } catch (const quire::Error&) {
  }
  return 0;
}
