#!/usr/bin/env bash
# The table of kernels' times has a row for each operator that has a kernel, and its JSON has the same.
#
# every_kernel_is_timed.sh KERNEL_TIMES
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
json=$(mktemp)
trap 'rm -f "$json"' EXIT
table=$("$1" --small "$json")
echo "$table"
for kernel in "$root"/kernels/*/v0_*.cu; do
  operator=$(basename "$(dirname "$kernel")")
  grep -q "^$operator\b" <<<"$table" || { echo "error: no row for $operator"; exit 1; }
  grep -q "\"name\": \"$operator\b" "$json" || { echo "error: no $operator in the JSON"; exit 1; }
done
