#include "src/app/options.h"

#include <charconv>
#include <cmath>
#include <cstdlib>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

constexpr std::int64_t kMostThreads = 1024;

// Whether all of the text is one number of this type.
template <class Number>
bool parse(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

std::string range_of(std::int64_t lowest, std::int64_t highest) {
  if (highest == std::numeric_limits<std::int64_t>::max())
    return fmt::format("at least {}", lowest);
  return fmt::format("{} to {}", lowest, highest);
}

void set_model(Options& options, const std::string& folder) {
  require(std::filesystem::is_directory(folder),
          "--model is {}, which is no folder; expected one with config.json, tokenizer.json and "
          "*.safetensors",
          quoted(folder));
  options.model = folder;
}

}  // namespace

std::filesystem::path data_folder() {
  const char* folder = std::getenv("QUIRE_DATA");
  return folder != nullptr && *folder != '\0' ? folder : QUIRE_DATA_DIR;
}

std::int64_t parse_integer(std::string_view name, std::string_view text, std::int64_t lowest,
                           std::int64_t highest) {
  std::int64_t value = 0;
  const bool right = parse(text, value) && lowest <= value && value <= highest;
  require(right, "{} is {}, expected a whole number, {}", name, quoted(text),
          range_of(lowest, highest));
  return value;
}

double parse_number(std::string_view name, std::string_view text, double lowest) {
  double value = 0;
  const bool right = parse(text, value) && std::isfinite(value) && value >= lowest;
  require(right, "{} is {}, expected a finite number, at least {}", name, quoted(text), lowest);
  return value;
}

void add_model_option(CLI::App& app, Options& options) {
  options.model = data_folder() / "model";
  app.add_option_function<std::string>(
         "--model", [&options](const std::string& folder) { set_model(options, folder); },
         "Folder of a model in Hugging Face's layout; without it, the built-in one")
      ->type_name("DIR");
}

void add_prompt_options(CLI::App& app, Options& options) {
  CLI::Option* prompt = app.add_option("--prompt", options.prompt, "Text to continue");
  prompt->type_name("TEXT")->capture_default_str();
  app.add_option_function<std::string>(
         "--prompt-file", [&options](const std::string& file) { options.prompt = read_file(file); },
         "File whose text to continue")
      ->type_name("FILE")
      ->excludes(prompt);
}

void add_generation_options(CLI::App& app, Options& options) {
  app.add_option_function<std::string>(
         "--max-tokens",
         [&options](const std::string& text) {
           constexpr int kMost = std::numeric_limits<int>::max();
           options.max_tokens = static_cast<int>(parse_integer("--max-tokens", text, 1, kMost));
         },
         "Tokens to generate at most; without it, as many as the context holds")
      ->type_name("N");
  app.add_option_function<std::string>(
         "--temperature",
         [&options](const std::string& text) {
           options.temperature = parse_number("--temperature", text, 0);
         },
         "0 always takes the likeliest token; 1 samples what the model predicts")
      ->type_name("T")
      ->default_str("0");
  app.add_option_function<std::string>(
         "--seed",
         [&options](const std::string& text) {
           options.seed = static_cast<std::uint64_t>(parse_integer("--seed", text, 0));
         },
         "Seed of the random numbers")
      ->type_name("N")
      ->default_str("0");
}

void add_threads_option(CLI::App& app, Options& options) {
  app.add_option_function<std::string>(
         "--threads",
         [&options](const std::string& text) {
           options.threads = static_cast<int>(parse_integer("--threads", text, 0, kMostThreads));
         },
         "Threads to compute with; 0 means one for each core")
      ->type_name("N")
      ->default_str("0");
}

void add_json_option(CLI::App& app, Options& options) {
  app.add_flag("--json", options.json, "Print one JSON object and nothing else");
}

void add_all_options(CLI::App& app, Options& options) {
  add_model_option(app, options);
  add_prompt_options(app, options);
  add_generation_options(app, options);
  add_threads_option(app, options);
  add_json_option(app, options);
}

}  // namespace quire
