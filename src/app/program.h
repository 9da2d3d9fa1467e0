/// \file
/// \brief The frame of every program: arguments in, exit status out, and no failure without a word.
#pragma once

#include <functional>

#include "src/app/arguments.h"

namespace quire {

/// \brief Exit status of a program that did what it was asked.
inline constexpr int kSuccess = 0;
/// \brief Exit status of a program that could not: one line on standard error says why.
inline constexpr int kFailure = 2;

/// \brief Parses a program's arguments and runs it.
///
/// Whatever is thrown becomes `error: ...` on standard error and status 2: wrong arguments, Error,
/// memory that is not there. The error is one line, its control characters escaped. `--help` prints
/// to standard output. A reader of standard output that goes away, such as `head`, ends the program
/// quietly and with success; output that cannot be written for another reason is an error.
/// \param arguments  what the program accepts
/// \param argc       as in main
/// \param argv       as in main
/// \param body       the program
/// \return what main returns: 0 or 2
int run(Arguments& arguments, int argc, char** argv, const std::function<void()>& body);

}  // namespace quire
