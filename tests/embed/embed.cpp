#include <iostream>

#include "chapters/04_kv_cache/slab.h"
#include "src/app/loaded_model.h"

int main(int, char** argv) {
  quire::LoadedModel model = quire::load_model(argv[1]);
  quire::Observer silent;
  const auto story = quire::continue_prompt(model, quire::memory_of<quire::Slab>,
                                            model.tokenizer.encode("Once upon a time"),
                                            {.max_tokens = 12}, silent);
  std::cout << model.tokenizer.decode(story.tokens) << '\n';
}
