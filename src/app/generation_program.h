/// \file
/// \brief The program that continues a text, whoever remembers: a chapter brings the memory.
#pragma once

#include <string>

#include "src/app/loaded_model.h"

namespace quire {

/// \brief Runs a chapter's program: reads options, continues the prompt, shows what it cost.
///
/// Text goes to standard output as it is generated, followed by a table of steps and, with
/// `--shapes`, the shapes of the first two. With `--json` standard output is one object:
/// `prompt_ids`, `ids`, `text`, `finish_reason`, `device`, `counters`, `steps` and the sizes of the memory.
/// \param about        one line for `--help`
/// \param make_memory  who remembers
/// \param argc         as in main
/// \param argv         as in main
/// \return the exit status
int run_generation_program(const std::string& about, const MakeMemory& make_memory, int argc,
                           char** argv);

}  // namespace quire
