#include "tests/support/test_random.h"

#include <fmt/format.h>

#include <cstdlib>
#include <string>

namespace quire::test {
namespace {

// FNV-1a: unlike std::hash, the same on every machine.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  return hash;
}

std::uint64_t seed_of_test(std::uint64_t salt) {
  if (const char* seed = std::getenv("QUIRE_TEST_SEED")) return std::strtoull(seed, nullptr, 10);
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  const std::string name =
      test == nullptr ? "" : fmt::format("{}.{}", test->test_suite_name(), test->name());
  return (hash_of(name) + salt) % 1000000007u;
}

}  // namespace

TestRandom::TestRandom(std::uint64_t salt) : TestRandom(seed_of_test(salt), nullptr) {}

TestRandom::TestRandom(std::uint64_t seed, std::nullptr_t)
    : Random(seed),
      seed_(seed),
      trace_("random inputs", 0, fmt::format("QUIRE_TEST_SEED={}", seed)) {}

}  // namespace quire::test
