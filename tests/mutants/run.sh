#!/usr/bin/env bash
# Builds every mutant of a group, runs the tests that it names, and says which of them noticed.
# A mutant is killed if a test fails. One that does not compile, runs too long or crashes is not,
# unless it says `ends in: timeout` or `ends in: crash`.
#
# run.sh BUILD_FOLDER GROUP [MUTANT_FOLDER]
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
group=$2
folder=${3:-$root/tests/mutants}
# shellcheck source=tests/exercises/functions.sh
source "$root/tests/exercises/functions.sh"
# shellcheck source=tests/mutants/endings.sh
source "$root/tests/mutants/endings.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
killed=0
failures=0

judge() {
  local mutant=$1 name start=$SECONDS status=0 expected result
  name=$(basename "$mutant" .mutant)
  expected=$(field "$mutant" "ends in")
  if ! cmake --build "$build" --target "mutant_$name" >"$log" 2>&1; then
    result="does not apply or compile"
  else
    (run_tests "$build/relinked/mutant_$name" "$(field "$mutant" "killed by")") >"$log" 2>&1 || status=$?
    result=$(ending "$status" "$log")
  fi
  if [[ $result == "${expected:-failure}" ]]; then
    killed=$((killed + 1))
    printf '%-16s %-10s %4d s  %s\n' "$name" killed $((SECONDS - start)) "$(killer "$log")"
  else
    failures=$((failures + 1))
    printf '%-16s %-10s %4d s  %s\n' "$name" ALIVE $((SECONDS - start)) "$result"
    tail -n 15 "$log"
  fi
}

cmake --build "$build" --target "$group" -- -k 0 >"$log" 2>&1 || true
for mutant in "$folder"/*.mutant; do
  [[ -e $mutant ]] && judge "$mutant"
done
echo "$killed mutants killed, $failures not"
((failures == 0))
