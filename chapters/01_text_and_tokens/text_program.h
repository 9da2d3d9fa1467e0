/// \file
/// \brief The program of chapter 01: text to tokens, and back.
#pragma once

namespace quire {

/// \brief Runs the program: encodes or decodes one text, or one for each line of a file.
///
/// One text is shown as a table of its tokens, lines as one line each. With `--json` each text is
/// one array of ids on a line of its own, and each list of ids one JSON string.
/// \param argc  as in main
/// \param argv  as in main
/// \return the exit status
int run_text_program(int argc, char** argv);

}  // namespace quire
