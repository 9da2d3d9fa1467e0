/// \file
/// \brief The options that programs share, with one meaning and one message each.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

namespace quire {

/// \brief What the shared options say. A program adds those that it understands.
struct Options {
  std::filesystem::path model;              ///< a folder with config.json, weights and tokenizer
  std::string prompt = "Once upon a time";  ///< text to continue
  std::optional<int> max_tokens;            ///< at least 1; unset means up to the model's context
  double temperature = 0;                   ///< 0 is greedy
  std::uint64_t seed = 0;                   ///< of the random numbers
  int threads = 0;                          ///< 0 means one for each core
  bool json = false;                        ///< one JSON object on standard output, nothing else
};

/// \brief Where the data that comes with Quire lies: $QUIRE_DATA, or the source tree's `data`.
std::filesystem::path data_folder();

/// \brief Adds `--model DIR`; without it, the built-in model.
/// \param app      the program's arguments
/// \param options  receives the value
void add_model_option(CLI::App& app, Options& options);

/// \brief Adds `--prompt TEXT` and `--prompt-file FILE`, of which one may be given.
/// \param app      the program's arguments
/// \param options  receives the value
void add_prompt_options(CLI::App& app, Options& options);

/// \brief Adds `--max-tokens N`, `--temperature T` and `--seed N`.
/// \param app      the program's arguments
/// \param options  receives the values
void add_generation_options(CLI::App& app, Options& options);

/// \brief Adds `--threads N`.
/// \param app      the program's arguments
/// \param options  receives the value
void add_threads_option(CLI::App& app, Options& options);

/// \brief Adds `--json`.
/// \param app      the program's arguments
/// \param options  receives the value
void add_json_option(CLI::App& app, Options& options);

/// \brief Adds all of the above.
/// \param app      the program's arguments
/// \param options  receives the values
void add_all_options(CLI::App& app, Options& options);

/// \brief A whole number as it is given on a command line.
/// \param name     the option, for messages
/// \param text     what was given
/// \param lowest   the least value that is right
/// \param highest  the greatest value that is right
/// \throws Error that says what was given and what would be right
std::int64_t parse_integer(std::string_view name, std::string_view text, std::int64_t lowest,
                           std::int64_t highest = std::numeric_limits<std::int64_t>::max());

/// \brief A finite number as it is given on a command line.
/// \param name    the option, for messages
/// \param text    what was given
/// \param lowest  the least value that is right
/// \throws Error that says what was given and what would be right
double parse_number(std::string_view name, std::string_view text, double lowest);

}  // namespace quire
