/// \file
/// \brief The bytes of small safetensors files.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace quire::test {

/// \brief A tensor, all of whose bytes are equal.
struct Stored {
  std::vector<int> shape;     ///< its extents
  const char* dtype = "F32";  ///< as the header calls it
  int element_bytes = 4;      ///< of that dtype
  char fill = '\0';           ///< every byte of its data
};

/// \brief Tensors by name.
using StoredTensors = std::map<std::string, Stored>;

/// \brief A safetensors file.
/// \param tensors  what it holds
std::string file_of(const StoredTensors& tensors);

}  // namespace quire::test
