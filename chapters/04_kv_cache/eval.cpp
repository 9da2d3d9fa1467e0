#include "src/app/eval_program.h"

#include "chapters/04_kv_cache/slab.h"

int main(int argc, char** argv) {
  return quire::run_eval_program("Says how well a model predicts a text.",
                                 quire::memory_of<quire::Slab>, argc, argv);
}
