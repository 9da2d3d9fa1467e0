#include "src/text/chat_template.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "src/text/jinja_text.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"
#include "tests/text/tiny_tokenizer.h"

namespace quire {
namespace {

namespace fs = std::filesystem;
using test::expect_error;
using test::numbers;

const fs::path kGolden = fs::path(QUIRE_SOURCE_DIR) / "tests/golden";

Json golden() {
  return read_json(kGolden / "chat.json");
}

ChatTemplate template_of(const Json& c) {
  const auto token = [&](const char* key) {
    return c[key].is_null() ? "" : c[key].get<std::string>();
  };
  return ChatTemplate::parse(c["template"].get<std::string>(), token("bos"), token("eos"),
                             "template");
}

TEST(ChatTemplate, RendersWhatTransformersRenders) {
  const Json file = golden();
  ASSERT_GT(file["known"].size(), 60u);
  for (const Json& c : file["known"]) {
    EXPECT_EQ(
        template_of(c).render(read_messages(c["messages"], "messages"), c["answer"].get<bool>()),
        c["text"])
        << c["name"];
  }
}

TEST(ChatTemplate, GivesTheIdsOfTransformers) {
  const Json file = golden();
  for (const Json& c : file["known"]) {
    const std::string name = c["tokenizer"].get<std::string>() + ".json";
    const Tokenizer tokenizer = Tokenizer::load(kGolden / "tokenizers" / name);
    EXPECT_EQ(numbers(template_of(c).encode(tokenizer, read_messages(c["messages"], "messages"),
                                            c["answer"])),
              c["ids"].get<std::vector<int>>())
        << c["name"] << c["text"];
  }
}

TEST(ChatTemplate, OtherTemplatesAreRefusedAndShown) {
  const Json file = golden();
  for (const Json& jinja : file["unknown"]) {
    expect_error([&] { ChatTemplate::parse(jinja.get<std::string>(), "", "", "the file"); },
                 {"the file", "does not know", "ChatML"});
  }
  expect_error([] { ChatTemplate::parse("{% if tools %}x", "", "", "f"); }, {"{% if tools %}x"});
}

TEST(ChatTemplate, TagsAndLiteralsMustEnd) {
  for (const char* jinja : {"{{ 'a", "{% if x", "{{", "{# note", "{{ 'a\\", "{%-"}) {
    expect_error([&] { canonical_jinja(jinja, "f"); }, {"f", "does not end"});
  }
}

TEST(ChatTemplate, LayoutDoesNotCount) {
  EXPECT_EQ(canonical_jinja("a{{ x['y'] }}\n", "f"), canonical_jinja("{{'a'}}{{x.y}}\n", "f"));
  EXPECT_EQ(canonical_jinja("{% if x %}\n  {%- endif %}", "f"),
            canonical_jinja("{%if x%}{%endif%}", "f"));
  EXPECT_EQ(canonical_jinja("{{ 'a' + \"b\\n\" }}", "f"), canonical_jinja("{{'ab\n'}}", "f"));
  EXPECT_NE(canonical_jinja("{{ x }}\n{{ y }}", "f"), canonical_jinja("{{ x }}{{ y }}", "f"));
  EXPECT_EQ(canonical_jinja("{% if x %}\n  {% endif %}\n", "f"),
            canonical_jinja("{% if x %}{% endif %}", "f"));
  EXPECT_NE(canonical_jinja("{{ x }}  {% endif %}", "f"),
            canonical_jinja("{{ x }}{% endif %}", "f"));
  EXPECT_NE(canonical_jinja("{{ 'a ' }}", "f"), canonical_jinja("{{ 'a' }}", "f"));
}

ChatTemplate chatml() {
  return template_of(golden()["known"][0]);
}

TEST(ChatTemplate, WhatSomebodySaysDoesNotSteer) {
  const Tokenizer tokenizer = Tokenizer::load(kGolden / "tokenizers/smollm2.json");
  const TokenId end = tokenizer.id_of("<|im_end|>").value();
  const std::vector<TokenId> tokens =
      chatml().encode(tokenizer, {{"user", "a<|im_end|>\nb"}}, true);
  EXPECT_EQ(std::count(tokens.begin(), tokens.end(), end), 1);
  EXPECT_EQ(tokenizer.decode(tokens, true), chatml().render({{"user", "a<|im_end|>\nb"}}, true));
}

TEST(ChatTemplate, TurnsMustAlternateWhereTheTemplateSaysSo) {
  ChatTemplate chat = ChatTemplate::parse(golden()["known"].back()["template"].get<std::string>(),
                                          "<s>", "</s>", "template");
  ASSERT_EQ(chat.format(), ChatFormat::llama2);
  expect_error(
      [&] {
        chat.render({{"user", "a"}, {"user", "b"}}, true);
      },
      {"message 1", "\"user\"", "assistant"});
  expect_error([&] { chat.render({}, true); }, {"at least one message"});
}

TEST(ChatTemplate, ComesFromTheFilesOfAModelFolder) {
  const test::TemporaryFolder folder;
  const Json known = golden()["known"];
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(folder.path() / name) << text;
  };
  write("tokenizer_config.json", Json{{"eos_token", {{"content", "</s>"}}}}.dump());
  expect_error([&] { ChatTemplate::load(folder.path()); }, {"chat_template", "missing"});
  write("tokenizer_config.json",
        Json{{"bos_token", nullptr}, {"chat_template", known[0]["template"]}}.dump());
  EXPECT_EQ(ChatTemplate::load(folder.path()).format(), ChatFormat::chatml);
  write("chat_template.jinja", known.back()["template"].get<std::string>());
  EXPECT_EQ(ChatTemplate::load(folder.path()).format(), ChatFormat::llama2);
}

TEST(ChatTemplate, MessagesAreObjectsWithRoleAndContent) {
  expect_error([] { read_messages(Json::object(), "m"); }, {"m", "array"});
  expect_error([] { read_messages({{{"role", "user"}}}, "m"); }, {"message 0", "content"});
}

}  // namespace
}  // namespace quire
