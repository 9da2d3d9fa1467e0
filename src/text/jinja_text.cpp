#include "src/text/jinja_text.h"

#include <algorithm>
#include <cctype>
#include <vector>

#include "src/core/error.h"
#include "src/core/json.h"

namespace quire {
namespace {

bool is_space(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string in_literal(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

// A literal or another symbol of an expression.
struct Symbol {
  bool literal;
  std::string text;  // of a literal, without quotes and escapes

  bool is(std::string_view symbol) const { return !literal && text == symbol; }
};

class Canonical {
 public:
  Canonical(std::string_view text, std::string_view where) : rest_(text), where_(where) {
    if (rest_.ends_with('\n')) rest_.remove_suffix(1);  // as Jinja does
  }

  std::string run() {
    while (!rest_.empty()) {
      const std::size_t tag = std::min(find_tag(), rest_.size());
      std::string printed(rest_.substr(0, tag));
      rest_.remove_prefix(tag);
      trim_end(printed, trim_beginning(printed));
      if (!printed.empty()) result_ += "{{" + in_literal(printed) + "}}";
      if (!rest_.empty()) read_tag();
    }
    return std::move(result_);
  }

 private:
  std::size_t find_tag() const {
    std::size_t at = rest_.find('{');
    while (at != std::string_view::npos && at + 1 < rest_.size()) {
      if (rest_[at + 1] == '{' || rest_[at + 1] == '%' || rest_[at + 1] == '#') return at;
      at = rest_.find('{', at + 1);
    }
    return std::string_view::npos;
  }

  // Takes away what the tag before a printed text does; whether a line begins with what is left.
  bool trim_beginning(std::string& printed) const {
    std::size_t gone = 0;
    if (strip_after_) {
      while (gone < printed.size() && is_space(printed[gone])) ++gone;
    } else if (after_block_ && printed.starts_with('\n')) {
      gone = 1;
    }
    const bool line_begins = gone > 0 ? printed[gone - 1] == '\n' : result_.empty();
    printed.erase(0, gone);
    return line_begins;
  }

  // Takes away what the tag after it does.
  void trim_end(std::string& printed, bool line_begins) const {
    if (rest_.size() < 3) return;
    const auto without = [&printed](std::string_view blanks) {
      return printed.find_last_not_of(blanks) + 1;
    };
    if (rest_[2] == '-') return printed.resize(without(" \t\n\r"));
    if (rest_[1] == '{') return;
    const std::size_t size = without(" \t");
    if (size > 0 ? printed[size - 1] == '\n' : line_begins) printed.resize(size);
  }

  void read_tag() {
    const char kind = rest_[1];
    const std::string close = kind == '{' ? "}}" : std::string(1, kind) + "}";
    std::string_view body = rest_.substr(2);
    if (body.starts_with('-')) body.remove_prefix(1);
    std::vector<Symbol> symbols;
    if (kind == '#') {
      body.remove_prefix(std::min(body.find(close), body.size()));
    } else {
      symbols = read_symbols(body, close);
    }
    require(body.starts_with(close), "{}: a tag {} does not end", where_,
            in_quotes(rest_.substr(0, 30)));
    strip_after_ = rest_[rest_.size() - body.size() - 1] == '-';
    after_block_ = kind != '{';
    rest_ = body.substr(close.size());
    if (kind != '#') result_ += (kind == '{' ? "{{" : "{%") + written(symbols) + close;
  }

  std::vector<Symbol> read_symbols(std::string_view& body, const std::string& close) const {
    std::vector<Symbol> symbols;
    while (!body.empty() && !body.starts_with(close) && !body.starts_with("-" + close)) {
      if (is_space(body.front())) {
        body.remove_prefix(1);
      } else if (body.front() == '\'' || body.front() == '"') {
        add_literal(read_literal(body), symbols);
      } else {
        std::size_t size = 1;
        while (is_word(body[0]) && size < body.size() && is_word(body[size])) ++size;
        add_symbol(std::string(body.substr(0, size)), symbols);
        body.remove_prefix(size);
      }
    }
    if (body.starts_with('-')) body.remove_prefix(1);
    return symbols;
  }

  std::string read_literal(std::string_view& body) const {
    const char quote = body.front();
    std::string text;
    for (std::size_t i = 1; i < body.size(); ++i) {
      if (body[i] == quote) {
        body.remove_prefix(i + 1);
        return text;
      }
      if (body[i] == '\\' && i + 1 < body.size()) {
        const char escaped = body[++i];
        text += escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped;
      } else {
        text += body[i];
      }
    }
    fail("{}: a literal {} does not end", where_, in_quotes(body.substr(0, 30)));
  }

  static void add_literal(std::string text, std::vector<Symbol>& symbols) {
    const std::size_t size = symbols.size();
    if (size >= 2 && symbols[size - 1].is("+") && symbols[size - 2].literal) {
      symbols.pop_back();
      symbols.back().text += text;
      return;
    }
    if (size >= 2 && symbols[size - 1].is("(") && symbols[size - 2].is("raise_exception"))
      text = "";
    symbols.push_back({true, std::move(text)});
  }

  static void add_symbol(std::string text, std::vector<Symbol>& symbols) {
    const std::size_t size = symbols.size();
    if (text == "]" && size >= 2 && symbols[size - 1].literal && symbols[size - 2].is("[")) {
      symbols[size - 2].text = ".";
      symbols[size - 1].literal = false;
      return;
    }
    symbols.push_back({false, std::move(text)});
  }

  static std::string written(const std::vector<Symbol>& symbols) {
    std::string line;
    for (const Symbol& symbol : symbols) {
      const std::string text = symbol.literal ? in_literal(symbol.text) : symbol.text;
      if (!line.empty() && is_word(line.back()) && is_word(text.front())) line += ' ';
      line += text;
    }
    return line;
  }

  std::string_view rest_, where_;
  std::string result_;
  bool strip_after_ = false;  // the last tag ended with -
  bool after_block_ = false;  // the last tag printed nothing, and takes the end of its line with it
};

}  // namespace

std::string canonical_jinja(std::string_view text, std::string_view where) {
  return Canonical(text, where).run();
}

}  // namespace quire
