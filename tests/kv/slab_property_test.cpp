// Any calls in any order: the slab does what a model of four numbers does.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <optional>

#include "chapters/04_kv_cache/slab.h"
#include "src/core/error.h"

namespace quire::test {
namespace {

constexpr int kCapacity = 6;

struct Call {
  int kind;      // 0 open, 1 reserve, 2 commit, 3 truncate, 4 release
  int sequence;  // 0 or 1
  int rows;      // 0 to kCapacity + 1
};

void showValue(const Call& call, std::ostream& out) {
  constexpr const char* kNames[] = {"open", "reserve", "commit", "truncate", "release"};
  out << kNames[call.kind] << "(" << call.sequence << ", " << call.rows << ")";
}

enum class Outcome { yes, no, error };

// The contract of KvManager for one slab, as plainly as it can be said.
struct PlainSlab {
  std::optional<int> open;
  int stored = 0, reserved = 0;

  Outcome apply(const Call& call) {
    if (call.kind == 0) return try_open(call);
    if (open != call.sequence) return Outcome::error;
    switch (call.kind) {
      case 1:
        if (stored + call.rows > kCapacity) return Outcome::no;
        reserved = stored + call.rows;
        return Outcome::yes;
      case 2:
        if (stored + call.rows > reserved) return Outcome::error;
        stored += call.rows;
        return Outcome::yes;
      case 3:
        if (call.rows > stored) return Outcome::error;
        stored = reserved = call.rows;
        return Outcome::yes;
      default:
        open.reset();
        return Outcome::yes;
    }
  }

  Outcome try_open(const Call& call) {
    if (call.rows > kCapacity || open == call.sequence) return Outcome::error;
    if (open) return Outcome::no;
    *this = {.open = call.sequence};
    return Outcome::yes;
  }
};

Outcome apply(Slab& slab, const Call& call) {
  const SequenceId sequence{call.sequence};
  const auto outcome = [](bool done) { return done ? Outcome::yes : Outcome::no; };
  try {
    if (call.kind == 0) return outcome(slab.open(sequence, {}, call.rows));
    if (call.kind == 1) return outcome(slab.reserve(sequence, call.rows));
    if (call.kind == 2) slab.commit(sequence, call.rows);
    if (call.kind == 3) slab.truncate(sequence, call.rows);
    if (call.kind == 4) slab.release(sequence);
    return Outcome::yes;
  } catch (const Error&) {
    return Outcome::error;
  }
}

rc::Gen<Call> any_call() {
  return rc::gen::map(rc::gen::tuple(rc::gen::inRange(0, 5), rc::gen::inRange(0, 2),
                                     rc::gen::inRange(0, kCapacity + 2)),
                      [](const auto& t) {
                        return Call{std::get<0>(t), std::get<1>(t), std::get<2>(t)};
                      });
}

TEST(SlabProperty, AnyCallsInAnyOrderDoWhatTheModelDoes) {
  EXPECT_TRUE(rc::check("slab and model agree", [] {
    const auto calls = *rc::gen::container<std::vector<Call>>(any_call());
    Slab slab(kCapacity);
    PlainSlab plain;
    for (const Call& call : calls) {
      const Outcome expected = plain.apply(call);
      RC_ASSERT(apply(slab, call) == expected);
      if (plain.open) RC_ASSERT(slab.stored(SequenceId{*plain.open}) == plain.stored);
      RC_TAG(static_cast<int>(expected));
    }
  }));
}

}  // namespace
}  // namespace quire::test
