#include "src/log/block_viewer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "src/core/json.h"
#include "tests/log/small_engine.h"
#include "tests/support/errors.h"
#include "tests/support/shell.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

constexpr const char* kHostile = "</script><img src=x onerror=\"throw 1\"> & 'quotes' @LOG@";

template <class Id>
std::string listed(std::span<const Id> ids) {
  std::string text;
  for (const Id id : ids) text += (text.empty() ? "" : " ") + std::to_string(to_int(id));
  return text;
}

// What the viewer must show of a moment, by the manager's own tables.
Json frame_of(const SmallEngine& engine) {
  const BlockManager& manager = engine.manager();
  const int size = manager.block_size();
  std::vector<std::string> owners(static_cast<std::size_t>(manager.pool().blocks()));
  std::vector<int> filled(owners.size());
  std::vector<SequenceId> running = engine.running(), waiting = engine.waiting();
  std::sort(running.begin(), running.end());
  std::sort(waiting.begin(), waiting.end());
  Json requests = Json::object();
  for (const SequenceId id : running) {
    const auto table = manager.table(id);
    requests[std::to_string(to_int(id))] = {{"table", listed(table)},
                                            {"stored", manager.stored(id)}};
    for (std::size_t i = 0; i < table.size(); ++i) {
      const auto block = static_cast<std::size_t>(to_int(table[i]));
      owners[block] += (owners[block].empty() ? "" : " ") + std::to_string(to_int(id));
      const int rows = std::clamp(manager.stored(id) - static_cast<int>(i) * size, 0, size);
      filled[block] = std::max(filled[block], rows);
    }
  }
  return {{"requests", std::move(requests)},
          {"waiting", listed(std::span<const SequenceId>(waiting))},
          {"blocks", owners},
          {"filled", filled}};
}

struct Watched {
  RecordedLog log;
  Json frames = Json::array();  // one for each step's run, and one for the end
};

Watched watch(const Load& load, Random& random) {
  MemoryLog log;
  LogHeader header = header_of(load);
  header.engine = kHostile;
  log.begin(header);
  SmallEngine engine(load, random, log);
  Watched watched;
  engine.watch([&] { watched.frames.push_back(frame_of(engine)); });
  while (engine.step()) {
  }
  log.end();
  watched.frames.push_back(frame_of(engine));
  watched.log = log.log();
  return watched;
}

// Runs the browser; screenshots go to the folder that QUIRE_SCREENSHOTS names, if it does.
void expect_shown(const Watched& watched) {
#ifdef QUIRE_BROWSER_COMMAND
  const TemporaryFolder folder;
  const auto page = folder.write("viewer.html", block_viewer(watched.log, "log", kHostile));
  const auto frames = folder.write("frames.json", Json{{"frames", watched.frames}}.dump());
  const char* shots = std::getenv("QUIRE_SCREENSHOTS");
  const Result result = shell(fmt::format("{} {} {} {}", QUIRE_BROWSER_COMMAND, page.string(),
                                          frames.string(), shots == nullptr ? "" : shots));
  EXPECT_EQ(result.status, 0) << result.output;
#else
  static_cast<void>(watched);
  GTEST_SKIP() << "there was no Chromium or no Node when the tests were configured";
#endif
}

TEST(BlockViewer, ShowsTheRealTablesInABrowser) {
  TestRandom random;
  expect_shown(watch({.blocks = 24, .requests = 8}, random));
}

TEST(BlockViewer, ShowsManyBlocksInABrowser) {
  TestRandom random;
  expect_shown(watch({.blocks = 200,
                      .block_size = 16,
                      .budget = 512,
                      .max_sequences = 16,
                      .requests = 30,
                      .most_tokens = 40},
                     random));
}

TEST(BlockViewer, APageThatShowsAWrongBlockIsNoticed) {
#ifdef QUIRE_BROWSER_COMMAND
  TestRandom random;
  Watched watched = watch({.requests = 3}, random);
  watched.frames[1]["blocks"][0] = "77";
  const TemporaryFolder folder;
  const auto page = folder.write("viewer.html", block_viewer(watched.log, "log", "title"));
  const auto frames = folder.write("frames.json", Json{{"frames", watched.frames}}.dump());
  const Result result =
      shell(fmt::format("{} {} {}", QUIRE_BROWSER_COMMAND, page.string(), frames.string()));
  EXPECT_EQ(result.status, 1);
  EXPECT_NE(result.output.find("frame 1, blocks: the page shows"), std::string::npos)
      << result.output;
#else
  GTEST_SKIP() << "there was no Chromium or no Node when the tests were configured";
#endif
}

TEST(BlockViewer, IsOneFileThatNeedsNoOther) {
  TestRandom random;
  const std::string page = block_viewer(watch({}, random).log, "log", "title");
  for (const char* reference : {"src=\"", "href=", "@import", "url(", "https://", "import "}) {
    EXPECT_EQ(page.find(reference), std::string::npos) << reference;
  }
  EXPECT_EQ(page.find("_JS@"), std::string::npos) << "a part is missing";
  EXPECT_EQ(page.find("_CSS@"), std::string::npos) << "a part is missing";
}

TEST(BlockViewer, NothingInALogCanEndItsScript) {
  TestRandom random;
  const auto count = [](const std::string& page, const std::string& word) {
    int times = 0;
    for (std::size_t at = page.find(word); at != std::string::npos; at = page.find(word, at + 1)) {
      ++times;
    }
    return times;
  };
  const std::string page = block_viewer(watch({}, random).log, "log", kHostile);
  EXPECT_EQ(count(page, "</script>"), 2);
  EXPECT_EQ(count(page, "<img"), 0);
}

TEST(BlockViewer, ALogThatContradictsItselfIsNotShown) {
  TestRandom random;
  RecordedLog log = watch({}, random).log;
  log.events.push_back(log.events.front());
  expect_error([&] { block_viewer(log, "a.log", "title"); }, {"a.log: line", "already arrived"});
}

}  // namespace
}  // namespace quire::test
