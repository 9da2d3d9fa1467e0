#include "chapters/02_decoder/no_cache.h"
#include "src/app/generation_program.h"

int main(int argc, char** argv) {
  return quire::run_generation_program(
      "Continues a text without a cache: every step computes all "
      "tokens again.",
      quire::memory_of<quire::NoCache>, argc, argv);
}
