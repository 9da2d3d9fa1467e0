#include "src/text/stop_matcher.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire {
namespace {

// What appears of a text that comes in pieces.
struct Shown {
  std::string before_the_last;  // without the last piece and the end
  std::string text;
  bool stopped = false;
};

Shown shown(const std::vector<std::string>& stops, const std::vector<std::string>& pieces) {
  StopMatcher matcher(stops);
  Shown result;
  for (const std::string& piece : pieces) {
    result.before_the_last = result.text;
    result.text += matcher.push(piece);
  }
  result.text += matcher.finish();
  result.stopped = matcher.stopped();
  return result;
}

TEST(StopMatcher, AStringOverTwoPiecesIsCutOffAndNothingOfItWasShown) {
  const Shown result = shown({"end"}, {"the e", "nd of it"});
  EXPECT_EQ(result.before_the_last, "the ");
  EXPECT_EQ(result.text, "the ");
  EXPECT_TRUE(result.stopped);
}

TEST(StopMatcher, AStringInsideOnePieceIsCutOffWithWhatFollows) {
  const Shown result = shown({"end"}, {"no", " bend", " more"});
  EXPECT_EQ(result.text, "no b");
  EXPECT_TRUE(result.stopped);
}

TEST(StopMatcher, AStringThatOverlapsItselfIsFoundAtItsFirstPlace) {
  for (const std::vector<std::string>& pieces :
       {std::vector<std::string>{"aaab"}, {"a", "aab"}, {"aaa", "b"}, {"a", "a", "a", "b"}}) {
    const Shown result = shown({"aab"}, pieces);
    EXPECT_EQ(result.text, "a");
    EXPECT_TRUE(result.stopped);
  }
  EXPECT_EQ(shown({"abab", "abac"}, {"ababac"}).text, "");
  EXPECT_EQ(shown({"abac"}, {"xababac"}).text, "xab");
}

TEST(StopMatcher, AStringAtTheVeryBeginningLeavesAnEmptyText) {
  EXPECT_EQ(shown({"Once"}, {"Once", " upon"}).text, "");
  EXPECT_EQ(shown({"Once"}, {"On", "ce upon"}).text, "");
}

TEST(StopMatcher, ABeginningThatComesToNothingAppearsAfterAll) {
  StopMatcher matcher({"stop it"});
  EXPECT_EQ(matcher.push("do not stop"), "do not ");
  EXPECT_EQ(matcher.push(" here"), "stop here");
  EXPECT_EQ(matcher.push("st"), "");
  EXPECT_EQ(matcher.finish(), "st");
  EXPECT_FALSE(matcher.stopped());
}

TEST(StopMatcher, NothingAppearsOnceItHasStopped) {
  StopMatcher matcher({"."});
  EXPECT_EQ(matcher.push("One. Two."), "One");
  EXPECT_EQ(matcher.push(" Three"), "");
  EXPECT_EQ(matcher.finish(), "");
}

TEST(StopMatcher, OfSeveralStringsTheFirstThatIsCompleteCounts) {
  EXPECT_EQ(shown({"abcd", "bc"}, {"xabcd"}).text, "xa");
  EXPECT_EQ(shown({"c", "abc"}, {"xabc"}).text, "x") << "the longest of those that end together";
  EXPECT_EQ(shown({"q", "z"}, {"xyz"}).text, "xy");
}

TEST(StopMatcher, WithoutStringsEverythingAppearsAtOnce) {
  StopMatcher matcher({});
  EXPECT_EQ(matcher.push("anything"), "anything");
  EXPECT_EQ(matcher.finish(), "");
}

TEST(StopMatcher, EmptyAndBrokenStringsAreRefused) {
  test::expect_error([] { StopMatcher({"a", ""}); }, {"empty", "at least one character"});
  test::expect_error([] { StopMatcher({"a\xff"}); }, {"not valid UTF-8"});
}

// By definition: the first end of any stop string, and there the longest.
std::string cut(const std::vector<std::string>& stops, const std::string& text) {
  for (std::size_t end = 1; end <= text.size(); ++end) {
    std::size_t longest = 0;
    for (const std::string& stop : stops) {
      if (std::string_view(text).substr(0, end).ends_with(stop)) {
        longest = std::max(longest, stop.size());
      }
    }
    if (longest > 0) return text.substr(0, end - longest);
  }
  return text;
}

std::string random_text(Random& random, std::size_t bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes; ++i) text += static_cast<char>('a' + random.below(2));
  return text;
}

TEST(StopMatcher, AgreesWithTheDefinitionHoweverTheTextIsCutIntoPieces) {
  test::TestRandom random;
  for (int run = 0; run < 3000; ++run) {
    std::vector<std::string> stops;
    for (auto n = random.below(4); n > 0; --n) {
      stops.push_back(random_text(random, 1 + random.below(6)));
    }
    const std::string text = random_text(random, random.below(20));
    const std::string expected = cut(stops, text);
    StopMatcher matcher(stops);
    std::string shown;
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t bytes = random.below(5);
      shown += matcher.push(std::string_view(text).substr(at, bytes));
      ASSERT_TRUE(expected.starts_with(shown)) << "something of a match appeared";
      at += bytes;
    }
    ASSERT_EQ(shown + matcher.finish(), expected) << text;
    ASSERT_EQ(matcher.stopped(), expected != text);
  }
}

}  // namespace
}  // namespace quire
