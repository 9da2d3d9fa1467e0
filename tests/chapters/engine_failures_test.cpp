// Whatever fails, and whoever goes: nobody loses a token, and no block is lost.
#include <gtest/gtest.h>

#include <set>

#include "chapters/10_continuous_batching/engine.h"
#include "src/core/error.h"
#include "src/log/step_log.h"
#include "tests/chapters/serving.h"
#include "tests/support/close.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

Fact fact(std::string invariant) {
  return {.invariant = std::move(invariant), .section = "10#what-can-go-wrong"};
}

enum class Fault { refuses, throws };

// Fails at one of its allocations: opening a sequence, reserving rows, forking.
class FaultyManager final : public KvManager {
 public:
  FaultyManager(KvManager& inner, int which, Fault fault)
      : inner_(inner), left_(which), fault_(fault) {}

  int capacity() const override { return inner_.capacity(); }
  int stored(SequenceId sequence) const override { return inner_.stored(sequence); }
  bool open(SequenceId sequence, std::span<const TokenId> tokens, int max_rows) override {
    return !fails() && inner_.open(sequence, tokens, max_rows);
  }
  bool reserve(SequenceId sequence, int rows) override {
    return !fails() && inner_.reserve(sequence, rows);
  }
  void fork(SequenceId parent, SequenceId child) override {
    if (fault_ == Fault::throws) fails();
    inner_.fork(parent, child);
  }
  void commit(SequenceId sequence, int rows) override { inner_.commit(sequence, rows); }
  void truncate(SequenceId sequence, int rows) override { inner_.truncate(sequence, rows); }
  void release(SequenceId sequence) override { inner_.release(sequence); }
  std::vector<BlockCopy> take_copies() override { return inner_.take_copies(); }

  bool failed() const { return left_ < 0; }

 private:
  bool fails() {
    if (left_-- != 0) return false;
    if (fault_ == Fault::throws) fail("no memory");
    return true;
  }

  KvManager& inner_;
  int left_;
  Fault fault_;
};

class EngineFailures : public testing::Test {
 protected:
  // Four requests, one of them for two samples, in room for about two; sequences 0 to 4.
  std::vector<GenerationRequest> requests() const {
    auto result = four_requests(model.config());
    result[1].samples = 2;
    return result;
  }
  std::unique_ptr<Server> server_for(const Server::Wrap& wrap = nullptr) {
    auto server =
        std::make_unique<Server>(model, 16, 3, SchedulerOptions{.budget = 11}, false, wrap);
    for (const GenerationRequest& request : requests()) server->add(request);
    return server;
  }
  // Steps until nobody is left, going on after errors.
  int finish_through_errors(Server& server) {
    int errors = 0;
    for (int steps = 0; !server.engine.idle() && steps < 5000; ++steps) {
      try {
        server.step();
      } catch (const Error&) {
        ++errors;
        EXPECT_EQ(server.manager.pool().free_blocks(), 16)
            << fact("after a failed step no row is taken for computed");
      }
    }
    server.finish();
    return errors;
  }
  void expect_all_texts(Server& server, std::optional<int> but = {}) {
    for (int i = 0; i < 5; ++i) {
      if (i == but) continue;
      EXPECT_EQ(server.reader.text(SequenceId{i}), expected[static_cast<std::size_t>(i)])
          << "sequence " << i << "\n"
          << fact("a text depends on its request alone");
    }
  }

  TestModel model{"llama-6-2", nullptr, 1, Backend::simd};
  std::vector<Text> expected = {alone(model, requests()[0]), alone(model, requests()[1], 0),
                                alone(model, requests()[1], 1), alone(model, requests()[2]),
                                alone(model, requests()[3])};
};

TEST_F(EngineFailures, ArePlayedOnAServerThatForksAndPreempts) {
  const auto server = server_for();
  server->finish();
  EXPECT_GT(server->preemptions, 0);
  expect_all_texts(*server);
}

TEST_F(EngineFailures, EveryAllocationMayFail) {
  for (const Fault fault : {Fault::refuses, Fault::throws}) {
    int runs = 0;
    for (bool failed = true; failed; ++runs) {
      SCOPED_TRACE(testing::Message() << "allocation " << runs);
      FaultyManager* faulty = nullptr;
      const auto server = server_for([&](BlockManager& manager) {
        auto wrapped = std::make_unique<FaultyManager>(manager, runs, fault);
        faulty = wrapped.get();
        return wrapped;
      });
      const int errors = finish_through_errors(*server);
      failed = faulty->failed();
      EXPECT_EQ(errors, failed && fault == Fault::throws ? 1 : 0);
      expect_all_texts(*server);
      if (HasFailure()) return;
    }
    EXPECT_GT(runs, 50) << "so many allocations were made to fail";
  }
}

