/// \file
/// \brief Chapter 06: the operators' kernels on made-up input, and what Eigen makes of the same.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "src/core/tensor.h"

namespace quire {

/// \brief One kernel, or several that make an operator together, on one input.
struct KernelCase {
  std::string name;                         ///< the operator, and which of its kernels
  std::function<std::vector<float>()> run;  ///< launches it on fresh memory; gives what it wrote
  std::vector<float> expected;              ///< what Eigen computes, in single precision
  std::vector<float> slack;  ///< how far apart two right answers may be, for each number; 0: equal
};

/// \brief The sizes of the made-up step: five rows, as of a chunk of a prompt.
struct MadeUpStep {
  static constexpr Index rows = 5;           ///< of the step
  static constexpr Index many_rows = 64;     ///< for the form of linear that needs them
  static constexpr Index hidden = 256;       ///< elements of a row
  static constexpr Index vocabulary = 1000;  ///< rows of the table, and logits of a row
  static constexpr Index heads = 4;          ///< query heads
  static constexpr Index kv_heads = 2;       ///< key/value heads
  static constexpr Index head_dim = 64;      ///< elements a head
  static constexpr Index keys = 300;         ///< that the last row sees
  static constexpr Index block_size = 16;    ///< rows a block of the cache
};

/// \brief All cases: every operator, attention in its three versions.
/// \param seed  of the made-up numbers
std::vector<KernelCase> kernel_cases(std::uint64_t seed);

/// \brief The cases of kernels that give each element, or each row, to threads of their own.
/// \param seed  of the made-up numbers
std::vector<KernelCase> row_cases(std::uint64_t seed);
/// \brief The cases of products, and of what stands between them and attention.
/// \param seed  of the made-up numbers
std::vector<KernelCase> product_cases(std::uint64_t seed);
/// \brief The cases of attention.
/// \param seed  of the made-up numbers
std::vector<KernelCase> attention_cases(std::uint64_t seed);

}  // namespace quire
