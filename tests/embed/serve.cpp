#include <iostream>

#include "chapters/09_paged_attention/block_manager.h"
#include "chapters/10_continuous_batching/engine.h"
#include "src/app/loaded_model.h"

// [serve]
int main(int, char** argv) {
  quire::LoadedModel model = quire::load_model(argv[1]);
  quire::BlockManager blocks(256, 16);  // 256 blocks of 16 rows
  quire::KvStorage cache(*model.ops, quire::kv_shape_of(model.config()), blocks, true);
  quire::Engine engine(*model.decoder, blocks, cache);
  for (const char* prompt : {"Once upon a time", "One morning", "The old dog"}) {
    engine.add({.prompt = model.tokenizer.encode(prompt), .options = {.max_tokens = 12}});
  }
  while (!engine.idle()) {
    for (const quire::Output& output : engine.step()) {
      std::cout << quire::to_int(output.sequence) << ':';
      if (output.token) std::cout << model.tokenizer.decode({{*output.token}}) << '\n';
    }
  }
}
// [serve]
