#include "src/app/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

namespace quire {
namespace {

constexpr Index kWidth = 30;
constexpr std::chrono::milliseconds kRedraw{100};

void show(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

std::string progress_line(const std::string& what, Index done, Index total) {
  const double part = std::clamp(static_cast<double>(done) / static_cast<double>(total), 0.0, 1.0);
  const auto filled = static_cast<std::size_t>(part * kWidth);
  return fmt::format("{} [{}{}] {:.0f} %", what, std::string(filled, '#'),
                     std::string(kWidth - filled, '.'), 100 * part);
}

Progress::Progress(std::string what, Index total)
    : what_(std::move(what)), total_(std::max<Index>(total, 1)), visible_(isatty(STDERR_FILENO)) {}

Progress::~Progress() {
  if (visible_) show("\r\x1b[K");
}

void Progress::advance(Index amount) {
  done_ += amount;
  const auto now = std::chrono::steady_clock::now();
  if (!visible_ || now - drawn_ < kRedraw) return;
  drawn_ = now;
  show(fmt::format("\r{}", progress_line(what_, done_, total_)));
}

}  // namespace quire
