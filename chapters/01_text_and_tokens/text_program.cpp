#include "chapters/01_text_and_tokens/text_program.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "chapters/01_text_and_tokens/measure.h"
#include "chapters/01_text_and_tokens/pieces.h"
#include "src/app/options.h"
#include "src/app/output.h"
#include "src/app/program.h"
#include "src/app/run_record.h"
#include "src/core/error.h"
#include "src/text/chat_template.h"
#include "src/text/utf8.h"

namespace quire {
namespace {

struct TextOptions {
  Options shared;
  std::string encode = "Once upon a time";
  std::optional<std::string> encode_file, decode, decode_file, measure, chat;
  bool special = false;  // tokens that the text spells
  bool bare = false;     // no tokens around the text
  bool merges = false;
};

void add_options(Arguments& arguments, TextOptions& options) {
  const auto take = [&](const char* name, const char* type, std::optional<std::string>& value,
                        const char* help) {
    arguments.custom(
        name, type, "", [&value](const std::string& text) { value = text; }, help);
  };
  add_model_option(arguments, options.shared);
  arguments.text("--encode", "TEXT", options.encode, "text to make tokens of");
  take("--encode-file", "FILE", options.encode_file, "one text a line; - is standard input");
  take("--decode", "IDS", options.decode, "ids to make text of, such as 813,905 or [813, 905]");
  take("--decode-file", "FILE", options.decode_file, "ids of one text a line; - as above");
  take("--measure", "FILE", options.measure, "encode a megabyte of this text, and of others");
  take("--chat", "FILE", options.chat, "messages, as the model's chat template puts them");
  arguments.flag("--special", options.special, "special tokens: find them in texts, show them");
  arguments.flag("--bare", options.bare, "put no special tokens around texts");
  arguments.flag("--merges", options.merges, "also show each merge of each word of --encode");
  add_json_option(arguments, options.shared);
  const std::string_view kDeeds[] = {"--encode", "--encode-file", "--decode", "--decode-file",
                                     "--measure"};
  for (const std::string_view deed : kDeeds) {
    for (const std::string_view other : kDeeds) {
      if (deed < other) arguments.exclude(std::string(deed), std::string(other));
    }
  }
}

void for_each_line(const std::string& file, const std::function<void(std::string_view)>& take) {
  require(!file.empty(), "a file is \"\", expected its name, or - for standard input");
  const std::string text = read_file(file == "-" ? "/dev/stdin" : file);
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    take(std::string_view(text).substr(begin, end - begin));
    begin = end + 1;
  }
}

class TextProgram {
 public:
  explicit TextProgram(const TextOptions& options)
      : options_(options), tokenizer_(Tokenizer::load(options.shared.model / "tokenizer.json")) {}

  void run() const {
    if (options_.measure) {
      write_out(quire::measure(tokenizer_, read_file(*options_.measure)).text());
    } else if (options_.decode) {
      show_text(parse_ids(*options_.decode, "--decode"));
    } else if (options_.decode_file) {
      for_each_line(*options_.decode_file,
                    [&](std::string_view line) { show_text(parse_ids(line, "--decode-file")); });
    } else if (options_.chat) {
      show_chat(*options_.chat);
    } else if (options_.encode_file) {
      for_each_line(*options_.encode_file, [&](std::string_view line) { show_line(line); });
    } else {
      if (options_.merges && !options_.shared.json) {
        write_out(merges_of(tokenizer_, options_.encode) + "\n");
      }
      show_tokens(encode(options_.encode), options_.encode.size());
    }
  }

 private:
  std::vector<TokenId> encode(std::string_view text) const {
    return tokenizer_.encode(text,
                             {.add_special = !options_.bare, .parse_special = options_.special});
  }

  void show_text(const std::vector<TokenId>& tokens) const {
    const std::string text = to_valid_utf8(tokenizer_.decode(tokens, options_.special));
    if (options_.shared.json) return write_json(text);
    write_out(text + "\n");
  }

  void show_line(std::string_view text) const {
    const std::vector<TokenId> tokens = encode(text);
    if (options_.shared.json) return write_json(to_json(tokens));
    write_out(fmt::format("{}  {}\n", to_json(tokens).dump(), pieces_line(tokenizer_, tokens)));
  }

  void show_chat(const std::string& file) const {
    const ChatTemplate chat = ChatTemplate::load(options_.shared.model);
    const std::vector<ChatMessage> messages = read_messages(read_json(file), file);
    show_tokens(chat.encode(tokenizer_, messages, /*answer=*/true),
                chat.render(messages, /*answer=*/true).size());
  }

  void show_tokens(const std::vector<TokenId>& tokens, std::size_t bytes) const {
    if (options_.shared.json) return write_json(to_json(tokens));
    write_out(pieces_table(tokenizer_, tokens).text());
    write_out(fmt::format("\n{} tokens for {} bytes\n", tokens.size(), bytes));
  }

  const TextOptions& options_;
  Tokenizer tokenizer_;
};

}  // namespace

int run_text_program(int argc, char** argv) {
  Arguments arguments("Makes tokens of texts, and texts of tokens.");
  TextOptions options;
  add_options(arguments, options);
  return run(arguments, argc, argv, [&] { TextProgram(options).run(); });
}

}  // namespace quire
