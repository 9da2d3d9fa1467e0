#include "src/app/options.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <limits>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

constexpr int kMostThreads = 1024;
constexpr int kMostTokens = std::numeric_limits<int>::max();
constexpr std::size_t kMostPromptBytes = std::size_t{16} << 20;

void set_model(Options& options, const std::string& folder) {
  std::error_code ignored;
  require(std::filesystem::is_directory(folder, ignored),
          "--model is {}, which is no folder; expected one with config.json, model.safetensors and "
          "tokenizer.json",
          in_quotes(folder));
  options.model = folder;
}

void set_prompt_file(Options& options, const std::string& file) {
  require(!file.empty(), "--prompt-file is \"\", expected the name of a file");
  options.prompt = read_file(file, kMostPromptBytes);
}

void set_device(Options& options, const std::string& name) {
  const auto names = device_names();
  require(std::find(names.begin(), names.end(), name) != names.end(),
          "--device is {}, expected one of: {}", in_quotes(name), fmt::join(names, ", "));
  options.device.name = name;
}

}  // namespace

GenerationOptions generation_of(const Options& options) {
  return {.max_tokens = options.max_tokens,
          .temperature = static_cast<float>(options.temperature),
          .seed = options.seed};
}

std::filesystem::path data_folder() {
  const char* folder = std::getenv("QUIRE_DATA");
  return folder != nullptr && *folder != '\0' ? folder : QUIRE_DATA_DIR;
}

void add_model_option(Arguments& arguments, Options& options) {
  options.model = data_folder() / "model";
  arguments.custom(
      "--model", "DIR", "the built-in model",
      [&options](const std::string& folder) { set_model(options, folder); },
      "folder of a model in Hugging Face's layout");
}

void add_prompt_options(Arguments& arguments, Options& options) {
  arguments.text("--prompt", "TEXT", options.prompt, "text to continue");
  arguments.custom(
      "--prompt-file", "FILE", "",
      [&options](const std::string& file) { set_prompt_file(options, file); },
      "file whose text to continue, at most 16 MiB");
  arguments.exclude("--prompt", "--prompt-file");
}

void add_generation_options(Arguments& arguments, Options& options) {
  arguments.custom(
      "--max-tokens", "N", "",
      [&options](const std::string& text) {
        options.max_tokens = static_cast<int>(parse_integer("--max-tokens", text, 1, kMostTokens));
      },
      "tokens to generate at most; without it, as many as the context holds");
  arguments.number("--temperature", options.temperature, 0,
                   "0 always takes the likeliest token, 1 samples what the model predicts");
  arguments.custom(
      "--seed", "N", "0",
      [&options](const std::string& text) { options.seed = parse_unsigned("--seed", text); },
      "seed of the random numbers");
}

void add_device_options(Arguments& arguments, Options& options) {
  arguments.custom(
      "--device", "NAME", options.device.name,
      [&options](const std::string& name) { set_device(options, name); },
      "what to compute with: cpu is fast, eigen is the reference");
  arguments.integer("--threads", options.device.threads, 0, kMostThreads,
                    "threads to compute with; 0 means one for each core");
}

void add_json_option(Arguments& arguments, Options& options) {
  arguments.flag("--json", options.json, "print one JSON object and nothing else");
}

void add_all_options(Arguments& arguments, Options& options) {
  add_model_option(arguments, options);
  add_prompt_options(arguments, options);
  add_generation_options(arguments, options);
  add_device_options(arguments, options);
  add_json_option(arguments, options);
}

}  // namespace quire
