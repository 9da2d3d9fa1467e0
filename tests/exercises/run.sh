#!/usr/bin/env bash
# Tests exercises: our solution passes when linked as a reader's file would be; a starter compiles;
# and the tests of a starter that lacks one exercise fail because that exercise is not written.
#
# run.sh BUILD_FOLDER EXERCISE_TXT...
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
build=$(cd "$1" && pwd)
shift
# shellcheck source=tests/exercises/functions.sh
source "$root/tests/exercises/functions.sh"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
failures=0

verdict() {
  printf '%-16s %s\n' "$1" "$2"
  [[ $2 == ok:* ]] && return
  failures=$((failures + 1))
  tail -n 30 "$log"
}

# try TARGET TESTS [MESSAGE]: builds and runs; the tests pass, or fail with the message.
try() {
  local target=$1 tests=$2 message=${3:-} status=0
  if ! cmake --build "$build" --target "$target" >"$log" 2>&1; then
    verdict "$target" "does not compile"
    return
  fi
  (run_tests "$build/relinked/$target" "$tests") >"$log" 2>&1 || status=$?
  if [[ -z $message ]]; then
    verdict "$target" "$( ((status == 0)) && echo "ok: passes" || echo "our own solution fails")"
  elif ((status == 0)); then
    verdict "$target" "passes, though it lacks something"
  elif ! grep -qF "$message" "$log"; then
    verdict "$target" "fails, but without the words \"$message\""
  else
    verdict "$target" "ok: $message"
  fi
}

cmake --build "$build" --target "${QUIRE_STARTERS:-starters}" -- -k 0 >"$log" 2>&1 || true
for exercise in "$@"; do
  key=$root/$(field "$exercise" key)
  tests=$(field "$exercise" tests)
  chapter=$(basename "$(dirname "$exercise")")
  chapter=${chapter%%_*}
  try "solution_$chapter" "$tests"
  try "starter_$chapter" "$tests" "exercise $chapter."
  while IFS=$'\t' read -r number _; do
    try "starter_${chapter}_$number" "$tests" "exercise $chapter.$number is not written yet"
    [[ -n $(field "$exercise" "hint $chapter.$number") ]] ||
      verdict "hint $chapter.$number" "$exercise has no \"hint $chapter.$number: ...\""
  done <<<"$(awk -v chapter="$chapter" -v mode=list -v key="$key" \
    -f "$root/tests/exercises/starter.awk" "$key")"
done
((failures == 0)) || { echo "$failures failed"; exit 1; }
