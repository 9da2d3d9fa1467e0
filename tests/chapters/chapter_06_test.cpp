// Chapter 06: what its program says, and the numbers of its page.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "kernels/rms_norm/rms_norm.h"
#include "kernels/simt/device_array.h"
#include "tests/chapters/programs.h"
#include "tests/kernels/support/kernel_test.h"
#include "tests/support/temporary_folder.h"

namespace quire::test {
namespace {

namespace fs = std::filesystem;

const Json& survey() {
  static const Json json = run_json(PROGRAM_06, "");
  return json;
}

Json kernel(const std::string& name) {
  for (const Json& one : survey()["kernels"]) {
    if (one["name"] == name) return one;
  }
  ADD_FAILURE() << "there is no kernel " << name;
  return {};
}

// Builds that cannot count say null.
bool counts() {
  return !kernel("add")["accesses"].is_null();
}

// Each broken kernel runs once: ThreadSanitizer takes its time to start.
const Json& broken(const std::string& name) {
  static std::map<std::string, Json> all;
  if (!all.contains(name)) all[name] = run_json(PROGRAM_06, "--broken " + name);
  return all[name];
}

std::string line_of(const std::string& file, int number) {
  std::ifstream in(fs::path(QUIRE_SOURCE_DIR) / file);
  std::string line;
  while (number-- > 0 && std::getline(in, line)) {
  }
  return line;
}

// The line of broken.cu that a race names first or second.
std::string raced_line(const std::string& race, int which) {
  const std::string file = "broken.cu:";
  std::size_t at = race.find(file);
  if (which == 1) at = race.find(file, at + 1);
  if (at == std::string::npos) return "";
  return line_of("chapters/06_cuda_kernels/broken.cu", std::stoi(race.substr(at + file.size())));
}

// --- Against Eigen --------------------------------------------------------------------------------

TEST(Kernels, AreWithinTheirBoundsInEveryOrder) {
  EXPECT_EQ(survey()["kernels"].size(), 16u);
  for (const Json& one : survey()["kernels"]) {
    EXPECT_EQ(one["error_over_bound"].size(), 4u) << one["name"];
    for (const auto& [order, error] : one["error_over_bound"].items()) {
      ASSERT_TRUE(error.is_number()) << one["name"] << " " << order;
      EXPECT_LE(error.get<double>(), 1.0) << one["name"] << " " << order;
    }
  }
}

TEST(Kernels, ThatOnlyMoveNumbersAreEqualToEigen) {
  for (const char* name : {"embed", "add", "add_bias", "argmax", "gather_rows", "copy_blocks"}) {
    const Json errors = kernel(name)["error_over_bound"];
    for (const auto& [order, error] : errors.items()) EXPECT_EQ(error, 0.0) << name << order;
  }
}

TEST(Kernels, GiveOtherNumbersForAnotherSeed) {
  const Json other = run_json(PROGRAM_06, "--seed 2 --order descending");
  EXPECT_EQ(other["kernels"][0]["error_over_bound"].size(), 1u);
  EXPECT_TRUE(other["kernels"][0]["error_over_bound"].contains("descending"));
  EXPECT_NE(other["kernels"][1]["error_over_bound"]["descending"],
            kernel("rms_norm")["error_over_bound"]["descending"]);
}

// --- The numbers of the page ----------------------------------------------------------------------

// Squares 1, 9, 1, 0 and 9: a mean of 4, a root of 2.
TEST(TheExampleByHand, IsWhatTheKernelComputes) {
  in_every_order([](std::uint64_t) {
    const simt::DeviceArray<float> x(std::vector<float>{1, 3, 1, 0, 3}),
        gain(std::vector<float>(5, 1));
    const simt::DeviceArray<float> out(5);
    kernels::rms_norm<float>(out.data(), x.data(), nullptr, nullptr, gain.data(), 1e-30f, 1, 5,
                             nullptr);
    EXPECT_EQ(out.to_host(), (std::vector<float>{0.5, 1.5, 0.5, 0, 1.5}));
  });
}

// [launch]
// Each thread is resumed once to begin, and once after each thing that it waited for: two barriers and
// ten shuffles.
TEST(Launches, ANormTakesTwoBarriersAndTenShufflesAThread) {
  const Json launch = kernel("rms_norm")["launches"][0];
  EXPECT_EQ(launch["grid"], Json({5, 1, 1}));
  EXPECT_EQ(launch["block"], Json({256, 1, 1}));
  EXPECT_EQ(launch["threads"], 5 * 256);
  EXPECT_EQ(launch["barriers"], 5 * 2);
  EXPECT_EQ(launch["warp_operations"], 5 * 8 * 10);
  EXPECT_EQ(launch["resumptions"], 5 * 256 * (1 + 2 + 10));
}
// [launch]

TEST(Accesses, NeighboursReadFourSectorsOfFloats) {
  if (!counts()) GTEST_SKIP() << "this build does not count accesses";
  const Json loads = kernel("add")["accesses"]["global_loads"];
  EXPECT_EQ(loads["requests"], 2 * 5 * 8);
  EXPECT_EQ(loads["cost"], 4 * 2 * 5 * 8);
  EXPECT_EQ(loads["bytes"], 2 * 4 * 5 * 256);
}

// Each of 256 warps reads its row of the weight in two goes of 8 sectors, and each time five rows of x
// in 16.
TEST(Accesses, AProductOfFewRowsReadsItsWeightInWholeSectors) {
  if (!counts()) GTEST_SKIP() << "this build does not count accesses";
  const Json loads = kernel("linear, few rows")["accesses"]["global_loads"];
  EXPECT_EQ(loads["requests"], 256 * 2 * (1 + 5));
  EXPECT_EQ(loads["cost"], 256 * 2 * (8 + 5 * 16));
  EXPECT_EQ(loads["bytes"], 32 * loads["cost"].get<int>()) << "all that comes is used";
}

TEST(Accesses, AttentionUsesAnEighthOfWhatItsLoadsBring) {
  if (!counts()) GTEST_SKIP() << "this build does not count accesses";
  for (const char* name : {"attend v0, scores", "attend v1, online", "attend v2, split"}) {
    const Json loads = kernel(name)["accesses"]["global_loads"];
    const double used = loads["bytes"].get<double>() / (32 * loads["cost"].get<double>());
    EXPECT_NEAR(used, 0.12, 0.01) << name;
  }
}

TEST(Accesses, SectorsGrowWithTheStrideUpToOneForEachLane) {
  if (!counts()) GTEST_SKIP() << "this build does not count accesses";
  for (const Json& load : survey()["strides"]) {
    EXPECT_EQ(load["sectors"], std::min(32, 4 * load["stride"].get<int>())) << load;
  }
}

TEST(Fusion, WritesTheSameBitsWithFewerBytes) {
  if (!counts()) GTEST_SKIP() << "this build does not count accesses";
  const Json& fusions = survey()["fusions"];
  ASSERT_EQ(fusions.size(), 2u);
  for (const Json& fusion : fusions) EXPECT_EQ(fusion["same"], true);
  // 26 and 22 bytes for each of 5 x 256 elements.
  EXPECT_EQ(fusions[0]["apart"]["bytes"], 5 * 256 * 26);
  EXPECT_EQ(fusions[0]["fused"]["bytes"], 5 * 256 * 22);
  // The rotated k is written and read again, 5 x 128 elements of 4 bytes.
  EXPECT_EQ(fusions[1]["apart"]["bytes"].get<int>() - fusions[1]["fused"]["bytes"].get<int>(),
            5 * 128 * 2 * 4);
}

// --- Broken kernels -------------------------------------------------------------------------------

struct Caught {
  const char* kernel;
  std::vector<int> wrong;  // sums, in each order
  bool nan;
};

TEST(BrokenKernels, AreWrongInTheOrdersThatThePageSays) {
  const std::vector<Caught> all = {{"whole", {0, 0, 0, 0}, false},
                                   {"missing-barrier", {0, 128, 128, 128}, true},
                                   {"early-reuse", {96, 96, 96, 96}, false},
                                   {"lost-update", {0, 0, 0, 0}, false},
                                   {"unwritten", {128, 128, 128, 128}, true},
                                   {"missing-syncwarp", {0, 128, 128, 128}, true}};
  for (const Caught& expected : all) {
    const Json& trials = broken(expected.kernel)["orders"];
    ASSERT_EQ(trials.size(), 4u);
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_EQ(trials[i]["wrong"], expected.wrong[i]) << expected.kernel << trials[i];
      EXPECT_EQ(trials[i]["nan"], expected.nan ? expected.wrong[i] : 0) << expected.kernel;
      EXPECT_TRUE(trials[i]["error"].is_null());
    }
  }
}

TEST(BrokenKernels, ABarrierThatSomeNeverReachIsAnErrorThatNamesBothPlaces) {
  const Json trials = broken("divergent-barrier")["orders"];
  const auto error = trials[0]["error"].get<std::string>();
  EXPECT_EQ(error.find("block (0,0,0), thread (100,0,0): divergent barrier: "), 0u) << error;
  EXPECT_NE(raced_line(error, 0).find("__syncthreads();"), std::string::npos) << error;
  EXPECT_NE(raced_line(error, 1).find("__syncthreads();"), std::string::npos) << error;
  EXPECT_NE(raced_line(error, 0), raced_line(error, 1)) << "one is inside the loop";
}

TEST(BrokenKernels, RacesAreFoundAtTheirLines) {
  struct Raced {
    const char *kernel, *later, *earlier;
  };
  for (const auto& [name, later, earlier] :
       {Raced{"missing-barrier", "sum += numbers[i]", "of_warps[threadIdx.x / 32] = mine"},
        Raced{"early-reuse", "of_warps[threadIdx.x / 32] = mine", "sum += numbers[i]"},
        Raced{"lost-update", "*sum += mine", "*sum += mine"},
        Raced{"missing-syncwarp", "sum += numbers[i]", "numbers[threadIdx.x] = x[threadIdx.x]"}}) {
    const Json races = broken(name)["races"];
    if (races.is_null()) GTEST_SKIP() << "ThreadSanitizer cannot run here";
    ASSERT_EQ(races.size(), 1u) << name << races;
    EXPECT_NE(raced_line(races[0], 0).find(later), std::string::npos) << races[0];
    EXPECT_NE(raced_line(races[0], 1).find(earlier), std::string::npos) << races[0];
  }
}

TEST(BrokenKernels, WithoutARaceNoneIsFound) {
  for (const char* name : {"whole", "unwritten"}) {
    const Json races = broken(name)["races"];
    if (races.is_null()) GTEST_SKIP() << "ThreadSanitizer cannot run here";
    EXPECT_EQ(races, Json::array()) << name;
  }
}

// --- The program ----------------------------------------------------------------------------------

TEST(Program06, RefusesInOneLineWithStatusTwo) {
  for (const char* arguments :
       {"--broken nothing", "--order sideways", "--seed -1", "--broken whole --order ascending",
        "--broken whole --figures .", "--figures /nowhere", "--device gpu"}) {
    const Result result = shell(fmt::format("{} {}", PROGRAM_06, arguments));
    EXPECT_EQ(result.status, 2) << arguments;
    EXPECT_EQ(result.output.find("error: "), 0u) << result.output;
    EXPECT_EQ(result.output.find('\n'), result.output.size() - 1) << result.output;
  }
}

TEST(Program06, ListsTheBrokenKernelsThatThereAre) {
  const Result result = shell(PROGRAM_06 " --broken nothing");
  for (const char* name : {"whole", "missing-barrier", "early-reuse", "lost-update",
                           "divergent-barrier", "unwritten", "missing-syncwarp"}) {
    EXPECT_NE(result.output.find(name), std::string::npos) << name;
  }
}

TEST(Program06, DrawsItsFigure) {
  if (!counts()) GTEST_SKIP() << "this build does not count accesses";
  const TemporaryFolder folder;
  const Result result =
      shell(fmt::format("{} --order ascending --figures {}", PROGRAM_06, folder.path().string()));
  ASSERT_EQ(result.status, 0) << result.output;
  std::ifstream in(folder.path() / "accesses.svg");
  const std::string svg((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  for (const char* panel : {"1 apart: 4", "3 apart: 12", "8 apart: 32"}) {
    EXPECT_NE(svg.find(panel), std::string::npos) << panel;
  }
}

}  // namespace
}  // namespace quire::test
