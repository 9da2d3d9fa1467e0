#include "src/log/replay.h"

#include <gtest/gtest.h>

#include "src/log/read_log.h"
#include "tests/log/small_engine.h"
#include "tests/support/block_ids.h"
#include "tests/support/errors.h"
#include "tests/support/test_random.h"

namespace quire::test {
namespace {

// The replayed state is the real one: tables, stored rows, references, free blocks.
void expect_equal(const Replay& replay, const SmallEngine& engine) {
  const BlockManager& manager = engine.manager();
  const std::vector<SequenceId> running = engine.running();
  EXPECT_EQ(replay.running(), static_cast<int>(running.size()));
  EXPECT_EQ(replay.free_blocks(), manager.pool().free_blocks());
  for (const SequenceId id : running) {
    const ReplayedSequence& sequence = replay.sequences().at(id);
    EXPECT_EQ(sequence.status, LogStatus::running);
    EXPECT_EQ(sequence.stored, manager.stored(id));
    const auto table = manager.table(id);
    EXPECT_EQ(sequence.table, std::vector<BlockId>(table.begin(), table.end()));
  }
  for (int block = 0; block < manager.pool().blocks(); ++block) {
    EXPECT_EQ(replay.references(BlockId{block}), manager.pool().references(BlockId{block}));
  }
}

class ReplayedEngine : public testing::TestWithParam<Load> {};

TEST_P(ReplayedEngine, HasTheRealTablesAfterEveryStep) {
  TestRandom random;
  int preemptions = 0, copies = 0, aborts = 0;
  for (int round = 0; round < 30; ++round) {
    MemoryLog log;
    log.begin(header_of(GetParam()));
    SmallEngine engine(GetParam(), random, log);
    Replay replay(log.log().header);
    std::size_t seen = 0;
    while (engine.step()) {
      for (; seen < log.log().events.size(); ++seen) {
        const LogEvent& event = log.log().events[seen];
        replay.apply(event);
        preemptions += event.kind == LogKind::preempt ? 1 : 0;
        copies += event.kind == LogKind::copy ? 1 : 0;
        aborts += event.kind == LogKind::finish && event.reason == LogReason::abort ? 1 : 0;
      }
      replay.close_step();
      expect_equal(replay, engine);
      if (HasFailure()) return;
    }
    EXPECT_EQ(replay.free_blocks(), GetParam().blocks) << "somebody has kept a block";
    EXPECT_EQ(replay.filled_rows(), 0);
    EXPECT_EQ(replay.running() + replay.waiting(), 0);
  }
  EXPECT_GT(preemptions, 0);
  EXPECT_GT(aborts, 0);
  if (GetParam().block_size > 1) {
    EXPECT_GT(copies, 0) << "nothing was shared and written";
  }
}

INSTANTIATE_TEST_SUITE_P(Loads, ReplayedEngine,
                         testing::Values(Load{}, Load{.blocks = 40, .block_size = 1, .budget = 7},
                                         Load{.blocks = 9, .block_size = 3, .budget = 3},
                                         Load{.blocks = 4, .block_size = 16, .max_sequences = 9}),
                         [](const auto& load) {
                           return "Size" + std::to_string(load.param.block_size);
                         });

TEST(Replay, CountsSharedRowsOnce) {
  Replay replay({.engine = "", .blocks = 4, .block_size = 4, .budget = 9, .max_sequences = 2});
  MemoryLog log;
  const std::vector<BlockId> table = block_ids({2, 0});
  log.arrive(SequenceId{0}, 6, 3);
  log.admit(SequenceId{0});
  log.table(SequenceId{0}, table);
  log.write(SequenceId{0}, 0, 6);
  log.run(6, 1);
  log.fork(SequenceId{1}, SequenceId{0}, table);
  for (const LogEvent& event : log.log().events) replay.apply(event);
  EXPECT_EQ(replay.filled_rows(), 6);
  EXPECT_EQ(replay.filled(BlockId{0}), 2);
  EXPECT_EQ(replay.free_blocks(), 2);
  EXPECT_EQ(replay.references(BlockId{2}), 2);
}

// A log of two requests that makes sense, line by line. Sequence 1 is a fork of 0.
const std::vector<std::string> kLines{
    R"({"event":"begin","version":1,"engine":"e","blocks":6,"block_size":2,"budget":4,"max_sequences":2,"bytes_per_row":8})",
    R"({"step":0,"seconds":0,"phase":"schedule","event":"arrive","sequence":0,"prompt":5,"max_tokens":2})",
    R"({"step":0,"seconds":0,"phase":"schedule","event":"admit","sequence":0,"stored":0})",
    R"({"step":0,"seconds":0,"phase":"schedule","event":"allocate","sequence":0,"blocks":[3,1]})",
    R"({"step":0,"seconds":0,"phase":"compute","event":"write","sequence":0,"position":0,"rows":4})",
    R"({"step":0,"seconds":1,"phase":"compute","event":"run","rows":4,"sequences":1,"began":0})",
    R"({"step":1,"seconds":1,"phase":"schedule","event":"allocate","sequence":0,"blocks":[0]})",
    R"({"step":1,"seconds":1,"phase":"compute","event":"write","sequence":0,"position":4,"rows":1})",
    R"({"step":1,"seconds":2,"phase":"compute","event":"run","rows":1,"sequences":1,"began":1})",
    R"({"step":1,"seconds":2,"phase":"sample","event":"fork","sequence":1,"parent":0,"blocks":[3,1,0]})",
    R"({"step":1,"seconds":2,"phase":"sample","event":"sample","sequence":0,"token":7,"text":"a"})",
    R"({"step":1,"seconds":2,"phase":"sample","event":"sample","sequence":1,"token":8})",
    R"({"step":2,"seconds":2,"phase":"schedule","event":"copy","sequence":0,"from":0,"to":5})",
    R"({"step":2,"seconds":2,"phase":"compute","event":"write","sequence":0,"position":5,"rows":1})",
    R"({"step":2,"seconds":2,"phase":"compute","event":"write","sequence":1,"position":5,"rows":1})",
    R"({"step":2,"seconds":3,"phase":"compute","event":"run","rows":2,"sequences":2,"began":2})",
    R"({"step":2,"seconds":3,"phase":"sample","event":"sample","sequence":0,"token":9})",
    R"({"step":2,"seconds":3,"phase":"sample","event":"finish","sequence":0,"reason":"length"})",
    R"({"step":2,"seconds":3,"phase":"sample","event":"free","sequence":0,"blocks":[5,1,3]})",
    R"({"step":3,"seconds":3,"phase":"schedule","event":"preempt","sequence":1})",
    R"({"step":3,"seconds":3,"phase":"schedule","event":"free","sequence":1,"blocks":[0,1,3]})",
    R"({"step":4,"seconds":4,"phase":"schedule","event":"resume","sequence":1,"stored":0})",
    R"({"step":4,"seconds":4,"phase":"schedule","event":"finish","sequence":1,"reason":"abort"})",
    R"({"event":"end","steps":5})"};

// The lines with some of them replaced; an empty text leaves a line out. Counted from 1.
std::string changed(std::map<std::size_t, std::string> changes) {
  std::string text;
  for (std::size_t i = 0; i < kLines.size(); ++i) {
    const std::string& line = changes.contains(i + 1) ? changes.at(i + 1) : kLines[i];
    if (!line.empty()) text += line + "\n";
  }
  return text;
}

// A line with one piece of it replaced.
std::string with(std::size_t line, const std::string& piece, const std::string& other) {
  std::string text = kLines[line - 1];
  const std::size_t at = text.find(piece);
  if (at == std::string::npos) throw Error("line has no " + piece);
  return text.replace(at, piece.size(), other);
}

void expect_refused(std::map<std::size_t, std::string> changes, const std::string& line,
                    const std::string& words) {
  expect_error([&] { replay(parse_log(changed(std::move(changes)), "a.log"), "a.log"); },
               {"a.log: line " + line + ":", words});
}

TEST(Replay, TakesALogThatMakesSense) {
  const Replay state = replay(parse_log(changed({}), "a.log"), "a.log");
  EXPECT_EQ(state.free_blocks(), 6);
  EXPECT_EQ(state.sequences().at(SequenceId{0}).generated, 2);
}

TEST(Replay, NamesArriveOnce) {
  expect_refused({{3, kLines[1]}}, "3", "sequence 0 has already arrived");
  expect_refused({{3, with(3, R"("sequence":0)", R"("sequence":4)")}}, "3", "has not arrived");
}

TEST(Replay, OnlyWhoWaitsComesIn) {
  expect_refused({{4, kLines[2]}}, "4", "sequence 0 does not wait");
  expect_refused({{3, with(3, "admit", "resume")}}, "3", "never ran before");
  expect_refused({{22, with(22, "resume", "admit")}}, "22", "ran before");
}

TEST(Replay, NobodyComesInWithRowsOutOfNowhere) {
  expect_refused({{3, with(3, R"("stored":0)", R"("stored":2)")}}, "4", "no block with them");
  expect_refused({{3, with(3, R"("stored":0)", R"("stored":5)")}}, "3", "with 5 stored rows");
}

TEST(Replay, NobodyComesInWhenSomebodyHadToLeave) {
  const std::string now = with(22, R"("step":4,"seconds":4)", R"("step":3,"seconds":4)");
  expect_refused({{22, now}, {23, ""}, {24, ""}}, "22",
                 "during a step in which another had to leave");
}

TEST(Replay, AFreeBlockIsGivenOutOnce) {
  expect_refused({{7, with(7, "[0]", "[1]")}}, "7", "block 1 is not free");
  expect_refused({{4, with(4, "[3,1]", "[3,3]")}}, "4", "block 3 is not free");
}

TEST(Replay, OnlySharedBlocksAreCopiedIntoFreeOnes) {
  expect_refused({{13, with(13, R"("from":0)", R"("from":2)")}}, "13", "not in the table");
  expect_refused({{13, with(13, R"("to":5)", R"("to":3)")}}, "13", "block 3 is not free");
  expect_refused({{10, ""}, {12, ""}}, "11", "only sequence 0 has it");
}

TEST(Replay, SharedBlocksAreNotWritten) {
  expect_refused({{13, ""}}, "13", "block 0 is written, but 2 sequences share it");
}

TEST(Replay, BlocksGoBackFromTheEnd) {
  expect_refused({{19, with(19, "[5,1,3]", "[3,1,5]")}}, "19", "not the last of its table");
  expect_refused({{19, with(19, "[5,1,3]", "[5,1,3,2]")}}, "19", "not the last of its table");
  expect_refused({{8, R"({"step":1,"seconds":1,"phase":"schedule","event":"free","sequence":0,)"
                      R"("blocks":[0,1]})"}},
                 "8", "hold rows it still uses");
}

TEST(Replay, WhoEndsOrWaitsHoldsNothing) {
  expect_refused({{19, ""}}, "19", "sequence 0 holds blocks at the end of step 2");
  expect_refused({{21, ""}}, "21", "sequence 1 holds blocks at the end of step 3");
}

TEST(Replay, RowsFollowTheStoredOnes) {
  expect_refused({{8, with(8, R"("position":4)", R"("position":5)")}}, "8", "but has 4");
  expect_refused({{5, with(5, R"("position":0,"rows":4)", R"("position":0,"rows":5)")}}, "5",
                 "beyond its 2 blocks of 2");
  expect_refused({{8, with(8, R"("rows":1)", R"("rows":2)")}}, "8", "knows 5 tokens");
  expect_refused({{9, with(8, R"("position":4)", R"("position":5)")}}, "9", "knows 5 tokens");
}

TEST(Replay, ARunHasTheRowsThatWereStored) {
  expect_refused({{6, with(6, R"("rows":4)", R"("rows":3)")}}, "6", "runs 3 rows of 1 sequences");
  expect_refused({{16, with(16, R"("sequences":2)", R"("sequences":1)")}}, "16", "2 rows of 2");
  expect_refused({{6, ""}}, "6", "step 0 writes 4 rows and has no run");
  expect_refused({{1, with(1, R"("budget":4)", R"("budget":3)")}}, "6", "exceeds the budget of 3");
}

TEST(Replay, NoTokenComesFromAPartialPrefill) {
  const std::string early = R"({"step":0,"seconds":1,"phase":"sample","event":"sample",)"
                            R"("sequence":0,"token":7})";
  expect_refused({{7, early}}, "7", "its prefill is partial");
}

TEST(Replay, NoTokenComesWithoutARun) {
  std::map<std::size_t, std::string> changes{{13, with(11, R"("step":1)", R"("step":2)")}};
  for (std::size_t line = 14; line <= kLines.size(); ++line) changes[line] = "";
  expect_refused(changes, "13", "comes without a run");
}

TEST(Replay, NobodyGetsMoreTokensThanAskedFor) {
  expect_refused({{2, with(2, R"("max_tokens":2)", R"("max_tokens":1)")}}, "17",
                 "has its 1 tokens");
}

TEST(Replay, NoMoreSequencesRunThanAllowed) {
  expect_refused({{1, with(1, R"("max_sequences":2)", R"("max_sequences":1)")}}, "10",
                 "more than 1 may not");
}

TEST(Replay, ASequenceEndsOnce) {
  expect_refused({{19, kLines[17]}}, "19", "sequence 0 has already ended");
  expect_refused({{20, with(20, R"("sequence":1)", R"("sequence":0)")}}, "20", "does not run");
}

TEST(Replay, AForkBeginsWithItsParentsBlocks) {
  expect_refused({{10, with(10, "[3,1,0]", "[3,1]")}}, "10", "must begin with the 3 blocks");
  expect_refused({{10, with(10, "[3,1,0]", "[3,0,1]")}}, "10", "must begin with the 3 blocks");
}

// Rows that were found stored lie in blocks that a `share` would have named.
TEST(Replay, AForkOfRowsThatLieInNoBlockIsRefused) {
  const std::string text = kLines[0] + R"(
{"step":0,"seconds":0,"phase":"schedule","event":"arrive","sequence":0,"prompt":9,"max_tokens":2}
{"step":0,"seconds":0,"phase":"schedule","event":"admit","sequence":0,"stored":8}
{"step":0,"seconds":0,"phase":"schedule","event":"fork","sequence":1,"parent":0,"blocks":[0,1]}
)";
  test::expect_error([&] { replay(parse_log(text, "a"), "a"); }, {"4", "must begin with the"});
}

// Sequence 0 gets its only token in step 0, and is fed at a position in step 1.
std::string fed_after_its_end(const std::string& says_so, int position = 3) {
  return with(1, R"("bytes_per_row":8)", R"("bytes_per_row":8)" + says_so) + "\n" +
         with(2, R"("prompt":5,"max_tokens":2)", R"("prompt":4,"max_tokens":1)") + "\n" +
         kLines[2] + "\n" + with(4, "[3,1]", "[3,1,4]") + "\n" + kLines[4] + "\n" + kLines[5] +
         R"(
{"step":0,"seconds":1,"phase":"sample","event":"sample","sequence":0,"token":7}
{"step":0,"seconds":1,"phase":"sample","event":"finish","sequence":0,"reason":"length"}
{"step":1,"seconds":1,"phase":"compute","event":"write","sequence":0,"position":)" +
         std::to_string(position) + R"(,"rows":1}
{"step":1,"seconds":2,"phase":"compute","event":"run","rows":1,"sequences":1,"began":1}
)";
}

TEST(Replay, OnlyEnginesThatSaySoFeedWhoHasEnded) {
  const auto play = [](const std::string& text) { return replay(parse_log(text, "a"), "a"); };
  EXPECT_EQ(play(fed_after_its_end(R"(,"feeds_idle":true)")).filled_rows(), 4)
      << "the last row is stored once more, in its place";
  for (const int position : {2, 4}) {
    expect_error([&] { play(fed_after_its_end(R"(,"feeds_idle":true)", position)); },
                 {"a: line 9:", "but has 4"});
  }
  expect_error([&] { play(fed_after_its_end("")); }, {"a: line 9:", "at the end of step 0"});
}

}  // namespace
}  // namespace quire::test
