#include "src/app/eval_program.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/app/progress.h"
#include "src/core/error.h"
#include "src/model/evaluate.h"
#include "src/report/format.h"
#include "src/report/table.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

constexpr std::size_t kMostTextBytes = std::size_t{1} << 30;
constexpr int kMostTokens = std::numeric_limits<int>::max();

struct EvalOptions {
  Options shared;
  std::string file;
  EvaluationOptions windows;
};

struct Result {
  Evaluation evaluation;
  std::uint64_t bytes = 0;
  double seconds = 0;

  double nats_per_byte() const { return evaluation.nats / static_cast<double>(bytes); }
};

// The text of a file, all of it UTF-8.
std::string read_text(const std::string& file) {
  std::string text = read_file(file, kMostTextBytes);
  require(!text.empty(), "{} is empty, expected a text of at least two tokens", in_quotes(file));
  for (std::size_t at = 0; at < text.size();) {
    const Utf8Unit unit = first_unit(std::string_view(text).substr(at));
    require(unit.kind == Utf8Kind::character,
            "{} is not UTF-8: no character begins at byte {}; expected a text", in_quotes(file),
            at);
    at += unit.bytes;
  }
  return text;
}

// The bytes of the text that the scored tokens stand for.
std::uint64_t scored_bytes(const Tokenizer& tokenizer, const std::vector<TokenId>& tokens) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 1; i < tokens.size(); ++i) {
    if (!tokenizer.is_special(tokens[i])) bytes += tokenizer.piece(tokens[i]).size();
  }
  return bytes;
}

Result measure(const EvalOptions& options, LoadedModel& model, const MakeMemory& make,
               const std::vector<TokenId>& tokens) {
  const EvaluationOptions windows = resolve(options.windows, model.config());
  const int longest = static_cast<int>(
      std::min<std::size_t>(tokens.size(), static_cast<std::size_t>(windows.context)));
  const Memory memory = make(*model.ops, model.config(), std::max(longest - 1, 1));
  Progress progress("evaluating", static_cast<Index>(tokens.size()));
  const auto start = std::chrono::steady_clock::now();
  Result result;
  result.evaluation = evaluate(*model.decoder, *memory.manager, *memory.storage, tokens, windows,
                               [&](int scored) { progress.advance(scored); });
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  result.bytes = scored_bytes(model.tokenizer, tokens);
  return result;
}

Table table_of(const Result& result) {
  const Evaluation& e = result.evaluation;
  Table table({{.title = "tokens scored"},
               {.title = "of bytes"},
               {.title = "windows"},
               {.title = "nats/token"},
               {.title = "nats/byte"},
               {.title = "perplexity"},
               {.title = "time"}});
  table.row({format_count(e.scored),
             format_count(result.bytes),
             format_count(e.windows),
             {format_number(e.nats_per_token(), 5), e.nats_per_token()},
             {format_number(result.nats_per_byte(), 5), result.nats_per_byte()},
             {format_number(e.perplexity(), 5), e.perplexity()},
             {format_seconds(result.seconds), result.seconds}});
  return table;
}

Json to_json(const Result& result, const EvaluationOptions& windows) {
  const Evaluation& e = result.evaluation;
  return {{"scored_tokens", e.scored},
          {"scored_bytes", result.bytes},
          {"fed_tokens", e.fed},
          {"windows", e.windows},
          {"context", windows.context},
          {"stride", windows.stride},
          {"nats", e.nats},
          {"nats_per_token", e.nats_per_token()},
          {"nats_per_byte", result.nats_per_byte()},
          {"perplexity", e.perplexity()},
          {"seconds", result.seconds}};
}

void judge(const EvalOptions& options, const MakeMemory& make) {
  const std::string text = read_text(options.file);
  LoadedModel model = load_model(options.shared.model, options.shared.device);
  const EvaluationOptions windows = resolve(options.windows, model.config());
  const Result result = measure(options, model, make, model.tokenizer.encode(text));
  if (options.shared.json) return write_json(to_json(result, windows));
  write_out(table_of(result).text());
}

}  // namespace

int run_eval_program(const std::string& about, const MakeMemory& make_memory, int argc,
                     char** argv) {
  Arguments arguments(about);
  EvalOptions options;
  arguments.operand("FILE", options.file, "a text in UTF-8");
  add_model_option(arguments, options.shared);
  arguments.integer("--context", options.windows.context, 0, kMostTokens,
                    "tokens that the model sees at once; 0 means as many as it can");
  arguments.integer("--stride", options.windows.stride, 0, kMostTokens,
                    "new tokens each time; 0 means half of the context");
  add_device_options(arguments, options.shared);
  add_json_option(arguments, options.shared);
  return run(arguments, argc, argv, [&] { judge(options, make_memory); });
}

}  // namespace quire
