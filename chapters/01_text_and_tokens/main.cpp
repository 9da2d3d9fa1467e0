#include "chapters/01_text_and_tokens/text_program.h"

int main(int argc, char** argv) {
  return quire::run_text_program(argc, argv);
}
