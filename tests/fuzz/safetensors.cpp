#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string_view>

#include "src/core/error.h"
#include "src/model/safetensors_header.h"

// Whatever a file holds, it is an Error, or its tensors fill the data without gap or overlap.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace quire;
  const std::span file(reinterpret_cast<const std::byte*>(data), size);
  try {
    const std::size_t begin = header_bytes(file, "file");
    if (begin < 8 || begin > size) std::abort();
    const std::string_view header(reinterpret_cast<const char*>(data) + 8, begin - 8);
    std::uint64_t covered = 0;
    for (const auto& [name, entry] : read_entries(header, size - begin, "file")) {
      if (entry.begin > entry.end || entry.end > size - begin) std::abort();
      covered += entry.end - entry.begin;
    }
    if (covered != size - begin) std::abort();
  } catch (const Error&) {
  }
  return 0;
}
