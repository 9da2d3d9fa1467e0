#include "src/text/normalizer.h"

#include <algorithm>
#include <utility>

#include "src/text/byte_fallback.h"
#include "src/text/unicode.h"

namespace quire {
namespace {

std::string replace_spaces(const std::string& text) {
  const auto spaces = static_cast<std::size_t>(std::count(text.begin(), text.end(), ' '));
  std::string result;
  result.reserve(text.size() + spaces * (kSpaceSign.size() - 1));
  for (const char c : text) {
    if (c == ' ') {
      result += kSpaceSign;
    } else {
      result += c;
    }
  }
  return result;
}

std::string apply(NormalizerStep step, std::string text) {
  switch (step) {
    case NormalizerStep::nfc:
      return to_nfc(text);
    case NormalizerStep::prepend_space:
      return text.empty() ? text : text.insert(0, kSpaceSign);
    case NormalizerStep::replace_spaces:
      return replace_spaces(text);
  }
  return text;
}

}  // namespace

std::string normalize(std::string text, const std::vector<NormalizerStep>& steps) {
  for (const NormalizerStep step : steps) text = apply(step, std::move(text));
  return text;
}

std::string with_space_signs(const std::string& fragment, SpacePrefix prefix, bool beginning) {
  std::string text = replace_spaces(fragment);
  const bool wanted = prefix == SpacePrefix::always || (prefix == SpacePrefix::first && beginning);
  if (wanted && !text.starts_with(kSpaceSign)) text.insert(0, kSpaceSign);
  return text;
}

}  // namespace quire
