#include "src/report/format.h"

#include <gtest/gtest.h>

#include <limits>

namespace quire {
namespace {

TEST(Format, NumbersKeepSignificantDigitsAndNoTrailingZeros) {
  EXPECT_EQ(format_number(0), "0");
  EXPECT_EQ(format_number(-0.0), "0");
  EXPECT_EQ(format_number(0.012345), "0.0123");
  EXPECT_EQ(format_number(12.3456), "12.3");
  EXPECT_EQ(format_number(5.0), "5");
  EXPECT_EQ(format_number(-1234.5, 5), "-1,234.5");
  EXPECT_EQ(format_number(1e-9, 2), "0.000000001");
}

TEST(Format, RoundingMayCarryIntoANewDigit) {
  EXPECT_EQ(format_number(999.6), "1,000");
  EXPECT_EQ(format_number(0.09996), "0.1");
  EXPECT_EQ(format_si(999'600), "1M");
  EXPECT_EQ(format_seconds(0.9996), "1 s");
}

TEST(Format, WhatIsNotFiniteIsAWord) {
  EXPECT_EQ(format_number(std::numeric_limits<double>::quiet_NaN()), "not a number");
  EXPECT_EQ(format_number(-std::numeric_limits<double>::infinity()), "-infinity");
}

TEST(Format, CountsSeparateThousands) {
  EXPECT_EQ(format_count(0), "0");
  EXPECT_EQ(format_count(999), "999");
  EXPECT_EQ(format_count(1000), "1,000");
  EXPECT_EQ(format_count(1'234'567), "1,234,567");
  EXPECT_EQ(format_count(std::numeric_limits<std::uint64_t>::max()), "18,446,744,073,709,551,615");
}

TEST(Format, SiSuffixesStepByThousands) {
  EXPECT_EQ(format_si(950), "950");
  EXPECT_EQ(format_si(12'345), "12.3k");
  EXPECT_EQ(format_si(4.5e6), "4.5M");
  EXPECT_EQ(format_si(-7e9), "-7G");
  EXPECT_EQ(format_si(0.25), "0.25");
}

TEST(Format, BytesStepBy1024) {
  EXPECT_EQ(format_bytes(0), "0 B");
  EXPECT_EQ(format_bytes(1023), "1,023 B");
  EXPECT_EQ(format_bytes(1024), "1 KiB");
  EXPECT_EQ(format_bytes(1536), "1.5 KiB");
  EXPECT_EQ(format_bytes(131'072), "128 KiB");
  EXPECT_EQ(format_bytes(1024 * 1024 - 1), "1 MiB");
  EXPECT_EQ(format_bytes(std::uint64_t{3} << 30), "3 GiB");
}

TEST(Format, SecondsTakeTheUnitThatFits) {
  EXPECT_EQ(format_seconds(0), "0 s");
  EXPECT_EQ(format_seconds(8.2e-7), "820 ns");
  EXPECT_EQ(format_seconds(1.5e-6), "1.5 µs");
  EXPECT_EQ(format_seconds(0.0123), "12.3 ms");
  EXPECT_EQ(format_seconds(-4.2), "-4.2 s");
}

}  // namespace
}  // namespace quire
