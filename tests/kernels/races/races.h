/// \file
/// \brief The data races that ThreadSanitizer found between CUDA threads.
#pragma once

#include <string>
#include <vector>

namespace quire::test {

/// \brief Where the races were since the last call: "races.cu:23 races.cu:25" for each, the innermost
/// line in a kernel file of either access. A test during which there were races that it did not take
/// fails.
std::vector<std::string> take_races();

}  // namespace quire::test
