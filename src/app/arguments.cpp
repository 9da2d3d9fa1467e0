#include "src/app/arguments.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <filesystem>
#include <list>
#include <utility>
#include <vector>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

// Whether all of the text is one number of this type.
template <class Number>
bool parse_all(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

// A number of a range, whose type may hold more.
template <class Integer>
Integer parse_whole(std::string_view name, std::string_view text, Integer lowest, Integer highest) {
  Integer value = 0;
  const bool right = parse_all(text, value) && lowest <= value && value <= highest;
  require(right, "{} is {}, expected a whole number, {} to {}", name, in_quotes(text), lowest,
          highest);
  return value;
}

}  // namespace

struct Arguments::Parser {
  explicit Parser(const std::string& about) : app(about) {}
  CLI::App app;
  std::vector<std::function<void()>> takes;  // of the options given, in order
};

Arguments::Arguments(const std::string& about) : parser_(std::make_unique<Parser>(about)) {}

Arguments::~Arguments() = default;

void Arguments::flag(const std::string& name, bool& value, const std::string& help) {
  parser_->app.add_flag(name, value, help);
}

void Arguments::text(const std::string& name, const std::string& type, std::string& value,
                     const std::string& help) {
  custom(
      name, type, value, [&value](const std::string& text) { value = text; }, help);
}

void Arguments::integer(const std::string& name, int& value, int lowest, int highest,
                        const std::string& help) {
  const auto take = [=, &value](const std::string& text) {
    value = static_cast<int>(parse_integer(name, text, lowest, highest));
  };
  custom(name, "N", fmt::format("{}", value), take, help);
}

void Arguments::number(const std::string& name, double& value, double lowest,
                       const std::string& help, double highest) {
  const auto take = [=, &value](const std::string& text) {
    value = parse_number(name, text, lowest, highest);
  };
  custom(name, "X", fmt::format("{}", value), take, help);
}

void Arguments::custom(const std::string& name, const std::string& type,
                       const std::string& fallback, Take take, const std::string& help) {
  const auto keep = [this, take = std::move(take)](const std::string& text) {
    parser_->takes.emplace_back([take, text] { take(text); });
  };
  parser_->app.add_option_function<std::string>(name, keep, help)
      ->type_name(type)
      ->default_str(fallback);
}

void Arguments::list(const std::string& name, const std::string& type, Take take,
                     const std::string& help) {
  const auto keep = [this, take = std::move(take)](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      parser_->takes.emplace_back([take, text] { take(text); });
    }
  };
  parser_->app.add_option_function<std::vector<std::string>>(name, keep, help)
      ->type_name(type)
      ->allow_extra_args(false);
}

void Arguments::operand(const std::string& name, std::string& value, const std::string& help) {
  parser_->app.add_option(name, value, help)->required()->type_name("");
}

void Arguments::exclude(const std::string& name, const std::string& other) {
  parser_->app.get_option(name)->excludes(parser_->app.get_option(other));
}

namespace {

// The words of a command line, where `--name=` becomes `--name` and an empty text: the parser would take
// the word after it for its value, whatever that is.
std::vector<const char*> with_empty_values(int argc, const char* const* argv,
                                           std::list<std::string>& names) {
  std::vector<const char*> words(argv, argv + std::min(argc, 1));
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word.starts_with("--") && word.ends_with("=")) {
      words.push_back(names.emplace_back(word.substr(0, word.size() - 1)).c_str());
      words.push_back("");
    } else {
      words.push_back(argv[i]);
    }
  }
  return words;
}

}  // namespace

bool Arguments::parse(int argc, const char* const* argv) {
  // Otherwise --help would show the path by which the program was called.
  parser_->app.name(std::filesystem::path(argv[0]).filename().string());
  try {
    std::list<std::string> names;
    const auto words = with_empty_values(argc, argv, names);
    parser_->app.parse(static_cast<int>(words.size()), words.data());
  } catch (const CLI::CallForHelp&) {
    return false;
  } catch (const CLI::ParseError& error) {
    fail("{} (--help lists what is accepted)", error.what());
  }
  for (const auto& take : parser_->takes) take();
  return true;
}

std::string Arguments::help() const {
  return parser_->app.help();
}

std::int64_t parse_integer(std::string_view name, std::string_view text, std::int64_t lowest,
                           std::int64_t highest) {
  return parse_whole(name, text, lowest, highest);
}

std::uint64_t parse_unsigned(std::string_view name, std::string_view text) {
  return parse_whole<std::uint64_t>(name, text, 0, std::numeric_limits<std::uint64_t>::max());
}

double parse_number(std::string_view name, std::string_view text, double lowest, double highest) {
  double value = 0;  // NaN fails both comparisons
  const bool right = parse_all(text, value) && value >= lowest && value <= highest;
  require(right, "{} is {}, expected a finite number, {} to {:.3g}", name, in_quotes(text), lowest,
          highest);
  return value;
}

}  // namespace quire
