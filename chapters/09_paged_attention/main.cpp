#include <fmt/format.h>

#include "chapters/09_paged_attention/gathered_storage.h"
#include "chapters/09_paged_attention/usage.h"
#include "src/app/loaded_model.h"
#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/app/run_record.h"

namespace quire {
namespace {

struct PagedOptions {
  Options shared;
  int samples = 4;
  int block_size = 16;
  bool gather = false;
  std::string figure;
};

std::unique_ptr<KvCache> storage_of(const PagedOptions& options, LoadedModel& model,
                                    const BlockManager& manager) {
  const KvShape shape = kv_shape_of(model.config());
  if (options.gather) return std::make_unique<GatheredStorage>(*model.ops, shape, manager);
  return std::make_unique<KvStorage>(*model.ops, shape, manager, true);
}

std::string text_of(const LoadedModel& model, const Generation& sample) {
  return model.tokenizer.decode(sample.tokens);
}

std::string list_of(const std::vector<BlockId>& blocks) {
  std::string list;
  for (const BlockId block : blocks) {
    list += (list.empty() ? "" : " ") + std::to_string(to_int(block));
  }
  return list;
}

Table samples_table(const Forks& forks) {
  Table table({{.title = "sample"},
               {.title = "tokens"},
               {.title = "ended by", .align = Align::left},
               {.title = "its blocks, in position order", .align = Align::left}});
  for (std::size_t k = 0; k < forks.samples.size(); ++k) {
    const Generation& sample = forks.samples[k];
    table.row({std::to_string(k), std::to_string(sample.tokens.size()),
               std::string(name_of(sample.finish)), list_of(forks.tables[k])});
  }
  return table;
}

Json to_json(const LoadedModel& model, const Forks& forks, const MemoryOfForks& memory) {
  Json samples = Json::array();
  for (std::size_t k = 0; k < forks.samples.size(); ++k) {
    Json blocks = Json::array();
    for (const BlockId block : forks.tables[k]) blocks.push_back(to_int(block));
    samples.push_back({{"ids", to_json(forks.samples[k].tokens)},
                       {"text", text_of(model, forks.samples[k])},
                       {"finish_reason", name_of(forks.samples[k].finish)},
                       {"blocks", std::move(blocks)}});
  }
  return {{"prompt_ids", to_json(forks.samples[0].prompt)},
          {"samples", std::move(samples)},
          {"memory", to_json(memory)}};
}

void show(const PagedOptions& options, const LoadedModel& model, const Forks& forks,
          const MemoryOfForks& memory) {
  if (options.shared.json) return write_json(to_json(model, forks, memory));
  for (std::size_t k = 0; k < forks.samples.size(); ++k) {
    write_out(fmt::format("[sample {}]\n{}{}\n\n", k, options.shared.prompt,
                          text_of(model, forks.samples[k])));
  }
  write_out(samples_table(forks).text() + "\n" + memory_table(memory).text());
  write_out(fmt::format("\nBlocks copied before they were written: {}\n", memory.copies));
}

void continue_in_blocks(const PagedOptions& options) {
  LoadedModel model = load_model(options.shared.model, options.shared.device);
  const std::vector<TokenId> prompt = model.tokenizer.encode(options.shared.prompt);
  const int limit = token_limit(model.config(), prompt.size(), options.shared.max_tokens);
  const int longest = static_cast<int>(prompt.size()) + limit - 1;
  const Index blocks = options.samples * blocks_needed(longest, options.block_size);
  BlockManager manager(static_cast<int>(blocks), options.block_size);
  const auto storage = storage_of(options, model, manager);
  const Forks forks = generate_forks(*model.decoder, manager, *storage, prompt, options.samples,
                                     generation_of(options.shared));
  const MemoryOfForks memory = memory_of(forks, options.block_size, longest);
  if (!options.figure.empty()) {
    write_file(options.figure, memory_chart(forks, memory).svg(), "--figure");
  }
  show(options, model, forks, memory);
}

}  // namespace
}  // namespace quire

int main(int argc, char** argv) {
  quire::Arguments arguments(
      "Continues a prompt several times; its keys and values lie in blocks "
      "that the samples share.");
  quire::PagedOptions options;
  quire::add_all_options(arguments, options.shared);
  arguments.integer("--n", options.samples, 1, 64, "samples of the prompt");
  arguments.integer("--block-size", options.block_size, 1, 256, "rows a block");
  arguments.flag("--gather", options.gather,
                 "copy blocks into dense memory before each attention, instead of reading them "
                 "through the table");
  arguments.text("--figure", "FILE", options.figure,
                 "a chart of the memory over the steps, as SVG");
  return quire::run(arguments, argc, argv, [&] { quire::continue_in_blocks(options); });
}
