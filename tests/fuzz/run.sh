#!/usr/bin/env bash
# Builds all fuzzers with clang and runs each of them for a while, beginning with the committed seeds,
# as many at a time as there are cores. A crash, a leak, a hang or a broken invariant ends one, with the
# input that shows it.
#
# run.sh SECONDS [fuzzer...]   all fuzzers, or only these: config_json safetensors step_log
#                             tokenizer_json trace
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
seconds=${1:?"how many seconds for each fuzzer?"}
shift
build=$root/build/fuzz
fuzzers=("$@")
if ((${#fuzzers[@]} == 0)); then
  for source in "$root"/tests/fuzz/*.cpp; do fuzzers+=("$(basename "$source" .cpp)"); done
fi
cd "$root"
mkdir -p "$build"
[[ -e $build/build.ninja ]] || cmake --preset fuzz >"$build.log" 2>&1 ||
  { cat "$build.log" >&2; exit 1; }
cmake --build "$build" --target "${fuzzers[@]/#/fuzz_}"

run_fuzzer() {
  local fuzzer=$1 options=()
  local found=$build/found/$fuzzer dictionary=$root/tests/fuzz/$fuzzer.dict
  [[ ! -e $dictionary ]] || options+=("-dict=$dictionary")
  mkdir -p "$found"
  "$build/bin/fuzz_$fuzzer" -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="$build/$fuzzer-" "${options[@]}" \
    "$found" "$root/tests/fuzz/seeds/$fuzzer" 2>"$build/$fuzzer.log" ||
    { tail -n 60 "$build/$fuzzer.log" >&2; return 1; }
  printf '\n=== %s, %s s ===\n%s\n' "$fuzzer" "$seconds" \
    "$(grep -E '^(stat::|Done)' "$build/$fuzzer.log")"
}

export -f run_fuzzer
export root build seconds
# shellcheck disable=SC2016  # the inner shell is to see $1
printf '%s\n' "${fuzzers[@]}" | xargs -P "$(nproc)" -I{} bash -c 'run_fuzzer "$1"' _ {}
