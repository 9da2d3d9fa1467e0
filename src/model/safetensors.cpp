#include "src/model/safetensors.h"

#include <cstring>

#include "src/core/error.h"
#include "src/core/json.h"
#include "src/model/safetensors_header.h"

namespace quire {
namespace {

constexpr std::size_t kMaxRank = 4;

Shape to_shape(const std::vector<Index>& e) {
  switch (e.size()) {
    case 0:
      return {};
    case 1:
      return {e[0]};
    case 2:
      return {e[0], e[1]};
    case 3:
      return {e[0], e[1], e[2]};
    default:
      return {e[0], e[1], e[2], e[3]};
  }
}

}  // namespace

std::shared_ptr<const SafeTensors> SafeTensors::open(const std::filesystem::path& file) {
  return std::shared_ptr<const SafeTensors>(new SafeTensors(file));
}

SafeTensors::SafeTensors(const std::filesystem::path& file) : path_(file), file_(file) {
  read_header();
  copy_misaligned();
}

void SafeTensors::read_header() {
  const std::span<const std::byte> bytes = file_.bytes();
  const std::size_t before_data = header_bytes(bytes, path_.string());
  const std::string_view all(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  const std::string_view header = all.substr(0, before_data).substr(sizeof(std::uint64_t));
  entries_ = read_entries(header, bytes.size() - before_data, path_.string());
  data_ = bytes.data() + before_data;
}

// A header whose length is no multiple of the element size shifts every tensor behind it.
void SafeTensors::copy_misaligned() {
  for (const auto& [name, entry] : entries_) {
    const std::optional<DType> dtype = computable_dtype(entry.dtype);
    const auto address = reinterpret_cast<std::uintptr_t>(data_ + entry.begin);
    if (!dtype || entry.shape.size() > kMaxRank || address % size_of(*dtype) == 0) continue;
    Buffer copy = allocate_host(entry.end - entry.begin);
    const Tensor target = copy.tensor(*dtype, to_shape(entry.shape));
    std::memcpy(target.bytes(), data_ + entry.begin, target.byte_count());
    copies_.emplace(name, std::move(copy));
  }
}

std::vector<std::string> SafeTensors::names() const {
  std::vector<std::string> names;
  for (const auto& [name, entry] : entries_) names.push_back(name);
  return names;
}

std::uint64_t SafeTensors::data_bytes() const {
  std::uint64_t sum = 0;
  for (const auto& [name, entry] : entries_) sum += entry.end - entry.begin;
  return sum;
}

ConstTensor SafeTensors::tensor(const std::string& name) const {
  const auto found = entries_.find(name);
  require(found != entries_.end(), "{} has no tensor {}", path_.string(), in_quotes(name));
  const TensorEntry& entry = found->second;
  const std::optional<DType> dtype = computable_dtype(entry.dtype);
  require(dtype.has_value(), "{}: tensor {} is {}; weights must be F32, F16 or BF16",
          path_.string(), in_quotes(name), entry.dtype);
  require(entry.shape.size() <= kMaxRank,
          "{}: tensor {} has {} dimensions; at most {} are supported", path_.string(),
          in_quotes(name), entry.shape.size(), kMaxRank);
  const Shape shape = to_shape(entry.shape);
  const auto copy = copies_.find(name);
  if (copy != copies_.end()) return copy->second.tensor(*dtype, shape);
  return {data_ + entry.begin, *dtype, shape};
}

}  // namespace quire
