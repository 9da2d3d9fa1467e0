# Applies a mutant, tests/mutants/NN-k.mutant, to the file that it names:
#
#   title: The cache is longer before the row is there
#   file: src/kv/one_sequence.cpp
#   killed by: chapter_04_test:Slab.* another_test
#   ends in: crash                      (or timeout; without it, a test must fail)
#   symptom: What a user would report.
#   explanation: Why, over as many indented
#     lines as it takes.
#   replace:
#   |  stored_ += rows;
#   with:
#   |  stored_ += rows + 1;
#
# The lines after `replace:` are whole lines of the file, which must occur exactly once; those after
# `with:` take their place.
#
# awk [-v out=FILE] -f mutate.awk MUTANT FILE

function complain(message) {
  print "error: " ARGV[1] ": " message > "/dev/stderr"
  broken = 1
  exit 2
}

function matches_at(first,    i) {
  for (i = 1; i <= old; ++i) {
    if (lines[first + i - 1] != old_lines[i]) return 0
  }
  return 1
}

BEGIN { if (out == "") out = "/dev/stdout" }

NR == FNR && /^\|/ {
  if (part == "replace:") old_lines[++old] = substr($0, 2)
  else if (part == "with:") new_lines[++new] = substr($0, 2)
  else complain("a line with | is neither after replace: nor after with:")
  next
}

NR == FNR { part = $0; next }

{ lines[++count] = $0 }

END {
  if (broken) exit 2
  if (old == 0) complain("there is no line with | after replace:")
  for (i = 1; i + old - 1 <= count; ++i) {
    if (matches_at(i)) { found = i; ++times }
  }
  if (times != 1) complain("the lines to replace occur " times + 0 " times in " ARGV[2] ", expected once")
  for (i = 1; i < found; ++i) print lines[i] > out
  for (i = 1; i <= new; ++i) print new_lines[i] > out
  for (i = found + old; i <= count; ++i) print lines[i] > out
}
