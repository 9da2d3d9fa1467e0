#include "src/app/generation_program.h"

#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/app/run_record.h"
#include "src/text/text_stream.h"

namespace quire {
namespace {

Json summary(const Generation& generation, const std::string& text, const RunRecord& record,
             const LoadedModel& model, std::uint64_t kv_bytes) {
  return {{"prompt_ids", to_json(generation.prompt)},
          {"ids", to_json(generation.tokens)},
          {"text", text},
          {"finish_reason", name_of(generation.finish)},
          {"device", model.ops->name()},
          {"weight_bytes", model.weight_bytes},
          {"kv_bytes_allocated", kv_bytes},
          {"seconds_to_first_token", record.tokens().front().seconds},
          {"seconds", record.tokens().back().seconds},
          {"counters", to_json(record.work())},
          {"steps", to_json(record.steps())}};
}

void continue_and_show(const Options& options, bool shapes, const MakeMemory& make_memory) {
  LoadedModel model = load_model(options.model, options.device);
  const std::vector<TokenId> prompt = model.tokenizer.encode(options.prompt);
  TextStream pieces(model.tokenizer);
  pieces.skip(prompt);
  std::string text;
  const auto show = [&](const std::string& piece) {
    text += piece;
    if (!options.json) write_out(piece);
  };
  RunRecord record([&](TokenId token) { show(pieces.push(token)); });
  // Refuses before anything is shown.
  token_limit(model.config(), prompt.size(), options.max_tokens);
  if (!options.json) write_out(options.prompt);
  std::uint64_t kv_bytes = 0;
  const Generation generation =
      continue_prompt(model, make_memory, prompt, generation_of(options), record, &kv_bytes);
  show(pieces.finish());
  if (options.json) return write_json(summary(generation, text, record, model, kv_bytes));
  write_out("\n\n" + steps_table(record).text());
  if (shapes) write_out("\n" + shapes_table(record).text());
}

}  // namespace

int run_generation_program(const std::string& about, const MakeMemory& make_memory, int argc,
                           char** argv) {
  Arguments arguments(about);
  Options options;
  bool shapes = false;
  add_all_options(arguments, options);
  arguments.flag("--shapes", shapes, "also show the shapes of the first two steps");
  return run(arguments, argc, argv, [&] { continue_and_show(options, shapes, make_memory); });
}

}  // namespace quire
