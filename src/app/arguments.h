/// \file
/// \brief What a program accepts on its command line.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

namespace quire {

/// \brief The largest number that an option takes: programs compute in F32.
inline constexpr double kLargestNumber = std::numeric_limits<float>::max();

/// \brief The options of a program. Hides the parser, whose headers take long to compile.
///
/// A variable that an option sets holds the default until then, and must outlive the parsing.
class Arguments {
 public:
  /// \brief Receives the text of an option; throws Error if it is not right. Called once the whole
  /// command line is known to be accepted, so that it may do work, such as reading a file.
  using Take = std::function<void(const std::string&)>;

  /// \brief Only `--help` is accepted at first.
  /// \param about  what the program does, in a sentence
  explicit Arguments(const std::string& about);
  ~Arguments();
  Arguments(const Arguments&) = delete;             ///< Options refer to it.
  Arguments& operator=(const Arguments&) = delete;  ///< Options refer to it.

  /// \brief An option without a value.
  /// \param name   such as "--json"
  /// \param value  becomes true if it is given
  /// \param help   what it does
  void flag(const std::string& name, bool& value, const std::string& help);
  /// \brief An option whose value is any text.
  /// \param name   such as "--prompt"
  /// \param type   what `--help` calls the value: "TEXT", "FILE" ...
  /// \param value  receives it
  /// \param help   what it does
  void text(const std::string& name, const std::string& type, std::string& value,
            const std::string& help);
  /// \brief An option whose value is a whole number.
  /// \param name     such as "--threads"
  /// \param value    receives it
  /// \param lowest   the least value that is right
  /// \param highest  the greatest value that is right
  /// \param help     what it does
  void integer(const std::string& name, int& value, int lowest, int highest,
               const std::string& help);
  /// \brief An option whose value is a finite number.
  /// \param name     such as "--temperature"
  /// \param value    receives it
  /// \param lowest   the least value that is right
  /// \param help     what it does
  /// \param highest  the greatest value that is right
  void number(const std::string& name, double& value, double lowest, const std::string& help,
              double highest = kLargestNumber);
  /// \brief An option that takes its value as it likes.
  /// \param name      such as "--model"
  /// \param type      what `--help` calls the value
  /// \param fallback  what `--help` shows as the default; empty for none
  /// \param take      called with the value
  /// \param help      what it does
  void custom(const std::string& name, const std::string& type, const std::string& fallback,
              Take take, const std::string& help);
  /// \brief An option that may be given several times, with a value each time.
  /// \param name  such as "--stop"
  /// \param type  what `--help` calls the value
  /// \param take  called with each value
  /// \param help  what it does
  void list(const std::string& name, const std::string& type, Take take, const std::string& help);
  /// \brief A value without a name, which must be given.
  /// \param name   what `--help` and messages call it: "FILE"
  /// \param value  receives it
  /// \param help   what it is
  void operand(const std::string& name, std::string& value, const std::string& help);
  /// \brief Refuses two options together.
  /// \param name   one of them
  /// \param other  the other
  void exclude(const std::string& name, const std::string& other);

  /// \brief Parses a command line.
  /// \param argc  as in main
  /// \param argv  as in main
  /// \return false if help was asked for; then nothing else counts
  /// \throws Error that says what is not accepted
  bool parse(int argc, const char* const* argv);
  /// \brief What `--help` prints.
  std::string help() const;

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
};

/// \brief A whole number as it is given on a command line.
/// \param name     the option, for messages
/// \param text     what was given
/// \param lowest   the least value that is right
/// \param highest  the greatest value that is right
/// \throws Error that says what was given and what would be right
std::int64_t parse_integer(std::string_view name, std::string_view text, std::int64_t lowest,
                           std::int64_t highest);

/// \brief A whole number of 64 bits, from 0 on, as it is given on a command line.
/// \param name  the option, for messages
/// \param text  what was given
/// \throws Error that says what was given and what would be right
std::uint64_t parse_unsigned(std::string_view name, std::string_view text);

/// \brief A number that F32 can hold as it is given on a command line.
/// \param name     the option, for messages
/// \param text     what was given
/// \param lowest   the least value that is right
/// \param highest  the greatest value that is right
/// \throws Error that says what was given and what would be right
double parse_number(std::string_view name, std::string_view text, double lowest,
                    double highest = kLargestNumber);

}  // namespace quire
