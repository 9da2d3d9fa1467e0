#include "src/app/progress.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

TEST(Progress, FillsItsBarByTheAmountDone) {
  EXPECT_EQ(progress_line("loading", 0, 4), "loading [" + std::string(30, '.') + "] 0 %");
  EXPECT_EQ(progress_line("loading", 2, 4),
            "loading [" + std::string(15, '#') + std::string(15, '.') + "] 50 %");
  EXPECT_EQ(progress_line("loading", 9, 4), "loading [" + std::string(30, '#') + "] 100 %");
}

TEST(Progress, IsSilentWhereStandardErrorIsNoTerminal) {
  testing::internal::CaptureStderr();
  {
    Progress progress("loading", 2);
    progress.advance();
    progress.advance();
  }
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace quire
