#include "src/text/tokenizer_json.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>

#include "tests/support/errors.h"
#include "tests/text/tiny_tokenizer.h"

namespace quire {
namespace {

using test::added_token;
using test::expect_error;
using test::ids;
using test::tiny_file;
using test::tokenizer_of;

struct Refusal {
  std::function<void(Json&)> change;
  std::initializer_list<std::string_view> words;
};

Json with_split(Json pattern) {
  const Json split = {{"type", "Split"}, {"pattern", std::move(pattern)}, {"behavior", "Isolated"}};
  const Json bytes = {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"use_regex", false}};
  return {{"type", "Sequence"}, {"pretokenizers", {split, bytes}}};
}

TEST(TokenizerJson, WhatWouldChangeIdsIsRefusedByName) {
  const Refusal refusals[] = {
      {[](Json& f) {
         f["normalizer"] = {{"type", "NFKC"}};
       },
       {"normalizer", "NFKC", "NFC"}},
      {[](Json& f) {
         f["normalizer"] = {{"type", "Replace"}, {"pattern", {{"String", "a"}}}, {"content", "b"}};
       },
       {"normalizer", "pattern", "\" \"", "\"a\""}},
      {[](Json& f) {
         f["normalizer"] = {{"type", "Prepend"}, {"prepend", "x"}};
       },
       {"prepend", "\u2581", "\"x\""}},
      {[](Json& f) {
         f["truncation"] = {{"max_length", 8}};
       },
       {"truncation"}},
      {[](Json& f) {
         f["padding"] = {{"pad_id", 0}};
       },
       {"padding"}},
      {[](Json& f) { f["version"] = "2.0"; }, {"version", "2.0"}},
      {[](Json& f) { f["pre_tokenizer"] = nullptr; }, {"pre_tokenizer", "missing"}},
      {[](Json& f) {
         f["pre_tokenizer"] = {{"type", "Metaspace"}};
       },
       {"pre_tokenizer", "Metaspace"}},
      {[](Json& f) {
         f["pre_tokenizer"] = {{"type", "Sequence"}};
       },
       {"pre_tokenizer", "pretokenizers", "missing"}},
      {[](Json& f) {
         f["pre_tokenizer"] = with_split({{"Regex", "\\w+|\\W+"}});
       },
       {"pre_tokenizer", "Regex", "\\\\w+|\\\\W+", "does not know", "Llama 3"}},
      {[](Json& f) {
         f["pre_tokenizer"] = with_split({{"String", " "}});
       },
       {"pattern", "Regex", "missing"}},
      {[](Json& f) {
         f["pre_tokenizer"] = with_split({{"Regex", "x"}});
         f["pre_tokenizer"]["pretokenizers"][0]["behavior"] = "Removed";
       },
       {"behavior", "Isolated", "Removed"}},
      {[](Json& f) {
         f["pre_tokenizer"] = with_split({{"Regex", "x"}});
         f["pre_tokenizer"]["pretokenizers"][0]["invert"] = true;
       },
       {"invert", "false"}},
      {[](Json& f) {
         f["pre_tokenizer"] = {{"type", "Sequence"},
                               {"pretokenizers", {f["pre_tokenizer"], f["pre_tokenizer"]}}};
       },
       {"ByteLevel", "last"}},
      {[](Json& f) {
         f["pre_tokenizer"] = {
             {"type", "Sequence"},
             {"pretokenizers",
              {{{"type", "Digits"}, {"individual_digits", false}}, f["pre_tokenizer"]}}};
       },
       {"individual_digits", "true"}},
      {[](Json& f) {
         f["pre_tokenizer"] = {{"type", "Sequence"},
                               {"pretokenizers", {{{"type", "Punctuation"}}, f["pre_tokenizer"]}}};
       },
       {"entry 0", "Punctuation", "Split"}},
      {[](Json& f) { f["pre_tokenizer"]["add_prefix_space"] = true; },
       {"add_prefix_space", "false"}},
      {[](Json& f) {
         f["decoder"] = {{"type", "WordPiece"}};
       },
       {"decoder", "WordPiece"}},
      {[](Json& f) { f["decoder"] = nullptr; }, {"decoder", "missing"}},
      {[](Json& f) {
         f["post_processor"] = {{"type", "BertProcessing"}};
       },
       {"BertProcessing"}},
      {[](Json& f) { f["model"]["type"] = "Unigram"; }, {"type", "Unigram"}},
      {[](Json& f) { f["model"]["byte_fallback"] = true; }, {"byte_fallback"}},
      {[](Json& f) { f["model"]["dropout"] = 0.1; }, {"dropout", "0.1"}},
      {[](Json& f) { f["model"]["end_of_word_suffix"] = "</w>"; }, {"end_of_word_suffix", "</w>"}},
      {[](Json& f) { f["model"]["continuing_subword_prefix"] = "##"; },
       {"continuing_subword_prefix", "##"}},
      {[](Json& f) { f["added_tokens"] = {added_token(256, std::string(1025, 'x'), true)}; },
       {"added_tokens", "entry 0", "1025", "1024"}},
  };
  for (const Refusal& refusal : refusals) {
    Json file = tiny_file();
    refusal.change(file);
    expect_error([&] { tokenizer_of(file); }, refusal.words);
  }
}

TEST(TokenizerJson, WhatContradictsItselfIsAnError) {
  const Refusal refusals[] = {
      {[](Json& f) { f = Json::array(); }, {"file", "must be a JSON object", "array"}},
      {[](Json& f) { f.erase("model"); }, {"model", "missing"}},
      {[](Json& f) { f["model"].erase("merges"); }, {"merges", "missing"}},
      {[](Json& f) { f["model"]["vocab"] = Json::array(); }, {"vocab", "must be a JSON object"}},
      {[](Json& f) { f["model"]["vocab"]["zz"] = 97; },
       {"file: ", "id 97", "two tokens", "\"a\"", "\"zz\""}},
      {[](Json& f) { f["model"]["vocab"]["zz"] = 257 + 65536; },
       {"file", "\"zz\"", "0 to 65792", "65793"}},
      {[](Json& f) { f["model"]["vocab"]["zz"] = -1; }, {"zz", "-1"}},
      {[](Json& f) { f["model"]["vocab"]["zz"] = 1 << 24; }, {"zz", "16777216"}},
      {[](Json& f) { f["model"]["vocab"]["zz"] = 1.5; }, {"zz", "1.5"}},
      {[](Json& f) { f["model"]["vocab"]["zz"] = "x"; }, {"zz", "whole number"}},
      {[](Json& f) { f["model"]["vocab"][""] = 256; }, {"empty"}},
      {[](Json& f) { f["model"]["merges"] = {"ab"}; }, {"merges", "entry 0", "ab"}},
      {[](Json& f) { f["model"]["merges"] = {"a b c"}; }, {"merges", "a b c"}},
      {[](Json& f) { f["model"]["merges"] = {7}; }, {"merges", "7"}},
      {[](Json& f) { f["model"]["merges"] = {Json::array({"a"})}; }, {"merges", "two tokens"}},
      {[](Json& f) { f["model"]["merges"] = {"a b"}; }, {"entry 0", "\"ab\"", "lacks"}},
      {[](Json& f) { f["added_tokens"] = {added_token(97, "<x>", true)}; },
       {"file: ", "added_tokens", "entry 0", "id 97", "two tokens", "\"a\"", "\"<x>\""}},
      {[](Json& f) { f["added_tokens"] = {added_token(300, "a", true)}; },
       {"file: ", "entry 0", "\"a\"", "two ids, 97 and 300"}},
      {[](Json& f) { f["added_tokens"] = {added_token(1 << 20, "<x>", true)}; },
       {"file", "entry 0", "\"<x>\"", "0 to 65792", "1048576"}},
      {[](Json& f) { f["added_tokens"] = {added_token(300, "", true)}; }, {"content", "empty"}},
      {[](Json& f) {
         f["post_processor"] = {{"type", "TemplateProcessing"}, {"single", Json::array()}};
       },
       {"single", "exactly once"}},
      {[](Json& f) {
         f["post_processor"] = {{"type", "TemplateProcessing"},
                                {"single", {{{"SpecialToken", {{"id", "<b>"}}}}}},
                                {"special_tokens", Json::object()}};
       },
       {"special_tokens", "<b>", "missing"}},
  };
  for (const Refusal& refusal : refusals) {
    Json file = tiny_file();
    refusal.change(file);
    expect_error([&] { tokenizer_of(file); }, refusal.words);
  }
}

TEST(TokenizerJson, AByteLevelVocabularyMayLackRareBytes) {
  Json file = tiny_file();
  file["model"]["vocab"].erase(spell("\x04"));
  const Tokenizer tokenizer = tokenizer_of(file);
  EXPECT_EQ(tokenizer.encode("a\x04z"), ids({'a', 'z'})) << "as in the tokenizers library";
}

TEST(TokenizerJson, WhatDoesNotSuitByteFallbackIsRefusedByName) {
  const Refusal refusals[] = {
      {[](Json& f) { f["model"]["vocab"].erase("<0x41>"); }, {"vocab", "<0x41>", "0x41", "256"}},
      {[](Json& f) { f["model"]["vocab"]["<0xG1>"] = 400; }, {"<0xG1>", "malformed", "<0x00>"}},
      {[](Json& f) { f["model"]["vocab"]["<0x1>"] = 400; }, {"<0x1>", "malformed"}},
      {[](Json& f) { f["added_tokens"] = {added_token(300, "<0x0a>", false)}; },
       {"added_tokens", "<0x0a>", "malformed"}},
      {[](Json& f) { f["model"]["byte_fallback"] = false; }, {"byte_fallback", "true", "decoder"}},
      {[](Json& f) { f["model"]["vocab"]["<0x41>a"] = 400, f["model"]["merges"] = {"<0x41> a"}; },
       {"entry 0", "byte piece", "<0x41>"}},
      {[](Json& f) {
         f["pre_tokenizer"] = {{"type", "ByteLevel"}, {"add_prefix_space", false}};
       },
       {"pre_tokenizer", "ByteLevel", "Metaspace"}},
      {[](Json& f) {
         f["pre_tokenizer"] = {{"type", "Metaspace"}, {"replacement", "_"}};
       },
       {"replacement", "_"}},
      {[](Json& f) {
         f["pre_tokenizer"] = {
             {"type", "Metaspace"}, {"replacement", "\u2581"}, {"prepend_scheme", "last"}};
       },
       {"prepend_scheme", "\"last\"", "always"}},
      {[](Json& f) { f["decoder"]["decoders"][3]["start"] = 2; }, {"start", "1", "2"}},
      {[](Json& f) { f["decoder"]["decoders"].erase(0); }, {"decoder", "ByteFallback", "Replace"}},
      {[](Json& f) { f["decoder"]["decoders"].erase(2), f["decoder"]["decoders"].erase(2); },
       {"decoder", "Fuse"}},
      {[](Json& f) {
         for (int byte = 0; byte < 256; ++byte) {
           f["model"]["vocab"].erase(byte_piece(static_cast<std::uint8_t>(byte)));
         }
       },
       {"unk_token", "missing"}},
      {[](Json& f) {
         for (int byte = 0; byte < 256; ++byte) {
           f["model"]["vocab"].erase(byte_piece(static_cast<std::uint8_t>(byte)));
         }
         f["model"]["unk_token"] = "<unk>";
       },
       {"unk_token", "<unk>", "lacks"}},
  };
  for (const Refusal& refusal : refusals) {
    Json file = test::fallback_file();
    refusal.change(file);
    expect_error([&] { tokenizer_of(file); }, refusal.words);
  }
}

TEST(TokenizerJson, AFileWithoutRegexHasTheTextForAWord) {
  Json file = tiny_file({{"a", "\u0120"}});
  EXPECT_EQ(tokenizer_of(file).encode("a b"), ids({'a', ' ', 'b'}));
  file["pre_tokenizer"]["use_regex"] = false;
  EXPECT_EQ(tokenizer_of(file).encode("a b"), ids({256, 'b'}));
}

TEST(TokenizerJson, NfcComposesTheTextBeforeItIsEncoded) {
  Json file = tiny_file();
  EXPECT_EQ(tokenizer_of(file).encode("e\u0301"), ids({'e', 0xcc, 0x81}));
  file["normalizer"] = {{"type", "NFC"}};
  EXPECT_EQ(tokenizer_of(file).encode("e\u0301"), ids({0xc3, 0xa9}));
}

TEST(TokenizerJson, AVocabularyWithoutBytePiecesHasAnUnknownToken) {
  Json file = test::fallback_file();
  for (int byte = 0; byte < 256; ++byte) {
    file["model"]["vocab"].erase(byte_piece(static_cast<std::uint8_t>(byte)));
  }
  file["model"]["vocab"]["<unk>"] = 0;
  file["model"]["unk_token"] = "<unk>";
  file["model"]["fuse_unk"] = true;
  EXPECT_EQ(tokenizer_of(file).encode("axyb"), ids({256, 257, 0, 258}));
}

TEST(TokenizerJson, HarmlessValuesAreAccepted) {
  Json file = tiny_file({{"a", "b"}});
  file["version"] = "1.0";
  file["model"].update({{"dropout", nullptr},
                        {"unk_token", nullptr},
                        {"continuing_subword_prefix", ""},
                        {"end_of_word_suffix", nullptr},
                        {"fuse_unk", false},
                        {"byte_fallback", false}});
  file["model"].erase("type");
  file["model"]["merges"] = {"a b"};
  EXPECT_EQ(tokenizer_of(file).encode("ab"), ids({256}));
}

TEST(TokenizerJson, BothWaysToWriteMergesMeanTheSame) {
  Json file = tiny_file({{"a", "b"}, {"\u0120", "ab"}});
  const Tokenizer pairs = tokenizer_of(file);
  file["model"]["merges"] = {"a b", "\u0120 ab"};
  EXPECT_EQ(pairs.encode("ab ab"), ids({256, 257}));
  EXPECT_EQ(tokenizer_of(file).encode("ab ab"), ids({256, 257}));
}

TEST(TokenizerJson, IgnoreMergesTakesWordsOfTheVocabularyWhole) {
  Json file = tiny_file({{"b", "c"}, {"a", "b"}});
  file["model"]["vocab"]["abc"] = 258;
  EXPECT_EQ(tokenizer_of(file).encode("abc abcd"), ids({'a', 256, ' ', 'a', 256, 'd'}));
  file["model"]["ignore_merges"] = true;
  EXPECT_EQ(tokenizer_of(file).encode("abc abcd"), ids({258, ' ', 'a', 256, 'd'}));
}

Json with_template(Json single) {
  Json file = tiny_file();
  file["added_tokens"] = {added_token(256, "<b>", true), added_token(257, "<e>", true)};
  const Json ids = {{"<b>", {{"ids", {256}}}}, {"<e>", {{"ids", {257}}}}};
  file["post_processor"] = {
      {"type", "TemplateProcessing"}, {"single", std::move(single)}, {"special_tokens", ids}};
  return file;
}

const Json kText = {{"Sequence", {{"id", "A"}, {"type_id", 0}}}};
const Json kBegin = {{"SpecialToken", {{"id", "<b>"}, {"type_id", 0}}}};
const Json kEnd = {{"SpecialToken", {{"id", "<e>"}, {"type_id", 0}}}};

TEST(TokenizerJson, ATemplatePutsSpecialTokensAroundTheText) {
  const Tokenizer both = tokenizer_of(with_template({kBegin, kText, kEnd}));
  EXPECT_EQ(both.encode("x"), ids({256, 'x', 257}));
  EXPECT_EQ(both.encode(""), ids({256, 257}));
  EXPECT_EQ(both.encode("x", {.add_special = false}), ids({'x'}));
  EXPECT_EQ(both.bos(), TokenId{256});
  const Tokenizer none = tokenizer_of(with_template({kText, kEnd}));
  EXPECT_EQ(none.encode("x"), ids({'x', 257}));
  EXPECT_EQ(none.bos(), std::nullopt);
}

TEST(TokenizerJson, ATemplateWithinASequenceCounts) {
  Json file = with_template({kBegin, kText});
  file["post_processor"] = {{"type", "Sequence"},
                            {"processors", {{{"type", "ByteLevel"}}, file["post_processor"]}}};
  EXPECT_EQ(tokenizer_of(file).encode("x"), ids({256, 'x'}));
  file["post_processor"]["processors"].push_back(file["post_processor"]["processors"][1]);
  expect_error([&] { tokenizer_of(file); }, {"processors", "one TemplateProcessing"});
}

TEST(TokenizerJson, ATemplateMayNotNameAnIdOutsideTheVocabulary) {
  Json file = with_template({kBegin, kText});
  file["post_processor"]["special_tokens"]["<b>"]["ids"] = {9999};
  expect_error([&] { tokenizer_of(file); },
               {"file: ", "\"<b>\"", "9999", "not in the vocabulary", "257"});
}

TEST(TokenizerJson, SomeIdsMayBeLeftOut) {
  Json file = tiny_file();
  file["model"]["vocab"]["zz"] = 257 + 65535;
  EXPECT_EQ(tokenizer_of(file).piece(TokenId{257 + 65535}), "zz");
}

TEST(TokenizerJson, FilesThatAreNoJsonAreNamed) {
  namespace fs = std::filesystem;
  expect_error([] { Tokenizer::load("/nonexistent/tokenizer.json"); },
               {"/nonexistent/tokenizer.json", "does not exist"});
  expect_error([] { Tokenizer::load(fs::temp_directory_path()); }, {"not a regular file"});
  expect_error([] { parse_json("{\"a\": ", "f.json"); }, {"f.json", "not JSON", "ends too early"});
  expect_error([] { parse_json("{\"a\" 1}", "f.json"); }, {"not JSON", "byte 6 of 7"});
  expect_error([] { parse_json(R"({"a": 1, "a": 2})", "f.json"); }, {"\"a\"", "twice"});
  expect_error([] { parse_json("", "f.json"); }, {"f.json", "ends too early, after 0 bytes"});
  expect_error([] { parse_json("[1e999]", "f.json"); }, {"f.json", "too large"});
  expect_error([] { parse_json("\"\xff\"", "f.json"); }, {"f.json", "not JSON"});
}

}  // namespace
}  // namespace quire
