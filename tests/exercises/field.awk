# The value of a field of a mutant or of a chapter's exercise.txt: `name: value`, continued on
# indented lines. A field that comes several times gives as many lines. An exercise.txt has
#
#   key: src/model/decoder.cpp
#   tests: chapter_02_test:Decoder.* another_test
#   hint 02.1: At least one for each exercise that is marked in the key file.
#
# `key`, `tests`, and a mutant's `file` and `killed by`, are one line each: CMake reads them too.
#
# awk -v name=NAME -f field.awk FILE

/^[^ |]/ {
  colon = index($0, ":")
  if (wanted) print value
  wanted = substr($0, 1, colon - 1) == name
  value = substr($0, colon + 1)
  sub(/^ */, "", value)
  next
}

/^ / && wanted {
  sub(/^ */, "")
  value = value " " $0
}

END {
  if (wanted) print value
}
