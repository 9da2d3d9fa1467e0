#include "src/core/counters.h"

namespace quire {

std::string_view name_of(Operator op) {
  constexpr std::array<std::string_view, kOperators> kNames = {
      "embed",  "rms_norm", "linear", "add_bias",    "rope_and_store",
      "attend", "silu_mul", "add",    "gather_rows", "copy_blocks"};
  return kNames.at(static_cast<std::size_t>(op));
}

Work& Work::operator+=(const Work& other) {
  flops += other.flops;
  bytes_read += other.bytes_read;
  bytes_written += other.bytes_written;
  return *this;
}

Work Work::operator-(const Work& earlier) const {
  return {flops - earlier.flops, bytes_read - earlier.bytes_read,
          bytes_written - earlier.bytes_written};
}

Work Counters::total() const {
  Work sum;
  for (const Work& work : work_) sum += work;
  return sum;
}

Counters& Counters::operator+=(const Counters& other) {
  for (std::size_t op = 0; op < kOperators; ++op) work_[op] += other.work_[op];
  return *this;
}

Counters Counters::operator-(const Counters& earlier) const {
  Counters difference;
  for (std::size_t op = 0; op < kOperators; ++op) {
    difference.work_[op] = work_[op] - earlier.work_[op];
  }
  return difference;
}

}  // namespace quire
