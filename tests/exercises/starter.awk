# Reads a chapter's key file and its exercise markers:
#
#   // exercise 02.1 begin: Rotate every head by the position of its row.
#   ...our solution...
#   // exercise 02.1 end
#
# The task may go on over further comment lines, up to a full stop at the end of a line.
#
# awk -v chapter=02 -v mode=MODE [-v only=K] [-v out=FILE] -v key=PATH -f starter.awk FILE
#   starter   the file with every solution (or that of exercise K alone) replaced by its task and a
#             statement that throws
#   solution  the lines of the solution of exercise K
#   list      a line for each exercise: its number, a tab, its task

function complain(message) {
  printf "error: %s, line %d: %s\n", key, NR, message > "/dev/stderr"
  broken = 1
  exit 2
}

# A text as it stands in a C++ string literal.
function literal(text) {
  gsub(/\\/, "\\\\", text)
  gsub(/"/, "\\\"", text)
  return "\"" text "\""
}

# Words in comment lines of at most 100 columns.
function comment(indent, text,    count, words, i, line) {
  count = split(text, words, " ")
  line = indent "//"
  for (i = 1; i <= count; ++i) {
    if (length(line) + 1 + length(words[i]) > 100) {
      print line > out
      line = indent "//"
    }
    line = line " " words[i]
  }
  print line > out
}

function write_starter(indent, name, task) {
  comment(indent, "Exercise " name ": " task)
  comment(indent, "(./learn hint " name " helps; ./learn solution " name " shows ours.)")
  print indent "throw quire::Error(" > out
  print indent "    " literal("exercise " name " is not written yet: ") > out
  print indent "    " literal(task) ");" > out
}

function finish_task() {
  if (mode == "list") print number "\t" task > out
  in_task = 0
  replaced = mode == "starter" && (only == "" || only == number)
  if (replaced) write_starter(indent, chapter "." number, task)
}

BEGIN {
  begin_mark = "// exercise " chapter "."
  last = 0
  if (out == "") out = "/dev/stdout"
  error_header = "#include \"src/core/error.h\""
  while ((getline line < ARGV[ARGC - 1]) > 0) {
    if (line == error_header) included = 1
  }
}

NR == 1 && mode == "starter" {
  comment("", "Your copy of " key ": write what is marked Exercise.")
  comment("", "./learn check " chapter " builds and runs the chapter's tests with it in place of ours.")
}

{
  text = $0
  sub(/^[ \t]+/, "", text)
  marker = index(text, begin_mark) == 1
}

marker && text ~ / begin: / {
  if (number != "") complain("exercise " chapter "." number " has not ended yet")
  indent = substr($0, 1, length($0) - length(text))
  number = substr(text, length(begin_mark) + 1)
  task = number
  sub(/ begin: .*/, "", number)
  sub(/^[^:]*: */, "", task)
  if (number != last + 1) complain("expected exercise " chapter "." last + 1 ", found " number)
  last = number
  in_task = 1
  if (task ~ /\.$/) finish_task()
  next
}

marker && text ~ / end$/ {
  if (text != begin_mark number " end") complain("this exercise was not begun: " text)
  if (in_task) complain("the task of exercise " chapter "." number " has no full stop")
  number = ""
  replaced = 0
  next
}

in_task {
  if (text !~ /^\/\/ /) complain("the task of exercise " chapter "." number " has no full stop")
  task = task " " substr(text, 4)
  if (task ~ /\.$/) finish_task()
  next
}

mode == "solution" && number == only { print > out }

mode == "starter" && !replaced {
  print > out
  if (/^#include/ && !included) {
    print error_header > out
    included = 1
  }
}

END {
  if (broken) exit 2
  if (number != "") complain("exercise " chapter "." number " does not end")
  if (last == 0) complain("there is no exercise of chapter " chapter)
  if (only + 0 > last + 0) complain("there is no exercise " chapter "." only "; the last is " chapter "." last)
}
