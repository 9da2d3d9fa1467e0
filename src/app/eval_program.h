/// \file
/// \brief The program that judges a model by a text, whoever remembers: its caller brings the memory.
#pragma once

#include <string>

#include "src/app/loaded_model.h"

namespace quire {

/// \brief Runs the program `eval FILE`: how well the model predicts the file's text.
///
/// Prints the negative log-likelihood in nats per token and per byte, and the perplexity, as a table
/// or, with `--json`, as one object. Bytes are those that the scored tokens stand for: without a BOS
/// token the text's first token is not scored, and its bytes do not count. Long texts are cut into
/// windows as EvaluationOptions says, by `--context N` and `--stride N`. On a terminal a line shows
/// how far it is. A file that is empty, not UTF-8 or shorter than two tokens is an error.
/// \param about        one line for `--help`
/// \param make_memory  who remembers
/// \param argc         as in main
/// \param argv         as in main
/// \return the exit status
int run_eval_program(const std::string& about, const MakeMemory& make_memory, int argc,
                     char** argv);

}  // namespace quire
