// What the fast CPU operators reach of what the machine can do. Usage: quire_bench [THREADS], then
// Google Benchmark's options.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "src/report/table.h"
#include "tests/bench/attention.h"
#include "tests/bench/ceilings.h"
#include "tests/bench/steps.h"

namespace quire::bench {
namespace {

constexpr int kPrompt = 512, kContext = 64, kLateContext = 1000, kBatch = 8;
constexpr int kKeys = 4096, kBlockSize = 16, kRequests = 16;

// Rates by the name of the benchmark; of several runs the best, since whatever disturbs a run makes
// it slower.
class BestRates : public benchmark::ConsoleReporter {
 public:
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration || run.error_occurred) continue;
      double& best = rates_[run.run_name.function_name];
      best = std::max<double>(best, run.counters.at("rate"));
    }
    ConsoleReporter::ReportRuns(runs);
  }
  // 0 if it was not run.
  double of(const std::string& name) const {
    const auto found = rates_.find(name);
    return found == rates_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, double> rates_;
};

void set_rate(benchmark::State& state, double each) {
  state.counters["rate"] = benchmark::Counter(each, benchmark::Counter::kIsIterationInvariantRate);
}

template <class Body>
void add(const char* name, const Body& body) {
  benchmark::RegisterBenchmark(name, body)->UseRealTime()->Unit(benchmark::kMillisecond);
}

// The FLOPs of linear layers and attention in one prefill.
double prefill_flops(Runner& runner) {
  const Counters before = runner.counters();
  runner.prefill(kPrompt);
  const Counters work = runner.counters() - before;
  return static_cast<double>(work.of(Operator::linear).flops + work.of(Operator::attend).flops);
}

void add_all(ThreadPool& threads, Runner& runner, const std::vector<std::uint64_t>& memory) {
  add("read", [&](benchmark::State& state) {
    for (auto _ : state) benchmark::DoNotOptimize(read_all(threads, memory));
    set_rate(state, static_cast<double>(memory.size()) * 8);
  });
  add("multiply_add", [&](benchmark::State& state) {
    double flops = 0;
    for (auto _ : state) flops = multiply_add_all(threads, 1000000);
    set_rate(state, flops);
  });
  for (const int sequences : {1, kBatch}) {
    add(sequences == 1 ? "decode_1" : "decode_8", [&runner, sequences](benchmark::State& state) {
      for (auto _ : state) runner.decode(sequences, kContext);
      set_rate(state, sequences);
    });
  }
  add("decode_1_after_1000", [&](benchmark::State& state) {
    for (auto _ : state) runner.decode(1, kLateContext);
    set_rate(state, 1);
  });
  for (const int requests : {1, kRequests}) {
    add(requests == 1 ? "serve_1" : "serve_16", [&runner, requests](benchmark::State& state) {
      int tokens = 0;
      for (auto _ : state) tokens = runner.serve(requests);
      set_rate(state, tokens);
    });
  }
  for (const int block_size : {kKeys, kBlockSize}) {
    add(block_size == kKeys ? "attend_slab" : "attend_blocks",
        [&runner, block_size](benchmark::State& state) {
          AttentionStep attention(runner.ops(), kKeys, block_size);
          for (auto _ : state) attention.run();
          set_rate(state, static_cast<double>(attention.bytes()));
        });
  }
  const double flops = prefill_flops(runner);
  add("prefill_512", [&runner, flops](benchmark::State& state) {
    for (auto _ : state) runner.prefill(kPrompt);
    set_rate(state, flops);
  });
}

void show(const BestRates& best, const Runner& runner, double prompt_flops) {
  const auto weights = static_cast<double>(runner.weight_bytes());
  const double read = best.of("read"), peak = best.of("multiply_add");
  const double one = best.of("decode_1"), eight = best.of("decode_8");
  const double late = best.of("decode_1_after_1000"), prefill = best.of("prefill_512");
  Table table({{.title = "what", .align = Align::left}, {.title = "measured"}, {.title = "ratio"}});
  table.row({"plain read", fmt::format("{:.1f} GB/s", read / 1e9), ""});
  table.row({"F32 multiply-add", fmt::format("{:.0f} GFLOP/s", peak / 1e9), ""});
  table.row({"decode, 1 sequence", fmt::format("{:.1f} tokens/s", one),
             fmt::format("{:.0f} % of the read", 100 * one * weights / read)});
  table.row({"decode, 1 sequence, 1000 tokens back", fmt::format("{:.1f} tokens/s", late),
             fmt::format("{:.0f} % of the read", 100 * late * weights / read)});
  table.row({"decode, 8 sequences", fmt::format("{:.1f} tokens/s", eight),
             fmt::format("{:.2f} times one", eight / one)});
  table.row({"prefill of 512", fmt::format("{:.0f} tokens/s", kPrompt * prefill / prompt_flops),
             fmt::format("{:.0f} % of the peak", 100 * prefill / peak)});
  const double alone = best.of("serve_1"), together = best.of("serve_16");
  table.row({"an engine serves 1 request", fmt::format("{:.1f} tokens/s", alone), ""});
  table.row({fmt::format("an engine serves {} requests", kRequests),
             fmt::format("{:.1f} tokens/s", together),
             fmt::format("{:.2f} times one", together / alone)});
  const double slab = best.of("attend_slab"), blocks = best.of("attend_blocks");
  table.row({fmt::format("attention over {} keys in a slab", kKeys),
             fmt::format("{:.1f} GB/s", slab / 1e9), ""});
  table.row({fmt::format("the same in blocks of {}", kBlockSize),
             fmt::format("{:.1f} GB/s", blocks / 1e9),
             fmt::format("{:.0f} % of the slab", 100 * blocks / slab)});
  fmt::print("\n{}", table.text());
}

int run(int argc, char** argv) {
  // Repeated and in random order, so that a change in the machine's speed meets all alike.
  std::vector<char*> arguments = {argv[0]};
  std::string defaults[] = {"--benchmark_repetitions=5", "--benchmark_min_time=0.3",
                            "--benchmark_enable_random_interleaving=true"};
  for (std::string& option : defaults) arguments.push_back(option.data());
  const bool has_threads = argc > 1 && argv[1][0] != '-';
  for (int i = has_threads ? 2 : 1; i < argc; ++i) arguments.push_back(argv[i]);
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;

  ThreadPool threads(has_threads ? std::atoi(argv[1]) : 2);
  Runner runner(threads.size(), kBatch, kLateContext + 1);
  for (int sequence = 0; sequence < kBatch; ++sequence) {
    runner.prefill(sequence == 0 ? kLateContext : kContext, sequence);
  }
  const std::vector<std::uint64_t> memory(std::size_t{32} << 20, 1);
  add_all(threads, runner, memory);
  BestRates best;
  benchmark::RunSpecifiedBenchmarks(&best);
  show(best, runner, prefill_flops(runner));
  return 0;
}

}  // namespace
}  // namespace quire::bench

int main(int argc, char** argv) {
  return quire::bench::run(argc, argv);
}
