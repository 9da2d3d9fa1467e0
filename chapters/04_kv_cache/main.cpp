#include "chapters/04_kv_cache/slab.h"
#include "src/app/generation_program.h"

int main(int argc, char** argv) {
  return quire::run_generation_program(
      "Continues a text with a KV cache: a step computes only what "
      "is new.",
      quire::memory_of<quire::Slab>, argc, argv);
}
