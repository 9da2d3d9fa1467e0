# The value of a field of an exercise.txt or a mutant: `name: value`, continued on indented lines. A
# field that comes several times gives as many lines.
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
