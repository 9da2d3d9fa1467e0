#include <gtest/gtest.h>

#include "tests/model/small_config.h"
#include "tests/support/errors.h"

namespace quire::test {
namespace {

// What Llama 3.1 says.
Json llama3(const char* key) {
  return {{key, "llama3"},
          {"factor", 8.0},
          {"low_freq_factor", 1.0},
          {"high_freq_factor", 4.0},
          {"original_max_position_embeddings", 8192}};
}

ModelConfig with_scaling(const Json& scaling) {
  return load([&](Json& c) { c["rope_scaling"] = scaling; });
}

ModelConfig with_parameters(const Json& parameters) {
  return load([&](Json& c) {
    c.erase("rope_theta");
    c["rope_parameters"] = parameters;
  });
}

Json changed(Json object, const char* key, const Json& value) {
  object[key] = value;
  return object;
}

TEST(RopeConfig, IsAsPublishedIfNothingIsSaid) {
  EXPECT_EQ(load(nothing).rope_scaling, RopeScaling{});
  EXPECT_EQ(with_scaling(nullptr).rope_scaling, RopeScaling{});
}

TEST(RopeConfig, TheKindIsUnderEitherKey) {
  for (const char* key : {"type", "rope_type"}) {
    const RopeScaling scaling = with_scaling(llama3(key)).rope_scaling;
    EXPECT_EQ(scaling.kind, RopeKind::llama3) << key;
    EXPECT_EQ(scaling.factor, 8);
    EXPECT_EQ(scaling.low_frequency_factor, 1);
    EXPECT_EQ(scaling.high_frequency_factor, 4);
    EXPECT_EQ(scaling.original_max_positions, 8192);
    const RopeScaling linear = with_scaling({{key, "linear"}, {"factor", 2.5}}).rope_scaling;
    EXPECT_EQ(linear.kind, RopeKind::linear) << key;
    EXPECT_EQ(linear.factor, 2.5);
    EXPECT_EQ(with_scaling({{key, "default"}}).rope_scaling, RopeScaling{});
  }
}

TEST(RopeConfig, TwoKeysForTheKindMustAgree) {
  Json both = llama3("type");
  both["rope_type"] = "llama3";
  EXPECT_EQ(with_scaling(both).rope_scaling.kind, RopeKind::llama3);
  both["type"] = "mrope";
  expect_error([&] { with_scaling(both); }, {"rope_scaling", "mrope", "llama3"});
}

TEST(RopeConfig, AnUnknownKindIsRefusedByItsName) {
  for (const char* key : {"type", "rope_type"}) {
    for (const char* kind : {"dynamic", "yarn", "longrope", "su", "mrope", "no such", ""}) {
      const Json scaling = {{key, kind}, {"factor", 8.0}};
      expect_error([&] { with_scaling(scaling); }, {"rope_scaling", key, kind, "llama3"});
      expect_error([&] { with_parameters(scaling); }, {"rope_parameters", key, kind, "llama3"});
    }
  }
  expect_error([] { with_scaling({{"factor", 8.0}}); }, {"rope_scaling", "rope_type"});
}

TEST(RopeConfig, NewerFilesKeepTheRotationTogether) {
  EXPECT_EQ(with_parameters({{"rope_type", "default"}, {"rope_theta", 1e6}}).rope_theta, 1e6);
  EXPECT_EQ(with_parameters({{"rope_type", "default"}}).rope_theta, 10000.0);
  const ModelConfig scaled = with_parameters(changed(llama3("rope_type"), "rope_theta", 5e5));
  EXPECT_EQ(scaled.rope_theta, 5e5);
  EXPECT_EQ(scaled.rope_scaling.kind, RopeKind::llama3);
  expect_error([] { with_parameters({{"rope_theta", "many"}}); }, {"rope_theta", "many"});
  expect_error(
      [] {
        with_parameters({{"full_attention", {{"rope_theta", 7.0}}}});
      },
      {"rope_parameters", "full_attention", "each kind of layer"});
}

TEST(RopeConfig, WhatIsSaidTwiceMustAgree) {
  const auto both = [](const Json& parameters) {
    return load([&](Json& c) {
      c["rope_scaling"] = llama3("type");
      c["rope_parameters"] = parameters;
    });
  };
  EXPECT_EQ(both(llama3("rope_type")).rope_scaling.factor, 8);
  expect_error([&] { both(changed(llama3("rope_type"), "rope_theta", 7.0)); },
               {"rope_theta", "500000", "7"});
  expect_error([&] { both(changed(llama3("rope_type"), "factor", 4.0)); },
               {"rope_scaling", "rope_parameters"});
  expect_error(
      [] {
        load([](Json& c) {
          c["rope_scaling"] = llama3("type");
          c["original_max_position_embeddings"] = 4096;
        });
      },
      {"original_max_position_embeddings", "4096", "8192"});
}

TEST(RopeConfig, EveryNumberOfAScaleIsChecked) {
  for (const char* key :
       {"factor", "low_freq_factor", "high_freq_factor", "original_max_position_embeddings"}) {
    Json incomplete = llama3("rope_type");
    incomplete.erase(key);
    expect_error([&] { with_scaling(incomplete); }, {"rope_scaling", key, "missing"});
    for (const Json& wrong : {Json(0), Json(-1), Json("8"), Json(true), Json(1e300)}) {
      expect_error([&] { with_scaling(changed(llama3("type"), key, wrong)); },
                   {"rope_scaling", key, "number of"});
    }
  }
  expect_error([] { with_scaling({{"type", "linear"}}); }, {"factor", "missing"});
  expect_error([] { with_scaling({{"type", "linear"}, {"factor", 0.5}}); }, {"factor", "0.5"});
  expect_error([] { with_scaling(changed(llama3("type"), "high_freq_factor", 1.0)); },
               {"high_freq_factor", "low_freq_factor"});
  expect_error([] { with_scaling(changed(llama3("type"), "partial_rotary_factor", 0.5)); },
               {"partial_rotary_factor", "0.5"});
}

}  // namespace
}  // namespace quire::test