// Throws once, at the so-many-th call of the decoder.
class FaultyStorage final : public KvCache {
 public:
  FaultyStorage(KvCache& inner, int which) : inner_(inner), left_(which) {}
  void begin(const Step& step) override {
    fail_in_time();
    inner_.begin(step);
  }
  KvSlots slots(int layer) override { return inner_.slots(layer); }
  void attend(int layer, ConstTensor q, Tensor out) override {
    fail_in_time();
    inner_.attend(layer, q, out);
  }
  std::uint64_t bytes_per_token() const override { return inner_.bytes_per_token(); }
  bool failed() const { return left_ < 0; }

 private:
  void fail_in_time() {
    if (left_-- == 0) fail("the device is gone");
  }

  KvCache& inner_;
  int left_;
};

TEST_F(EngineFailures, EveryRunOfTheDecoderMayFailBeforeAndWithinItsLayers) {
  int runs = 0;
  for (bool failed = true; failed; ++runs) {
    SCOPED_TRACE(testing::Message() << "call " << runs);
    const auto server = server_for();
    FaultyStorage faulty(server->cache, runs);
    Engine engine(model.decoder(), server->manager, faulty, {.budget = 11});
    Reader reader;
    for (const GenerationRequest& request : requests()) engine.add(request);
    for (int steps = 0; !engine.idle() && steps < 5000; ++steps) {
      try {
        reader.read(engine.step());
      } catch (const Error& error) {
        EXPECT_STREQ(error.what(), "the device is gone");
        EXPECT_EQ(server->manager.pool().free_blocks(), 16);
      }
    }
    EXPECT_TRUE(engine.idle());
    for (int i = 0; i < 5; ++i) {
      EXPECT_EQ(reader.text(SequenceId{i}), expected[static_cast<std::size_t>(i)]) << i;
    }
    failed = faulty.failed();
    if (HasFailure()) return;
  }
  EXPECT_GT(runs, 50);
}

enum State { waits, in_its_prompt, decodes, was_preempted, has_ended };

class Aborts : public EngineFailures {
 protected:
  // What a sequence does just now, and in which state that counts it.
  State state_of(const Server& server, SequenceId id) const {
    for (const Sequence* sequence : server.engine.scheduler().running()) {
      if (sequence->id != id) continue;
      return server.manager.stored(id) < sequence->known() - 1 ? in_its_prompt : decodes;
    }
    for (const Sequence* sequence : server.engine.scheduler().waiting()) {
      if (sequence->id == id) return seen_running.contains(id) ? was_preempted : waits;
    }
    return has_ended;
  }

  std::set<SequenceId> seen_running;
};

TEST_F(Aborts, InEveryStateGiveAllBlocksBackAndDisturbNobody) {
  std::set<State> states;
  for (int victim = 0; victim < 5; ++victim) {
    State state = waits;
    for (int steps = 0; state != has_ended; ++steps) {
      SCOPED_TRACE(testing::Message() << "sequence " << victim << " after " << steps << " steps");
      const auto server = server_for();
      seen_running.clear();
      for (int i = 0; i < steps; ++i) {
        server->step();
        for (const Sequence* s : server->engine.scheduler().running()) seen_running.insert(s->id);
      }
      const SequenceId id{victim};
      states.insert(state = state_of(*server, id));
      EXPECT_EQ(server->engine.abort(id), state != has_ended);
      EXPECT_FALSE(server->engine.abort(id)) << fact("whoever has gone may be sent away again");
      const std::size_t said = server->reader.text(id).tokens.size();
      server->finish();
      EXPECT_EQ(server->reader.text(id).tokens.size(), said)
          << fact("nothing comes after an abort");
      expect_all_texts(*server, victim);
      if (HasFailure()) return;
    }
  }
  EXPECT_EQ(states, (std::set<State>{waits, in_its_prompt, decodes, was_preempted, has_ended}));
}

// Refuses to hear of the arrival of one sequence.
class DeafLog final : public StepLog {
 public:
  explicit DeafLog(SequenceId to) : to_(to) {}

 private:
  void take_header(const LogHeader&) override {}
  void take_event(const LogEvent& event) override {
    if (event.kind == LogKind::arrive && event.sequence == to_) fail("the disk is full");
  }
  void take_end(int) override {}

  SequenceId to_;
};

TEST_F(EngineFailures, AnArrivalThatFailsLeavesNoSampleBehind) {
  const auto server = server_for();
  DeafLog log(SequenceId{6});
  server->engine.report_to(log, server->manager);
  GenerationRequest request = requests()[1];
  request.samples = 3;
  expect_error([&] { server->add(request); }, {"the disk is full"});
  server->finish();
  expect_all_texts(*server);
  for (int id = 5; id < 8; ++id) EXPECT_TRUE(server->reader.text(SequenceId{id}).tokens.empty());
}

TEST_F(Aborts, OfWhomNobodyHasHeardAreAnError) {
  const auto server = server_for();
  expect_error([&] { server->engine.abort(SequenceId{5}); }, {"never a sequence 5"});
  expect_error([&] { server->engine.abort(SequenceId{-1}); }, {"never a sequence -1"});
}

}  // namespace
}  // namespace quire::test
