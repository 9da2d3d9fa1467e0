# shellcheck shell=bash
# The commands of ./learn for exercises and mutants; it calls what this file defines.

# shellcheck source=tests/exercises/functions.sh
source "${root:?}/tests/exercises/functions.sh"

# The exercise.txt of a chapter.
exercise_of() {
  local name
  [[ ${1:-} =~ ^[0-9][0-9]$ ]] || die "which chapter? Give two digits, such as 02"
  name=$(chapter_named "$1")
  [[ -e $root/chapters/$name/exercise.txt ]] || die "chapter $name has no exercises"
  echo "$root/chapters/$name/exercise.txt"
}

# starter MODE CHAPTER KEY [argument...]
starter() {
  local mode=$1 chapter=$2 key=$3
  shift 3
  awk -v chapter="$chapter" -v mode="$mode" -v key="$key" "$@" \
    -f "$root/tests/exercises/starter.awk" "$root/$key"
}

start_command() {
  local exercise key file
  exercise=$(exercise_of "${1:-}")
  key=$(field "$exercise" key)
  file=exercises/$1/$(basename "$key")
  [[ ! -e $root/$file || ${2:-} == --force ]] ||
    die "$file exists; ./learn start $1 --force would overwrite your work"
  mkdir -p "$root/exercises/$1"
  starter starter "$1" "$key" >"$root/$file.new"
  mv "$root/$file.new" "$root/$file"
  echo "$file is yours: our $key with these parts left out."
  starter list "$1" "$key" | sed "s/^/  $1./; s/\t/  /"
  echo "./learn check $1 tests it; ./learn hint $1.1 helps."
}

# exercise_number NN.k: sets chapter and number.
exercise_number() {
  [[ ${1:-} =~ ^([0-9][0-9])\.([0-9]+)$ ]] || die "which exercise? Give a number such as 02.1"
  chapter=${BASH_REMATCH[1]}
  number=${BASH_REMATCH[2]}
}

hint_command() {
  local chapter number exercise hints
  exercise_number "${1:-}"
  exercise=$(exercise_of "$chapter")
  hints=$(field "$exercise" "hint $1")
  [[ -n $hints ]] || die "there is no hint for $1"
  fold -s -w 80 <<<"$hints"
}

solution_command() {
  local chapter number exercise
  exercise_number "${1:-}"
  exercise=$(exercise_of "$chapter")
  starter solution "$chapter" "$(field "$exercise" key)" -v only="$number"
}

# What tests print, for a reader: names the pages of `section 02#rope`, leaves out who runs the tests.
name_pages() {
  local name program='/^Running main() from/d;/: Skipped$/{N;d};/^\[  SKIPPED \]/d;'
  for name in $(chapters); do
    program+="s|section    ${name%%_*}#|section    chapters/$name/README.md#|;"
  done
  sed "$program"
}

check_command() {
  local exercise tests key file chapter=${1:-} status=0 stop=--gtest_fail_fast
  exercise=$(exercise_of "$chapter")
  tests=$(field "$exercise" tests)
  key=$(field "$exercise" key)
  file=exercises/$chapter/$(basename "$key")
  [[ -e $root/$file ]] || die "there is no $file; ./learn start $chapter makes it"
  [[ ${2:-} == --all ]] && stop=--gtest_brief=1
  build_targets tests "check_$chapter"
  run_tests "${build:?}/relinked/check_$chapter" "$tests" "$stop" | name_pages || status=$?
  if ((status == 0)); then
    echo "$file passes the tests of chapter $chapter."
  else
    echo "$file does not pass yet: above is the first test that failed."
    exit 1
  fi
}

# What a mutant changes, as a diff.
difference() {
  local source
  source=$(field "$1" file)
  awk -f "$root/tests/mutants/mutate.awk" "$1" "$root/$source" |
    diff -u --label "$source" --label "$source (broken)" "$root/$source" - || true
}

explain_mutant() {
  field "$1" title
  echo
  difference "$1"
  printf '\nWhat a user would report: %s\n' "$(field "$1" symptom)" | fold -s -w 90
  echo
  field "$1" explanation | fold -s -w 90
}

run_mutant() {
  local mutant=$1 name=$2 status=0
  build_targets tests "mutant_$name"
  printf 'What a user would report: %s\n\n' "$(field "$mutant" symptom)" | fold -s -w 90
  (run_tests "$build/relinked/mutant_$name" "$(field "$mutant" "killed by")") 2>&1 |
    name_pages || status=$?
  if ((status == 0)); then
    echo "The tests did not notice."
    exit 1
  fi
  echo "The tests caught it. ./learn break $name --show explains it."
}

break_command() {
  local mutant=$root/tests/mutants/${1:-}.mutant
  [[ ${1:-} =~ ^[0-9][0-9]-[0-9]+$ && -e $mutant ]] ||
    die "there is no mutant \"${1:-}\"; there are: $(cd "$root/tests/mutants" && echo *.mutant | sed 's/\.mutant//g')"
  case ${2:-} in
    --show) explain_mutant "$mutant" ;;
    '') run_mutant "$mutant" "$1" ;;
    *) die "./learn break takes --show, not \"$2\"" ;;
  esac
}
