/// \file
/// \brief Ends a text where one of some strings appears in it, while it is still being written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace quire {

/// \brief Looks for stop strings in a text that comes in pieces.
///
/// The text ends at the first byte at which some stop string is complete, and is cut where that
/// string begins; if several are complete at one byte, where the longest begins. How the text was
/// cut into pieces has no influence. What could be the beginning of a stop string is held back until
/// it is known not to be one, so nothing of a match ever appears.
///
/// Each string remembers how much of it the text ends with. On a byte that does not fit it falls
/// back to the next shorter beginning that still fits, as Knuth, Morris and Pratt do (SIAM Journal on
/// Computing 6, 1977): linear time, no byte is looked at again.
class StopMatcher {
 public:
  /// \brief A matcher at the beginning of a text.
  /// \param stops  any number of strings, none empty, all valid UTF-8
  /// \throws Error that names a string which is not
  explicit StopMatcher(const std::vector<std::string>& stops);

  /// \brief Takes the next piece of the text. O(bytes times strings).
  /// \param piece  valid UTF-8; nothing counts once a stop string was found
  /// \return what is certain to be part of the text
  std::string push(std::string_view piece);
  /// \brief Ends the text.
  /// \return what was held back and turned out to be no stop string
  std::string finish();
  /// \brief Whether a stop string was found.
  bool stopped() const { return stopped_; }

 private:
  // A stop string, and how many of its bytes the text so far ends with.
  struct Pattern {
    std::string text;
    std::vector<std::size_t> shorter;  // [i]: the longest proper beginning that ends text[0, i]
    std::size_t matched = 0;

    explicit Pattern(std::string stop);
    bool advance(char byte);  // true if the string is complete
  };

  std::size_t advance(char byte);  // bytes of the longest string that is complete, or 0
  std::size_t held() const;

  std::vector<Pattern> patterns_;
  std::string pending_;  // given, but not returned yet
  bool stopped_ = false;
};

}  // namespace quire
