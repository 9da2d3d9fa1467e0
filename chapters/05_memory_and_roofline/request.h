/// \file
/// \brief Chapter 05: what the program accepts on its command line.
#pragma once

#include <string>
#include <vector>

#include "chapters/05_memory_and_roofline/plan.h"
#include "src/app/arguments.h"
#include "src/app/options.h"

namespace quire {

/// \brief What the command line says, before it is put together.
struct PlanOptions {
  std::string shape = "llama-3-8b";         ///< a shape's name
  std::string model = {};                   ///< a folder with config.json; empty for a named shape
  std::string card = "A100-80";             ///< a card's name
  std::optional<double> memory = {};        ///< GiB, instead of the card's
  std::optional<double> bandwidth = {};     ///< GB/s, instead of the card's
  std::optional<double> teraflops = {};     ///< TFLOP/s, instead of the card's
  NumberFormat weights = {};                ///< of matrices
  std::optional<NumberFormat> tables = {};  ///< of embedding and head
  NumberFormat kv = {};                     ///< of keys and values
  std::optional<int> length = {};           ///< tokens of each sequence
  int batch = 1;                            ///< sequences of that length
  std::vector<std::uint64_t> lengths = {};  ///< of ragged sequences, instead of both
  int block_size = 16;                      ///< tokens a block
  std::optional<int> window = {};  ///< tokens that attention may see, instead of the model's
  int ranks = 1;                   ///< devices that share every matrix
  double reserved = 0;             ///< GiB kept free
};

/// \brief Adds all options of a plan.
/// \param arguments  the program's arguments
/// \param options    receives the values
void add_plan_options(Arguments& arguments, PlanOptions& options);

/// \brief Puts a plan's options together.
/// \param options  as they were given
/// \throws Error if a name is unknown or a folder holds no model
PlanRequest request_of(const PlanOptions& options);

}  // namespace quire
