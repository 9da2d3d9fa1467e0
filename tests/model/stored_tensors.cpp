#include "tests/model/stored_tensors.h"

#include <cstdint>
#include <cstring>

#include "src/core/json.h"

namespace quire::test {

std::string file_of(const StoredTensors& tensors) {
  Json header = Json::object();
  std::string data;
  for (const auto& [name, stored] : tensors) {
    auto bytes = static_cast<std::size_t>(stored.element_bytes);
    for (const int extent : stored.shape) bytes *= static_cast<std::size_t>(extent);
    const std::size_t begin = data.size();
    data.append(bytes, stored.fill);
    header[name] = {
        {"dtype", stored.dtype}, {"shape", stored.shape}, {"data_offsets", {begin, data.size()}}};
  }
  const std::string text = header.dump();
  const std::uint64_t length = text.size();
  std::string file(sizeof(length), '\0');
  std::memcpy(file.data(), &length, sizeof(length));
  return file + text + data;
}

}  // namespace quire::test
