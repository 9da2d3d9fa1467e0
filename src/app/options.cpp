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
constexpr int kMostLogprobs = 100;
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

TokenId parse_id(std::string_view name, std::string_view text) {
  return TokenId{static_cast<std::int32_t>(parse_integer(name, text, 0, kMostTokens))};
}

LogitBias parse_bias(const std::string& text) {
  const std::size_t equals = text.find('=');
  require(equals != std::string::npos, "--logit-bias is {}, expected a token id, =, and a number",
          in_quotes(text));
  const std::string where = " in --logit-bias " + in_quotes(text);
  return {.token = parse_id("the token" + where, text.substr(0, equals)),
          .bias = parse_number("the bias" + where, text.substr(equals + 1), -100, 100)};
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
          .sampling = options.sampling,
          .ignore_eos = options.ignore_eos,
          .stop_ids = options.stop_ids,
          .logprobs = options.logprobs};
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

std::vector<std::string> prompts_in(const std::filesystem::path& file) {
  const std::string text = read_file(file, kMostPromptBytes);
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    if (end > begin) lines.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  require(!lines.empty(), "{} has no line with text; a prompt a line is right",
          in_quotes(file.string()));
  return lines;
}

void add_generation_options(Arguments& arguments, Options& options) {
  arguments.custom(
      "--max-tokens", "N", "",
      [&options](const std::string& text) {
        options.max_tokens = static_cast<int>(parse_integer("--max-tokens", text, 1, kMostTokens));
      },
      "tokens to generate at most; without it, as many as the context holds");
  arguments.number("--temperature", options.sampling.temperature, 0,
                   "0 always takes the likeliest token, 1 samples what the model predicts");
  arguments.custom(
      "--seed", "N", "0",
      [&options](const std::string& text) {
        options.sampling.seed = parse_unsigned("--seed", text);
      },
      "seed of the random numbers");
}

void add_sampling_options(Arguments& arguments, Options& options) {
  SamplingOptions& sampling = options.sampling;
  arguments.integer("--top-k", sampling.top_k, -1, kMostTokens,
                    "sample from so many likeliest tokens; 0 and -1 mean all");
  arguments.number("--top-p", sampling.top_p, 0,
                   "sample from the likeliest tokens that hold so much probability; 1 means all",
                   1);
  arguments.number("--min-p", sampling.min_p, 0,
                   "sample from tokens with this fraction of the likeliest one's probability", 1);
  arguments.number("--repetition-penalty", sampling.repetition_penalty, 0.01,
                   "divides the logits of tokens in prompt and text; 1 is off", 100);
  arguments.number("--presence-penalty", sampling.presence_penalty, -2,
                   "subtracted from the logits of generated tokens", 2);
  arguments.number("--frequency-penalty", sampling.frequency_penalty, -2,
                   "subtracted for each time that a token was generated", 2);
  arguments.list(
      "--logit-bias", "ID=X",
      [&sampling](const std::string& text) { sampling.logit_bias.push_back(parse_bias(text)); },
      "added to a token's logit, -100 to 100; may be given again");
  arguments.custom(
      "--logprobs", "N", "",
      [&options](const std::string& text) {
        options.logprobs = static_cast<int>(parse_integer("--logprobs", text, 0, kMostLogprobs));
      },
      "how likely the model found each token, and so many likeliest");
}

void add_stop_options(Arguments& arguments, Options& options) {
  arguments.list(
      "--stop", "TEXT", [&options](const std::string& text) { options.stop.push_back(text); },
      "ends the text where it appears, and is cut off; may be given again");
  arguments.list(
      "--stop-id", "ID",
      [&options](const std::string& text) {
        options.stop_ids.push_back(parse_id("--stop-id", text));
      },
      "a token that ends the text; may be given again");
  arguments.flag("--ignore-eos", options.ignore_eos, "go on after an end-of-sequence token");
}

void add_device_options(Arguments& arguments, Options& options) {
  arguments.custom(
      "--device", "NAME", options.device.name,
      [&options](const std::string& name) { set_device(options, name); },
      "what to compute with: cpu is fast, eigen is the reference, gpu runs the CUDA kernels, and "
      "emulated runs them on the processor, slowly");
  arguments.integer("--threads", options.device.threads, 0, kMostThreads,
                    "threads of cpu and eigen; 0 means one for each core");
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
