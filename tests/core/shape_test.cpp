#include <gtest/gtest.h>

#include "src/core/error.h"
#include "src/core/tensor.h"

namespace quire {
namespace {

TEST(Shape, SizeIsTheProductOfTheExtents) {
  EXPECT_EQ((Shape{3, 5, 7}).size(), 105);
  EXPECT_EQ((Shape{0, 5}).size(), 0);
  EXPECT_EQ(Shape().size(), 1);
}

TEST(Shape, ARowHasItsSizeEvenWhereThereIsNone) {
  EXPECT_EQ((Shape{3, 5, 7}).row_size(), 35);
  EXPECT_EQ((Shape{0, 5, 7}).row_size(), 35);
  EXPECT_EQ((Shape{4}).row_size(), 1);
}

TEST(Shape, SizesBeyond32BitsDoNotOverflow) {
  EXPECT_EQ((Shape{1 << 20, 256, 8, 128}).size(), Index{1} << 38);
}

TEST(Shape, MoreThanFourDimensionsAreRefused) {
  EXPECT_THROW((Shape{1, 1, 1, 1, 1}), Error);
}

TEST(Shape, IsWrittenAsInMessages) {
  EXPECT_EQ(to_string(Shape{3, 64}), "[3, 64]");
}

TEST(Tensor, RowsLieWhereTheyBelong) {
  const Buffer buffer = allocate_host(4 * 6 * sizeof(float));
  const Tensor tensor = buffer.tensor(DType::f32, {4, 2, 3});
  for (std::size_t i = 0; i < 24; ++i) tensor.values<float>()[i] = static_cast<float>(i);
  EXPECT_EQ(tensor.rows(2, 2).shape(), (Shape{2, 2, 3}));
  EXPECT_EQ(tensor.rows(2, 2).values<float>()[0], 12);
  EXPECT_EQ(tensor.reshaped({8, 3}).rows(7, 1).values<float>()[2], 23);
  EXPECT_EQ(tensor.byte_count(), 96u);
}

TEST(Buffer, HostMemoryBeginsAtA64ByteBoundary) {
  for (const std::size_t bytes : {0u, 1u, 63u, 64u, 1000u}) {
    const Buffer buffer = allocate_host(bytes);
    const auto address = reinterpret_cast<std::uintptr_t>(buffer.tensor(DType::f32, {0}).bytes());
    EXPECT_EQ(address % 64, 0u);
    EXPECT_EQ(buffer.bytes(), bytes);
  }
}

}  // namespace
}  // namespace quire
