/// \file
/// \brief The rules of the house, as far as a program can read them off the files.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace quire::test {

/// \brief Every breach of a rule in a source tree, as `file:line: what is wrong`.
///
/// - An include is written from the root and names a file that exists.
/// - It stays on the file's floor or goes down: core <- ops <- kv <- model <- app <- chapters; simd and
///   kernels stand beside ops, text and report beside model; a chapter includes earlier chapters
///   only, chapter 00 all; tests include everything, and nobody includes tests.
/// - An operator's kernels include no other operator's; only `kernels/ops` knows them all. Nobody
///   but `kernels/simt`, and tests, asks by `#if` for CUDA.
/// - A header begins with `#pragma once`.
/// - No text has a reminder for later or a path of one machine.
/// \param root  the folder that holds src, chapters, kernels, tests and docs
std::vector<std::string> breaches(const std::filesystem::path& root);

}  // namespace quire::test
