#include "chapters/01_text_and_tokens/pieces.h"

#include <algorithm>
#include <limits>

#include "src/app/arguments.h"
#include "src/core/error.h"
#include "src/core/json.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

// Bytes as they may stand in a line, without quotes around them.
std::string escaped(std::string_view bytes) {
  const std::string quoted = Json(to_valid_utf8(bytes)).dump();
  return quoted.substr(1, quoted.size() - 2);
}

std::string hex(std::string_view bytes) {
  constexpr std::size_t kShown = 8;
  std::string text;
  for (const char byte : bytes.substr(0, kShown)) {
    text += fmt::format("{}{:02x}", text.empty() ? "" : " ", static_cast<unsigned char>(byte));
  }
  return bytes.size() > kShown ? text + " ..." : text;
}

std::string piece_of(const Tokenizer& tokenizer, TokenId token) {
  const std::string_view bytes = tokenizer.piece(token);
  if (tokenizer.is_special(token)) return fmt::format("special {}", escaped(bytes));
  return to_valid_utf8(bytes) == bytes ? in_quotes(bytes) : "no whole characters";
}

std::string joined(const Tokenizer& tokenizer, std::span<const TokenId> tokens) {
  std::string line;
  for (const TokenId token : tokens) {
    line += fmt::format("{}{}", line.empty() ? "" : "|", escaped(tokenizer.piece(token)));
  }
  return line;
}

}  // namespace

Table pieces_table(const Tokenizer& tokenizer, std::span<const TokenId> tokens) {
  Table table({{.title = "id"},
               {.title = "bytes", .align = Align::left},
               {.title = "piece", .align = Align::left}});
  for (const TokenId token : tokens) {
    table.row({fmt::format("{}", to_int(token)), hex(tokenizer.piece(token)),
               piece_of(tokenizer, token)});
  }
  return table;
}

std::string pieces_line(const Tokenizer& tokenizer, std::span<const TokenId> tokens) {
  return joined(tokenizer, tokens);
}

std::string merges_of(const Tokenizer& tokenizer, std::string_view text) {
  std::string lines;
  tokenizer.explain(
      text,
      [&](std::string_view word) { lines += fmt::format("word       {}\n", in_quotes(word)); },
      [&](const MergeEvent& event) {
        lines += fmt::format("rule {:>5} {}\n", event.rank, joined(tokenizer, event.tokens));
      });
  return lines;
}

std::vector<TokenId> parse_ids(std::string_view text, std::string_view where) {
  constexpr std::string_view kBetween = " \t\r\n,";
  constexpr int kHighest = std::numeric_limits<std::int32_t>::max();
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::size_t end = text.find_last_not_of(" \t\r\n") + 1;
  if (begin < end && text[begin] == '[' && text[end - 1] == ']') {
    text = text.substr(begin + 1, end - begin - 2);
  }
  std::vector<TokenId> tokens;
  for (std::size_t at = 0; (at = text.find_first_not_of(kBetween, at)) != std::string_view::npos;) {
    const std::size_t stop = std::min(text.find_first_of(kBetween, at), text.size());
    const auto id = parse_integer(where, text.substr(at, stop - at), 0, kHighest);
    tokens.push_back(TokenId{static_cast<std::int32_t>(id)});
    at = stop;
  }
  return tokens;
}

}  // namespace quire
