# Prints a kernel file without one of its barriers: the one with some number, counted from 1. With
# number 0 all stay.
#
# awk -v number=N -f without_barrier.awk FILE

{
  line = ""
  rest = $0
  while (match(rest, /__sync(threads|warp)\([^()]*\);/)) {
    barrier = substr(rest, RSTART, RLENGTH)
    line = line substr(rest, 1, RSTART - 1) (++count == number ? ";" : barrier)
    rest = substr(rest, RSTART + RLENGTH)
  }
  print line rest
}

END {
  if (count >= number) exit 0
  print "error: " FILENAME " has no barrier " number > "/dev/stderr"
  exit 1
}
