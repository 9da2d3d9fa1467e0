#include "src/model/safetensors.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstring>

#include "src/core/json.h"
#include "tests/support/errors.h"
#include "tests/support/temporary_folder.h"

namespace quire {
namespace {

using test::expect_error;
using test::TemporaryFolder;

// A file from its header and the bytes after it, whether they fit together or not.
std::string file_of(const std::string& header, const std::string& data,
                    std::optional<std::uint64_t> length = std::nullopt) {
  const std::uint64_t promised = length.value_or(header.size());
  std::string bytes(sizeof(promised), '\0');
  std::memcpy(bytes.data(), &promised, sizeof(promised));
  return bytes + header + data;
}

Json entry(const char* dtype, Json shape, Json begin, Json end) {
  return {{"dtype", dtype},
          {"shape", std::move(shape)},
          {"data_offsets", {std::move(begin), std::move(end)}}};
}

std::string bytes_of(const std::vector<float>& values) {
  return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)};
}

std::shared_ptr<const SafeTensors> open_bytes(const std::string& bytes) {
  const TemporaryFolder folder;
  return SafeTensors::open(folder.write("model.safetensors", bytes));
}

std::shared_ptr<const SafeTensors> open(const Json& header, const std::string& data) {
  return open_bytes(file_of(header.dump(), data));
}

void expect_refused(const std::string& bytes, std::initializer_list<std::string_view> words) {
  expect_error([&] { open_bytes(bytes); }, {"model.safetensors"});
  expect_error([&] { open_bytes(bytes); }, words);
}

void expect_refused(const Json& header, const std::string& data,
                    std::initializer_list<std::string_view> words) {
  expect_refused(file_of(header.dump(), data), words);
}

TEST(SafeTensors, TensorsAreWhatWasStored) {
  const std::vector<float> numbers = {1, 2, 3, 4, 5, 6};
  const Json header = {{"b", entry("F32", {2, 3}, 0, 24)},
                       {"a", entry("BF16", {2}, 24, 28)},
                       {"h", entry("F16", Json::array(), 28, 30)},
                       {"__metadata__", {{"format", "pt"}}}};
  const auto file = open(header, bytes_of(numbers) + std::string("\x80\x3f\x00\xc0\x00\x3c", 6));
  EXPECT_EQ(file->names(), (std::vector<std::string>{"a", "b", "h"}));
  EXPECT_TRUE(file->contains("a"));
  EXPECT_FALSE(file->contains("__metadata__"));
  const ConstTensor b = file->tensor("b");
  EXPECT_EQ(b.shape(), (Shape{2, 3}));
  EXPECT_EQ(std::vector<float>(b.values<float>().begin(), b.values<float>().end()), numbers);
  const ConstTensor a = file->tensor("a");
  EXPECT_EQ(a.dtype(), DType::bf16);
  EXPECT_EQ(to_float(a.values<BFloat16>()[0]), 1.0f);
  EXPECT_EQ(to_float(a.values<BFloat16>()[1]), -2.0f);
  EXPECT_EQ(file->tensor("h").shape(), Shape{});
  EXPECT_EQ(to_float(file->tensor("h").values<Float16>()[0]), 1.0f);
}

TEST(SafeTensors, AMisalignedTensorIsAnAlignedCopy) {
  for (std::size_t padding = 0; padding < 8; ++padding) {
    const Json header = {{"a", entry("F32", {2}, 0, 8)}, {"b", entry("BF16", {1}, 8, 10)}};
    const std::string text = header.dump() + std::string(padding, ' ');
    const auto file = open_bytes(file_of(text, bytes_of({1.5f, -2.5f}) + "\x80\x3f"));
    const ConstTensor a = file->tensor("a");
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(a.bytes()) % sizeof(float), 0u) << padding;
    EXPECT_EQ(a.values<float>()[0], 1.5f) << padding;
    EXPECT_EQ(a.values<float>()[1], -2.5f) << padding;
    EXPECT_EQ(to_float(file->tensor("b").values<BFloat16>()[0]), 1.0f) << padding;
  }
}

TEST(SafeTensors, ATensorMayHaveNoElements) {
  const Json header = {{"a", entry("F32", {1}, 0, 4)},
                       {"none", entry("F32", {0, 5}, 4, 4)},
                       {"b", entry("F32", {1}, 4, 8)},
                       {"last", entry("F16", {3, 0}, 8, 8)}};
  const auto file = open(header, bytes_of({1, 2}));
  EXPECT_EQ(file->tensor("none").shape(), (Shape{0, 5}));
  EXPECT_EQ(file->tensor("none").byte_count(), 0u);
  EXPECT_EQ(file->tensor("last").size(), 0);
  EXPECT_EQ(file->tensor("b").values<float>()[0], 2.0f);
}

TEST(SafeTensors, AFileWithoutTensorsIsFine) {
  EXPECT_TRUE(open(Json::object(), "")->names().empty());
}

