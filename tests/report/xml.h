/// \file
/// \brief Enough of an XML parser to tell a well-formed drawing from a broken one.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace quire {

/// \brief One element of a document.
struct XmlElement {
  std::string name;                               ///< the tag
  std::map<std::string, std::string> attributes;  ///< with entities left as they are
  std::string text;                               ///< what stands directly inside, entities left
};

/// \brief Parses a document that has no DOCTYPE, comments or processing instructions.
/// \param document  the document
/// \return its elements in document order
/// \throws Error with the place where it is not well-formed
std::vector<XmlElement> parse_xml(std::string_view document);

}  // namespace quire
