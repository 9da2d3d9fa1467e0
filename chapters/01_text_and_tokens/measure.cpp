#include "chapters/01_text_and_tokens/measure.h"

#include <algorithm>
#include <ctime>
#include <limits>

#include "src/core/error.h"
#include "src/core/random.h"
#include "src/report/format.h"

namespace quire {
namespace {

constexpr std::size_t kBytes = 1'000'000;

std::string repeated(std::string_view text) {
  std::string result;
  result.reserve(kBytes + text.size());
  while (result.size() < kBytes) result += text;
  result.resize(kBytes);
  return result;
}

std::string random_bytes(std::uint64_t lowest, std::uint64_t count) {
  Random random(1);
  std::string result(kBytes, '\0');
  for (char& c : result) c = static_cast<char>(lowest + random.below(count));
  return result;
}

void add_row(Table& table, const Tokenizer& tokenizer, const char* name, const std::string& text) {
  double least = std::numeric_limits<double>::infinity();
  std::size_t tokens = 0;
  for (int run = 0; run < 3; ++run) {
    const std::clock_t begin = std::clock();
    tokens = tokenizer.encode(text, {.add_special = false}).size();
    least = std::min(least, static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC);
  }
  const double bytes_a_token = static_cast<double>(kBytes) / static_cast<double>(tokens);
  table.row({name, format_count(tokens), format_number(bytes_a_token), format_seconds(least),
             format_number(static_cast<double>(kBytes) / least / 1e6)});
}

}  // namespace

Table measure(const Tokenizer& tokenizer, std::string_view text) {
  require(!text.empty(), "there is no text to measure with");
  Table table({{.title = "1,000,000 bytes of", .align = Align::left},
               {.title = "tokens"},
               {.title = "bytes a token"},
               {.title = "time"},
               {.title = "MB/s"}});
  add_row(table, tokenizer, "the text", repeated(text));
  add_row(table, tokenizer, "the letter a", repeated("a"));
  add_row(table, tokenizer, "random letters", random_bytes('a', 26));
  add_row(table, tokenizer, "random bytes", random_bytes(0, 256));
  return table;
}

}  // namespace quire
