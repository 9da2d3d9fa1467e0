# shellcheck shell=bash
# What exercises and mutants have in common; for bash scripts that have set `root`.

# field FILE NAME: the values of a field, a line each.
field() {
  awk -v name="$2" -f "${root:?}/tests/exercises/field.awk" "$1"
}

# run_tests FOLDER LIST [argument...]: runs the tests of a list `program[:filter] ...` whose programs
# are in a folder. Status 0 if all passed, 1 if a test failed, else that of the program: 124 after
# two minutes, more than 128 after a crash.
run_tests() {
  local folder=$1 list=$2 entry status
  shift 2
  for entry in $list; do
    local filter='*'
    [[ $entry == *:* ]] && filter=${entry#*:}
    status=0
    timeout "${QUIRE_TEST_TIMEOUT:-120}" "$folder/${entry%%:*}" --gtest_brief=1 \
      --gtest_filter="$filter" "$@" 2>&1 || status=$?
    ((status == 0)) || return "$status"
  done
}
