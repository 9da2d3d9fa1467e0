#include <fmt/format.h>

#include "chapters/03_sampling/sample.h"
#include "src/app/output.h"
#include "src/app/program.h"

namespace quire {
namespace {

struct SamplingProgramOptions {
  Options shared;
  int samples = 1;
  int explain = 0;  // which token, from 1; 0 explains none
  int rows = 10;
  std::string figure;
};

// What there is to say of a sample besides its text.
void show(const SamplingProgramOptions& options, const Sample& sample, const Tokenizer& tokenizer) {
  write_out(fmt::format("\n\n{} tokens, reason: {}\n", sample.generation.tokens.size(),
                        name_of(sample.generation.finish)));
  if (!sample.generation.logprobs.empty()) {
    write_out("\n" + logprobs_table(sample, tokenizer).text());
  }
  if (options.explain == 0) return;
  if (sample.record.stages().empty()) {
    return write_out(fmt::format("\nThe text ended before token {}.\n", options.explain));
  }
  write_out(fmt::format("\nHow token {} was chosen:\n\n", options.explain));
  write_out(stages_table(sample.record, tokenizer, options.rows).text());
}

Json to_json(const SamplingProgramOptions& options, const std::vector<TokenId>& prompt,
             const std::vector<Sample>& samples, const Tokenizer& tokenizer) {
  Json array = Json::array();
  for (const Sample& sample : samples) {
    array.push_back(quire::to_json(sample, tokenizer));
    if (sample.record.stages().empty()) continue;
    array.back()["explained"] = quire::to_json(sample.record, tokenizer, options.rows);
  }
  return {{"prompt_ids", quire::to_json(prompt)}, {"samples", std::move(array)}};
}

void take_samples(SamplingProgramOptions& options) {
  Options& request = options.shared;
  LoadedModel model = load_model(request.model, request.device);
  const std::vector<TokenId> prompt = model.tokenizer.encode(request.prompt);
  token_limit(model.config(), prompt.size(),
              request.max_tokens);  // refuses before anything is shown
  check(request.sampling, model.config().vocabulary);
  const auto write = [&](const std::string& piece) {
    if (!request.json) write_out(piece);
  };
  std::vector<Sample> samples;
  for (int& k = request.sampling.sample; k < options.samples; ++k) {
    if (options.samples > 1) write(fmt::format("{}[sample {}]\n", k == 0 ? "" : "\n", k));
    write(request.prompt);
    samples.push_back(take_sample(model, prompt, request, options.explain - 1, write));
    const Sample& sample = samples.back();
    if (!options.figure.empty() && !sample.record.stages().empty()) {
      write_file(options.figure, stages_chart(sample.record, model.tokenizer, options.rows).svg(),
                 "--figure");
    }
    if (!request.json) show(options, sample, model.tokenizer);
  }
  if (request.json) return write_json(to_json(options, prompt, samples, model.tokenizer));
  if (samples.size() > 1 && request.logprobs) write_out("\n" + samples_table(samples).text());
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments("Continues a text, and lets you say how each token is chosen.");
  quire::SamplingProgramOptions options;
  quire::add_all_options(arguments, options.shared);
  quire::add_sampling_options(arguments, options.shared);
  quire::add_stop_options(arguments, options.shared);
  arguments.integer("--n", options.samples, 1, 1000,
                    "samples of the prompt, each with a stream of "
                    "random numbers of its own");
  arguments.integer("--explain", options.explain, 0, 1000000,
                    "show what each operation did to the choice of this token, counted from 1");
  arguments.integer("--rows", options.rows, 1, 1000, "likeliest tokens that --explain shows");
  arguments.text("--figure", "FILE", options.figure, "a chart of what --explain shows, as SVG");
  return quire::run(arguments, argc, argv, [&] { quire::take_samples(options); });
}
