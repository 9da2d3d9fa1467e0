#include "src/text/normalizer.h"

#include <gtest/gtest.h>

namespace quire {
namespace {

using enum NormalizerStep;

TEST(Normalizer, StepsAreTakenInTheirOrder) {
  EXPECT_EQ(normalize("a b", {prepend_space, replace_spaces}), "\u2581a\u2581b");
  EXPECT_EQ(normalize(" e\u0301 ", {nfc, replace_spaces}), "\u2581\u00e9\u2581");
  EXPECT_EQ(normalize("a b", {}), "a b");
}

TEST(Normalizer, AnEmptyTextStaysEmpty) {
  EXPECT_EQ(normalize("", {prepend_space, replace_spaces, nfc}), "");
}

TEST(Normalizer, ASpaceIsPrependedWhateverTheTextBeginsWith) {
  EXPECT_EQ(normalize(" a", {prepend_space, replace_spaces}), "\u2581\u2581a");
}

TEST(Normalizer, MetaspacePutsASignWhereThereIsNone) {
  EXPECT_EQ(with_space_signs("a b", SpacePrefix::always, false), "\u2581a\u2581b");
  EXPECT_EQ(with_space_signs(" a", SpacePrefix::always, false), "\u2581a");
  EXPECT_EQ(with_space_signs("a", SpacePrefix::first, true), "\u2581a");
  EXPECT_EQ(with_space_signs("a", SpacePrefix::first, false), "a");
  EXPECT_EQ(with_space_signs("a b", SpacePrefix::never, true), "a\u2581b");
}

}  // namespace
}  // namespace quire
