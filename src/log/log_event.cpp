#include "src/log/log_event.h"

#include <array>

namespace quire {
namespace {

template <class Enum, std::size_t count>
std::string_view name_in(const std::array<std::string_view, count>& names, Enum value) {
  return names.at(static_cast<std::size_t>(value));
}

}  // namespace

std::string_view name_of(LogPhase phase) {
  static constexpr std::array<std::string_view, 3> kNames{"schedule", "compute", "sample"};
  return name_in(kNames, phase);
}

std::string_view name_of(LogKind kind) {
  static constexpr std::array<std::string_view, 13> kNames{
      "arrive", "admit", "resume", "preempt", "fork",   "share", "allocate",
      "copy",   "free",  "write",  "run",     "sample", "finish"};
  return name_in(kNames, kind);
}

std::string_view name_of(LogReason reason) {
  static constexpr std::array<std::string_view, 4> kNames{"stop", "length", "abort", "error"};
  return name_in(kNames, reason);
}

}  // namespace quire
