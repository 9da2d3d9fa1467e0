# shellcheck shell=bash
# How the tests of a mutant ended; for bash scripts.

# ending STATUS LOG: from the status and the log of the last program that ran.
ending() {
  if (($1 == 0)); then
    echo survived
  elif (($1 == 124)); then
    echo timeout
  elif (($1 == 1)) && grep -q '^\[  FAILED  \]' "$2"; then
    echo failure
  else
    echo crash
  fi
}

# killer LOG: the first test that failed.
killer() {
  sed -n 's/^\[  FAILED  \] \([^ ,]*\).*/\1/p' "$1" | head -n 1
}
