#include <fmt/format.h>
#include <gtest/gtest.h>

#include <limits>

#include "chapters/05_memory_and_roofline/charts.h"
#include "chapters/05_memory_and_roofline/measure.h"
#include "chapters/05_memory_and_roofline/request.h"
#include "chapters/05_memory_and_roofline/tables.h"
#include "src/core/error.h"
#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

using u64 = std::uint64_t;

constexpr u64 kGiB = u64{1} << 30;

// A plan by the words of a command line.
PlanRequest request(std::vector<const char*> words) {
  Arguments arguments("test");
  PlanOptions options;
  add_plan_options(arguments, options);
  words.insert(words.begin(), "plan");
  arguments.parse(static_cast<int>(words.size()), words.data());
  return request_of(options);
}

Plan plan(const std::vector<const char*>& words) {
  return make_plan(request(words));
}

std::string error_of(const std::vector<const char*>& words) {
  try {
    plan(words);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

TEST(PlanRequest, WithoutOptionsIsLlama3OnA100) {
  const PlanRequest usual = request({});
  EXPECT_EQ(usual.shape.name, "llama-3-8b");
  EXPECT_EQ(usual.card.name, "A100-80");
  EXPECT_EQ(usual.lengths, std::vector<u64>{4096});
}

TEST(PlanRequest, TheUsualLengthIsNoLongerThanTheModelWasMadeFor) {
  EXPECT_EQ(request({"gpt2"}).lengths, std::vector<u64>{1024});
}

TEST(PlanRequest, NamesAreReadInLettersOfAnySize) {
  EXPECT_EQ(request({"Llama-7B"}).shape.name, "llama-7b");
  EXPECT_EQ(request({"--card", "rtx 3070"}).card.name, "RTX-3070");
  EXPECT_EQ(request({"--kv", "Int8:32"}).formats.kv.text(), "INT8:32");
}

TEST(PlanRequest, UnknownNamesListTheKnownOnes) {
  const std::string shape = error_of({"gpt5"});
  for (const ModelShape& known : all_shapes()) EXPECT_NE(shape.find(known.name), std::string::npos);
  EXPECT_NE(shape.find("builtin"), std::string::npos);
  const std::string card = error_of({"--card", "V100"});
  for (const Card& known : all_cards()) EXPECT_NE(card.find(known.name), std::string::npos);
  EXPECT_NE(error_of({"--weights", "int3"}).find("INT4"), std::string::npos);
}

TEST(PlanRequest, ACardOfOnesOwnHasTheNumbersGiven) {
  const Card card = request({"--memory", "24", "--bandwidth", "1008", "--flops", "165.2"}).card;
  EXPECT_EQ(card.memory, 24 * kGiB);
  EXPECT_DOUBLE_EQ(card.bandwidth, 1008e9);
  EXPECT_DOUBLE_EQ(card.flops, 165.2e12);
}

TEST(PlanRequest, QuantisingMatricesLeavesTheRestAt16BitsUnlessAsked) {
  const Formats usual = request({"--weights", "int4:64"}).formats;
  EXPECT_EQ(usual.tables.bits, 16u);
  EXPECT_EQ(usual.vectors.bits, 16u);
  EXPECT_EQ(request({"--weights", "int4", "--tables", "int8"}).formats.tables.bits, 8u);
  EXPECT_EQ(request({"--weights", "f32"}).formats.vectors.bits, 32u);
}

TEST(PlanRequest, AFolderIsReadByItsConfigAlone) {
  const std::string folder = QUIRE_SOURCE_DIR "/tests/golden/llama-6-2";
  const PlanRequest read = request({"--model", folder.c_str()});
  EXPECT_EQ(read.shape.name, "llama-6-2");
  EXPECT_EQ(read.shape.config.kv_heads, 2);
}

TEST(PlanRequest, TheBuiltInModelHasANameToo) {
  EXPECT_EQ(request({"builtin"}).shape.name, "builtin");
}

struct Refusal {
  std::vector<const char*> words;
  const char* message;
};

class Refused : public testing::TestWithParam<Refusal> {};

TEST_P(Refused, SaysWhatWouldBeRight) {
  EXPECT_NE(error_of(GetParam().words).find(GetParam().message), std::string::npos)
      << error_of(GetParam().words);
}

INSTANTIATE_TEST_SUITE_P(
    Options, Refused,
    testing::Values(Refusal{{"--length", "0"}, "--length is \"0\", expected a whole number, 1 to"},
                    Refusal{{"--length", "-5"}, "--length is \"-5\""},
                    Refusal{{"--length", "99999999999999999999"}, "--length"},
                    Refusal{{"--length", "4k"}, "--length is \"4k\""},
                    Refusal{{"--batch", "0"}, "--batch is \"0\""},
                    Refusal{{"--block-size", "0"}, "--block-size is \"0\""},
                    Refusal{{"--window", "-1"}, "--window is \"-1\""},
                    Refusal{{"--ranks", "0"}, "--ranks is \"0\""},
                    Refusal{{"--ranks", "3"}, "32 query heads, which 3 ranks cannot share evenly"},
                    Refusal{{"--memory", "0"}, "--memory is \"0\""},
                    Refusal{{"--memory", "nan"}, "--memory is \"nan\""},
                    Refusal{{"--memory", "1e30"}, "--memory is \"1e30\""},
                    Refusal{{"--bandwidth", "0"}, "--bandwidth is \"0\""},
                    Refusal{{"--flops", "-1"}, "--flops is \"-1\""},
                    Refusal{{"--reserve", "-1"}, "--reserve is \"-1\""},
                    Refusal{{"--reserve", "inf"}, "--reserve is \"inf\""},
                    Refusal{{"--weights", "bf16:64"}, "BF16 needs no scales"},
                    Refusal{{"--weights", "int4:0"}, "the group of --weights is \"0\""},
                    Refusal{{"--kv", "int8:"}, "the group of --kv is \"\""},
                    Refusal{{"--kv", ""}, "--kv is \"\""},
                    Refusal{{"--lengths", ""}, "a length of --lengths is \"\""},
                    Refusal{{"--lengths", "5,,6"}, "a length of --lengths is \"\""},
                    Refusal{{"--lengths", "5,6", "--length", "7"}, "--lengths"},
                    Refusal{{"gpt2", "--model", "."}, "--model"},
                    Refusal{{"--model", ""}, "--model is \"\""},
                    Refusal{{"--model", "/nowhere"}, "config.json is missing"}));

TEST(Plan, NumbersThatDoNotFitIn64BitsAreErrors) {
  EXPECT_NE(error_of({"llama-3.1-70b", "--length", "268435456", "--batch", "65536"})
                .find("does not fit in 64 bits"),
            std::string::npos);
}

TEST(Plan, FourMillionTokensAreExact) {
  const Plan large = plan({"llama-7b", "--length", "4194304"});
  EXPECT_EQ(large.kv_bytes, (u64{1} << 22) * 524'288u);
  EXPECT_EQ(large.steps[0].cost.attention_flops,
            524'288u * ((u64{1} << 21) * ((u64{1} << 22) + 1)));
  EXPECT_FALSE(large.fits);
}

TEST(Plan, RaggedSequencesTakeTheirSumInBlocksAndMoreIfPadded) {
  const Plan ragged = plan({"llama-7b", "--lengths", "5,17,33", "--block-size", "16"});
  EXPECT_EQ(ragged.kv_bytes, (5u + 17u + 33u) * 524'288u);
  EXPECT_EQ(ragged.kv_allocated, (16u + 32u + 48u) * 524'288u);
  EXPECT_EQ(ragged.kv_padded, 3u * 48u * 524'288u);
  EXPECT_EQ(ragged.steps[0].cost.rows, 55u);
  EXPECT_EQ(ragged.steps[1].cost.kv_read, 55u * 524'288u);
}

TEST(Plan, WeightsThatDoNotFitLeaveNoRoom) {
  const Plan none = plan({"llama-3-8b", "--card", "RTX-3070"});
  EXPECT_FALSE(none.free.has_value());
  EXPECT_FALSE(none.fits);
  EXPECT_EQ(none.lengths.front().sequences, 0u);
  EXPECT_NE(text_of(none).find("The weights do not fit"), std::string::npos);
}

TEST(Plan, WhatIsReservedIsNotFree) {
  const Plan all = plan({}), less = plan({"--reserve", "2.5"});
  EXPECT_EQ(*all.free - *less.free, 5 * kGiB / 2);
}

TEST(Plan, SequencesThatFitFitAndOneMoreDoesNot) {
  const Plan some = plan({"mistral-7b", "--length", "20000"});
  for (const LengthRow& row : some.lengths) {
    EXPECT_LE(row.sequences * row.kv_allocated, *some.free);
    EXPECT_GT((row.sequences + 1) * row.kv_allocated, *some.free);
  }
  // Mistral looks back 4,096 tokens, which touch 257 blocks of 16.
  EXPECT_EQ(some.lengths.back().kv_bytes, 4096u * 131'072u);
  EXPECT_EQ(some.lengths.back().kv_allocated, 257u * 16u * 131'072u);
}

TEST(Plan, RanksShareWeightsAndArithmetic) {
  const Plan whole = plan({"llama-3.1-70b"}), eighth = plan({"llama-3.1-70b", "--ranks", "8"});
  EXPECT_FALSE(whole.free.has_value()) << "141 GB do not fit on one card of 80 GiB";
  EXPECT_TRUE(eighth.fits);
  EXPECT_EQ(8 * eighth.weights.attention, whole.weights.attention);
  EXPECT_EQ(8 * eighth.weights.ffn, whole.weights.ffn);
  EXPECT_EQ(8 * eighth.weights.embedding, whole.weights.embedding);
  EXPECT_EQ(eighth.weights.norms, whole.weights.norms) << "each rank norms whole rows";
  EXPECT_EQ(8 * eighth.steps[1].cost.flops(), whole.steps[1].cost.flops());
}

TEST(Plan, EveryTableHasARowForEverything) {
  const Plan some = plan({"gpt2"});
  EXPECT_EQ(weights_table(some).rows(), 7u) << "all parts but the head, and the sum";
  EXPECT_EQ(lengths_table(some).rows(), 5u);
  EXPECT_EQ(steps_table(some).rows(), 6u);
}

TEST(Plan, JsonHasTheNumbersOfTheTables) {
  const Plan some = plan({"llama-7b", "--length", "2048", "--batch", "16"});
  const Json json = to_json(some);
  EXPECT_EQ(json["parameters"]["total"], 6'738'415'616u);
  EXPECT_EQ(json["kv_bytes"], 16 * kGiB);
  EXPECT_EQ(json["steps"][1]["kv_read"], 16 * kGiB);
  EXPECT_EQ(json["steps"][1]["memory_bound"], true);
  EXPECT_EQ(json["fits"], true);
  EXPECT_TRUE(json["lengths"][4]["compute_bound_batch"].is_null());
}

TEST(Plan, CsvHasExactNumbers) {
  EXPECT_NE(lengths_table(plan({"llama-7b"})).csv().find("16384,8589934592,8589934592,0.1,"),
            std::string::npos);
}

TEST(Plan, ChartsAreDrawnForEveryShapeOnEveryCard) {
  for (const ModelShape& shape : all_shapes()) {
    for (const Card& card : all_cards()) {
      const Plan some = plan({shape.name.c_str(), "--card", card.name.c_str()});
      EXPECT_NE(roofline_chart(some).svg().find("decode"), std::string::npos);
      EXPECT_NE(kv_chart(some).svg().find("KV heads"), std::string::npos);
    }
  }
}

TEST(Plan, NoPointOfTheRooflineIsAboveTheRoof) {
  const Plan some = plan({"llama-3-8b"});
  const Card& card = some.request.card;
  for (const Series& line : roofline_chart(some).series) {
    for (const Point& point : line.points) {
      const double roof = std::min(point.x * card.bandwidth, card.flops) / 1e12;
      EXPECT_NEAR(point.y, roof, 1e-9 * roof) << line.label << " " << point.label;
    }
  }
}

TEST(Plan, APageHoldsTablesAndCharts) {
  const std::string page = page_of(plan({"smollm2-135m"}));
  EXPECT_NE(page.find("<svg"), std::string::npos);
  EXPECT_NE(page.find("134,515,008"), std::string::npos);
}

// --- Counted ----------------------------------------------------------------------------------

class Measured : public testing::Test {
 protected:
  Measured()
      : folder_(data_folder() / "model"),
        shape_(shape_of(folder_)),
        model_(load_model(folder_, {.threads = 1})),
        steps_(measure(model_, shape_, 33)) {}

  std::filesystem::path folder_;
  ModelShape shape_;
  LoadedModel model_;
  std::vector<MeasuredStep> steps_;
};

TEST_F(Measured, MatricesAndAttentionCountWhatIsPlanned) {
  ASSERT_EQ(steps_.size(), 2u);
  EXPECT_EQ(steps_[0].planned.rows, 33u);
  EXPECT_EQ(steps_[1].planned.rows, 1u);
  for (const MeasuredStep& step : steps_) {
    EXPECT_EQ(step.counted.of(Operator::linear).flops, step.planned.linear_flops) << step.phase;
    EXPECT_EQ(step.counted.of(Operator::attend).flops, step.planned.attention_flops) << step.phase;
  }
}

TEST_F(Measured, WhatIsNotPlannedIsActivations) {
  // All that a step moves besides weights, keys and values grows with its rows.
  const auto rest = [](const MeasuredStep& step) {
    return static_cast<double>(step.counted.total().bytes() - step.planned.bytes());
  };
  EXPECT_GT(rest(steps_[1]), 0);
  EXPECT_LT(rest(steps_[1]), 0.1 * static_cast<double>(steps_[1].counted.total().bytes()));
  EXPECT_LT(rest(steps_[0]), 33 * rest(steps_[1]));
  EXPECT_GT(rest(steps_[0]), 25 * rest(steps_[1])) << "but for the logits, which only one row has";
}

TEST_F(Measured, APromptOfNoTokensOrTooManyIsRefused) {
  EXPECT_THROW(measure(model_, shape_, 0), Error);
  EXPECT_THROW(measure(model_, shape_, model_.config().max_positions), Error);
}

}  // namespace
}  // namespace quire::test
