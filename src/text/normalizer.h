/// \file
/// \brief What a tokenizer does to a text before it is cut into words.
#pragma once

#include <string>
#include <vector>

namespace quire {

/// \brief One change of a whole text.
enum class NormalizerStep {
  nfc,             ///< Unicode's Normalization Form C
  prepend_space,   ///< a sign of a space, U+2581, goes before a text that is not empty
  replace_spaces,  ///< each space becomes its sign
};

/// \brief Changes a text, step by step.
/// \param text   any bytes
/// \param steps  in order
std::string normalize(std::string text, const std::vector<NormalizerStep>& steps);

/// \brief Where a pre-tokenizer of the kind Metaspace puts the sign of a space, if there is none.
enum class SpacePrefix {
  never,   ///< nowhere
  first,   ///< before the beginning of the whole text
  always,  ///< before each fragment between added tokens
};

/// \brief A fragment with signs for its spaces, and perhaps one before it.
/// \param fragment   a text that is not empty
/// \param prefix     where the sign goes
/// \param beginning  whether the whole text begins with this fragment
std::string with_space_signs(const std::string& fragment, SpacePrefix prefix, bool beginning);

}  // namespace quire
