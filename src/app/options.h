/// \file
/// \brief The options that programs share, with one meaning and one message each.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "src/app/arguments.h"
#include "src/app/device.h"
#include "src/model/generate.h"

namespace quire {

/// \brief What the shared options say. A program adds those that it understands.
struct Options {
  std::filesystem::path model;              ///< a folder with config.json, weights and tokenizer
  std::string prompt = "Once upon a time";  ///< text to continue
  std::optional<int> max_tokens;            ///< at least 1; unset means up to the model's context
  SamplingOptions sampling;                 ///< how tokens are chosen
  std::vector<std::string> stop;            ///< strings that end the text
  std::vector<TokenId> stop_ids;            ///< tokens that end the text
  bool ignore_eos = false;                  ///< go on after an end-of-sequence token
  std::optional<int> logprobs;              ///< so many likeliest tokens are named at each step
  Device device;                            ///< what to compute with
  bool json = false;                        ///< one JSON object on standard output, nothing else
};

/// \brief What the shared options ask of a generation. Stop strings are not part of it: they are
/// looked for in the text, by TextStream.
/// \param options  as they were given
GenerationOptions generation_of(const Options& options);

/// \brief Where the data that comes with Quire lies: $QUIRE_DATA, or the source tree's `data`.
std::filesystem::path data_folder();

/// \brief Adds `--model DIR`; without it, the built-in model.
/// \param arguments  the program's arguments
/// \param options    receives the value
void add_model_option(Arguments& arguments, Options& options);

/// \brief Adds `--prompt TEXT` and `--prompt-file FILE`, of which one may be given. The file is read
/// to its end, whatever its kind, if that comes within 16 MiB.
/// \param arguments  the program's arguments
/// \param options    receives the value
void add_prompt_options(Arguments& arguments, Options& options);

/// \brief The lines of a file that have text, each of them a prompt.
/// \param file  a regular file of at most 16 MiB
/// \throws Error if it is none, or has no such line
std::vector<std::string> prompts_in(const std::filesystem::path& file);

/// \brief Adds `--max-tokens N`, `--temperature T` and `--seed N`.
/// \param arguments  the program's arguments
/// \param options    receives the values
void add_generation_options(Arguments& arguments, Options& options);

/// \brief Adds what else there is to say about a choice: `--top-k`, `--top-p`, `--min-p`, the three
/// penalties, `--logit-bias ID=X` and `--logprobs N`.
/// \param arguments  the program's arguments
/// \param options    receives the values
void add_sampling_options(Arguments& arguments, Options& options);

/// \brief Adds what ends a text besides the limit: `--stop TEXT` and `--stop-id ID`, which may be
/// given several times, and `--ignore-eos`.
/// \param arguments  the program's arguments
/// \param options    receives the values
void add_stop_options(Arguments& arguments, Options& options);

/// \brief Adds `--device NAME` and `--threads N`.
/// \param arguments  the program's arguments
/// \param options    receives the values
void add_device_options(Arguments& arguments, Options& options);

/// \brief Adds `--json`.
/// \param arguments  the program's arguments
/// \param options    receives the value
void add_json_option(Arguments& arguments, Options& options);

/// \brief Adds what every program that continues a text has: model, prompt, generation, threads and
/// JSON.
/// \param arguments  the program's arguments
/// \param options    receives the values
void add_all_options(Arguments& arguments, Options& options);

}  // namespace quire