TEST(SafeTensors, WhatIsNoWeightIsRefusedWhenItIsUsed) {
  const Json header = {{"double", entry("F64", {1}, 0, 8)},
                       {"deep", entry("F32", {1, 1, 1, 1, 1}, 8, 12)},
                       {"packed", entry("F4", {2}, 12, 13)}};
  const auto file = open(header, std::string(13, '\0'));
  expect_error([&] { file->tensor("double"); }, {"model.safetensors", "\"double\"", "F64", "BF16"});
  expect_error([&] { file->tensor("deep"); }, {"\"deep\"", "5 dimensions", "4"});
  expect_error([&] { file->tensor("packed"); }, {"\"packed\"", "F4"});
  expect_error([&] { file->tensor("absent"); }, {"no tensor", "\"absent\""});
}

TEST(SafeTensors, FilesThatAreNoSafetensorsAreRefused) {
  expect_refused("", {"0 bytes"});
  expect_refused("1234567", {"7 bytes"});
  expect_refused(file_of("{}", "", 3), {"cut short", "3 bytes", "2"});
  expect_refused(file_of("", "", 1), {"cut short"});
  expect_refused(file_of("{}", "", 100'000'001), {"100000001", "limit"});
  expect_refused(file_of("{}", "", 1ull << 63), {"9223372036854775808", "limit"});
  expect_refused(file_of("{}", "", ~0ull), {"limit"});
  expect_refused(file_of("", ""), {"header is not JSON"});
  expect_refused(file_of("{\"a\":", ""), {"header is not JSON"});
  expect_refused(file_of("\xff{}", ""), {"header is not JSON"});
  expect_refused(file_of("[1]", ""), {"must be a JSON object", "array"});
  expect_refused(file_of("null", ""), {"must be a JSON object"});
  expect_refused(file_of(std::string(100'000, '['), ""), {"nested deeper"});
}

TEST(SafeTensors, FilesThatCannotBeReadAreNamed) {
  const TemporaryFolder folder;
  expect_error([&] { SafeTensors::open(folder.path() / "none"); }, {"none", "No such file"});
  expect_error([&] { SafeTensors::open(folder.path()); }, {"not a regular file"});
  const auto pipe = folder.path() / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  expect_error([&] { SafeTensors::open(pipe); }, {"pipe", "not a regular file"});
}

TEST(SafeTensors, ALongShapeIsCutInMessages) {
  const Json header = {{"a", entry("F32", std::vector<int>(1000, 1), 0, 8)}};
  expect_refused(header, "12345678", {"[1, 1, 1, 1, 1, 1, 1, 1, ...] of F32", "8 bytes"});
}

TEST(SafeTensors, ATruncatedFileSaysWhatItPromisesAndHas) {
  const Json header = {{"a", entry("F32", {4}, 0, 16)}};
  expect_refused(header, std::string(15, 'x'), {"cut short", "promises 16 bytes", "15"});
  expect_refused(header, "", {"cut short", "promises 16 bytes", "0"});
  const std::string whole = file_of(header.dump(), std::string(16, 'x'));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    EXPECT_THROW(open_bytes(whole.substr(0, size)), Error) << size;
  }
  EXPECT_NO_THROW(open_bytes(whole));
}

TEST(SafeTensors, TensorsMustFillTheDataWithoutGapOrOverlap) {
  const auto two = [](int begin, int end) {
    return Json{{"a", entry("F32", {1}, 0, 4)},
                {"b", entry("F32", {(end - begin) / 4}, begin, end)}};
  };
  const std::string data(8, 'x');
  EXPECT_NO_THROW(open(two(4, 8), data));
  expect_refused(two(0, 8), data, {"\"b\"", "overlaps", "\"a\""});
  expect_refused(two(0, 4), data, {"\"b\"", "overlaps", "\"a\""});
  expect_refused(two(2, 6), data, {"\"b\"", "overlaps", "\"a\""});
  expect_refused(two(8, 12), std::string(12, 'x'), {"gap of 4 bytes", "\"b\""});
  expect_refused(two(4, 8), std::string(9, 'x'), {"1 bytes after the last tensor"});
  expect_refused({{"a", entry("F32", {1}, 4, 8)}}, data, {"gap of 4 bytes", "\"a\""});
  expect_refused({{"a", entry("F32", {2}, 0, 8)}, {"z", entry("F32", {0}, 4, 4)}}, data,
                 {"\"z\"", "overlaps"});
}

TEST(SafeTensors, OffsetsAreCheckedBeforeUse) {
  const std::int64_t huge = INT64_MAX;
  const auto refused = [](Json begin, Json end, std::initializer_list<std::string_view> words) {
    expect_refused({{"t", entry("F32", {1}, std::move(begin), std::move(end))}}, "1234", words);
  };
  refused(4, 0, {"\"t\"", "reversed", "4", "0"});
  refused(-4, 0, {"\"t\"", "data_offsets", "-4"});
  refused(0.5, 4, {"\"t\"", "data_offsets", "0.5"});
  refused(0, 4.0, {"\"t\"", "data_offsets", "4.0"});
  refused("0", 4, {"\"t\"", "data_offsets"});
  refused(nullptr, 4, {"\"t\"", "data_offsets"});
  refused(0, 1ull << 63, {"\"t\"", "data_offsets", "9223372036854775808"});
  refused(0, 1e300, {"\"t\"", "data_offsets"});
  refused(huge - 4, huge, {"\"t\"", "gap"});
  refused(0, huge, {"\"t\"", "contradicts"});
  for (const Json& offsets : {Json::array(), Json{0}, Json{0, 4, 8}, Json(4), Json("0,4")}) {
    expect_refused({{"t", {{"dtype", "F32"}, {"shape", {1}}, {"data_offsets", offsets}}}}, "1234",
                   {"\"t\"", "data_offsets"});
  }
}

TEST(SafeTensors, AShapeMustMatchItsBytes) {
  const auto refused = [](Json shape, std::initializer_list<std::string_view> words) {
    expect_refused({{"t", entry("F32", std::move(shape), 0, 4)}}, "1234", words);
  };
  const std::int64_t huge = INT64_MAX, half = std::int64_t{1} << 32;
  refused({2}, {"\"t\"", "[2] of F32 contradicts its 4 bytes"});
  refused({0}, {"\"t\"", "contradicts"});
  refused({huge}, {"\"t\"", "contradicts"});
  refused({half, half}, {"\"t\"", "contradicts"});
  refused({half, half, 0}, {"\"t\"", "contradicts"});
  refused({1ll << 62, 4, 1}, {"\"t\"", "contradicts"});
  refused({-1, -1}, {"\"t\"", "shape", "-1"});
  refused({1.0}, {"\"t\"", "shape", "1.0"});
  refused({"1"}, {"\"t\"", "shape"});
  refused({1ull << 63}, {"\"t\"", "shape", "9223372036854775808"});
  refused(1, {"\"t\"", "shape", "array"});
  expect_refused({{"t", entry("F4", {3}, 0, 1)}}, "1", {"\"t\"", "contradicts"});
}

TEST(SafeTensors, EntriesMustBeComplete) {
  const Json complete = entry("F32", {1}, 0, 4);
  for (const char* key : {"dtype", "shape", "data_offsets"}) {
    Json incomplete = complete;
    incomplete.erase(key);
    expect_refused({{"t", incomplete}}, "1234", {"\"t\"", key, "missing"});
  }
  expect_refused({{"t", 5}}, "1234", {"\"t\"", "must be a JSON object"});
  expect_refused({{"t", entry("F31", {1}, 0, 4)}}, "1234", {"\"t\"", "unknown dtype", "F31"});
  expect_refused({{"t", entry("f32", {1}, 0, 4)}}, "1234", {"\"t\"", "unknown dtype", "f32"});
  expect_refused({{"__metadata__", {{"n", 1}}}}, "", {"__metadata__", "\"n\"", "text"});
  expect_refused({{"__metadata__", 1}}, "", {"__metadata__", "object"});
}

TEST(SafeTensors, ANameMayNotAppearTwice) {
  const std::string once = "\"t\":" + entry("F32", {1}, 0, 4).dump();
  EXPECT_NO_THROW(open_bytes(file_of("{" + once + "}", "1234")));
  expect_refused(file_of("{" + once + "," + once + "}", "1234"), {"\"t\"", "twice"});
  const std::string inner =
      R"({"t":{"dtype":"F32","dtype":"F16","shape":[1],"data_offsets":[0,4]}})";
  expect_refused(file_of(inner, "1234"), {"\"dtype\"", "twice"});
}

TEST(SafeTensors, NamesCannotSmuggleControlCharactersIntoMessages) {
  const std::string name = "\x1b[31m" + std::string(5000, 'n');
  const std::string bytes = file_of(Json{{name, entry("F31", {1}, 0, 4)}}.dump(), "1234");
  const std::string message = test::error_of([&] { open_bytes(bytes); });
  EXPECT_EQ(message.find('\x1b'), std::string::npos);
  EXPECT_LT(message.size(), 300u);
}

TEST(SafeTensors, OneChangedByteIsAnErrorOrAnotherValidFile) {
  const Json header = {{"a", entry("F32", {2, 2}, 0, 16)}, {"b", entry("BF16", {3}, 16, 22)}};
  const std::string whole = file_of(header.dump(), std::string(22, 'x'));
  const TemporaryFolder folder;
  int refused = 0;
  for (std::size_t at = 0; at < whole.size() - 22; ++at) {
    for (const char change : {'\x01', '\x02', '\x10', '\x80'}) {
      std::string changed = whole;
      changed[at] = static_cast<char>(changed[at] ^ change);
      try {
        const auto file = SafeTensors::open(folder.write("changed", changed));
        for (const std::string& name : file->names()) {
          const ConstTensor tensor = file->tensor(name);
          std::string copy(tensor.byte_count(), '\0');
          std::memcpy(copy.data(), tensor.bytes(), copy.size());
          EXPECT_EQ(copy, std::string(copy.size(), 'x'));
        }
      } catch (const Error&) {
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 300);
}

}  // namespace
}  // namespace quire
