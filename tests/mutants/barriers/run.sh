#!/usr/bin/env bash
# Runs the kernels' tests without each of the kernels' barriers, and says which test noticed. Programs in
# four orders of threads come first; where none of them fails, ThreadSanitizer decides. A barrier that
# nobody misses is a failure: remove it, or let the kernel need it.
#
# run.sh BUILD_FOLDER NAME...    names as in CMakeLists.txt
set -euo pipefail
root=$(cd "$(dirname "$0")/../../.." && pwd)
build=$(cd "$1" && pwd)
shift
# shellcheck source=tests/mutants/endings.sh
source "$root/tests/mutants/endings.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
# ThreadSanitizer needs addresses that some systems' random layouts take.
without_random_layout=()
if command -v setarch >/dev/null; then without_random_layout=(setarch -R); fi

build_targets() {
  cmake --build "$build" --target "$@" >"$log" 2>&1 || { tail -n 30 "$log"; exit 1; }
}

# programs NAME FILTER: the tests in four orders of threads; the status of the first that does not end well.
programs() {
  local program status=0
  for program in kernels_test attend_kernels_test; do
    timeout 120 "$build/relinked/barrier_$1/$program" --gtest_fail_fast --gtest_brief=1 \
      --gtest_filter="$2" >"$log" 2>&1 || status=$?
    ((status == 0)) || break
  done
  return "$status"
}

# races NAME FILTER: the tests under ThreadSanitizer, in one order, as it does not look at values; ends
# with status 66 at the first race.
races() {
  local without='-BrokenRaces*:*/eigen*:*/simd*:*/gpu:*Descending:*Shuffled*:LargeExtents.*:*LargestBlock'
  build_targets "barrier_$1_races"
  TSAN_OPTIONS=halt_on_error=1:exitcode=66 timeout 300 "${without_random_layout[@]}" \
    "$build/relinked/barrier_$1/kernels_races_test" --gtest_brief=1 --gtest_filter="$2$without" >"$log" 2>&1
}

# Where the first race was: online_softmax.cuh:69.
race() {
  sed -n 's|^SUMMARY: ThreadSanitizer: data race .*/\([^ ]*:[0-9]*\).*|a race at \1|p' "$log" | head -n 1
}

# run NAME FILTER RACES_FILTER: one line about it; `result` is how it ended.
run() {
  local start=$SECONDS status=0 noticed
  programs "$1" "$2" || status=$?
  ((status != 0)) || races "$1" "$3" || status=$?
  if ((status == 66)); then
    result=failure noticed=$(race)
  else
    result=$(ending "$status" "$log") noticed=$(killer "$log")
  fi
  printf '%-28s %-9s %4d s  %s\n' "$1" "$result" $((SECONDS - start)) "$noticed"
}

# The tests of the operator that a barrier belongs to; of what several share, all.
tests_of() {
  local operator=${1%%_*}
  if [[ $operator == common ]]; then echo '*'; else echo "*${operator^}*"; fi
}

build_targets barriers
run control 'Argmax.*' 'Argmax.*'
[[ $result == survived ]] || { echo "error: tests fail though nothing was removed"; cat "$log"; exit 1; }
missed=0
for name in "$@"; do
  run "$name" '*' "$(tests_of "$name")"
  [[ $result == failure ]] || { missed=$((missed + 1)); tail -n 15 "$log"; }
done
echo "$# barriers, $missed that no test misses"
((missed == 0))
