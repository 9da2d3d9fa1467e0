#!/usr/bin/env bash
# Tests and times the kernels on a GPU, in five minutes, on a machine that has CUDA's toolkit, a C++
# compiler and CMake, and on which nothing can be installed.
#
# run.sh pack              where the project is built: copies the packages that it needs into
#                          build/gpu-pack (2 MB as an archive); take the tree and this folder along
# run.sh [RESULTS_FOLDER]  there: builds the kernels and their tests, runs the suite on the GPU,
#                          compute-sanitizer on a part of it, and times each kernel beside its
#                          floor and beside PyTorch, if that is there. A table, and JSON in docs/gpu
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
pack=$root/build/gpu-pack
build=$root/build/gpu
# The first two run on everything that computes, the others on the GPU alone.
tests=(ops_test kernel_engine_test kernels_test_cuda attend_kernels_test_cuda simt_features_test_cuda)

# What is wrong, where, and what would be right; status 2.
die() {
  echo "error: $*" >&2
  exit 2
}

# --- Here -------------------------------------------------------------------------------------

# The headers of Boost that the emulator needs, which are few of many.
boost_headers() {
  printf '#include <boost/context/%s.hpp>\n' fiber preallocated protected_fixedsize_stack |
    "${CXX:-g++}" -std=c++20 -M -x c++ - | tr ' ' '\n' | grep '/boost/' | sed 's|.*/include/||'
}

pack_packages() {
  local context
  context=$(readlink -f "$("${CXX:-g++}" -print-file-name=libboost_context.so)")
  for needed in /usr/include/{eigen3/Eigen,boost/context,fmt,nlohmann,gtest} /usr/src/googletest "$context"; do
    [[ -e $needed ]] || die "there is no $needed to pack; ./learn test installs what is needed"
  done
  rm -rf "$pack"
  mkdir -p "$pack/include" "$pack/lib" "$pack/googletest"
  cp -r /usr/include/eigen3/Eigen /usr/include/{fmt,nlohmann,gtest} "$pack/include"
  (cd /usr/include && boost_headers | xargs cp --parents -r --target-directory "$pack/include" boost/config)
  cp -r /usr/src/googletest/googletest/src "$pack/googletest"
  cp "$context" "$pack/lib"
  echo "$pack: $(du -sh "$pack" | cut -f 1)"
}

# --- There ------------------------------------------------------------------------------------

# Says what comes next, and when.
stage() {
  printf '\n=== %s (after %d s) ===\n' "$*" "$SECONDS"
}

# The card's architecture, as CMake names it: 90-real. An H100's if there is none to ask.
architecture() {
  local capability
  capability=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | head -n 1) || true
  capability=${capability//[^0-9]/}
  echo "${capability:-90}-real"
}

build_all() {
  local generator=(-G Ninja)
  command -v ninja >/dev/null || generator=(-G "Unix Makefiles")
  cmake -S "$root" -B "$build" "${generator[@]}" -DQUIRE_TESTS=ON \
    -DCMAKE_CUDA_ARCHITECTURES="$(architecture)" \
    -DCMAKE_PROJECT_TOP_LEVEL_INCLUDES="$root/tests/gpu/packages.cmake" >"$build.log" 2>&1 ||
    { tail -n 30 "$build.log" >&2; die "configuring failed; the whole log is in $build.log"; }
  cmake --build "$build" --parallel "$(nproc)" \
    --target "${tests[@]}" quire_cuda kernel_times_cuda >"$build.log" 2>&1 ||
    { tail -n 60 "$build.log" >&2; die "building failed; the whole log is in $build.log"; }
}

# on_gpu PROGRAM [argument...]: the tests of a program that run on the GPU, or of them those that a
# filter names. Notes failures; one is that tests are skipped, for there is a GPU, or that there are none.
failures=0
on_gpu() {
  local program=$1 output
  shift
  echo "$program"
  output=$(timeout 120 "$build/bin/$program" --gtest_brief=1 "$@" 2>&1) || failures=$((failures + 1))
  tail -n 60 <<<"$output"
  if grep -Eq '^\[  (SKIPPED \]|PASSED  \] 0 tests)' <<<"$output"; then
    echo "error: $program has tests that did not run on the GPU" >&2
    failures=$((failures + 1))
  fi
}

run_suite() {
  local program
  for program in "${tests[@]:0:2}"; do
    on_gpu "$program" --gtest_filter='*/gpu*'
  done
  for program in "${tests[@]:2}"; do
    on_gpu "$program"
  done
}

# A tool of compute-sanitizer on the widest kernels and on those that share memory; a GPU has one order of
# threads, its own.
sanitize() {
  local tool=$1 program=$2 filter=$3
  echo "$tool: $program $filter"
  timeout 60 compute-sanitizer --tool "$tool" --error-exitcode 1 --print-limit 3 \
    "$build/bin/$program" --gtest_brief=1 --gtest_filter="$filter" || failures=$((failures + 1))
}

run_sanitizer() {
  command -v compute-sanitizer >/dev/null || { echo "there is no compute-sanitizer here"; return; }
  local tool
  for tool in memcheck racecheck synccheck; do
    sanitize "$tool" kernels_test_cuda 'Argmax.*:FusedRmsNorm.*:Softmax.*:LinearForms.*'
    sanitize "$tool" attend_kernels_test_cuda '*Ascending:AttendSplit.*'
  done
}

time_kernels() {
  local folder=$1 json name
  json=$(mktemp)
  "$build/bin/kernel_times_cuda" "$json"
  name=$(sed -n 's/^  "device": "\(.*\)",$/\1/p' "$json" | tr '[:upper:] ' '[:lower:]_')
  mkdir -p "$folder"
  install -m 644 "$json" "$folder/$name.json"
  rm "$json"
  if python3 -c 'import torch' 2>/dev/null; then
    stage "PyTorch"
    python3 "$root/tests/gpu/torch_times.py" "$folder/$name.json" || failures=$((failures + 1))
  fi
  echo "$folder/$name.json"
}

test_on_gpu() {
  [[ -d $pack ]] || die "there is no $pack; tests/gpu/run.sh pack makes it where the project is built"
  command -v nvcc >/dev/null || PATH=$PATH:/usr/local/cuda/bin
  command -v nvcc >/dev/null || die "there is no nvcc on the PATH: install CUDA's toolkit"
  mkdir -p "$root/build"
  stage "building for $(architecture)"
  build_all
  "$build/bin/kernel_times_cuda" --small >/dev/null || exit 2
  stage "the suite"
  run_suite
  stage "compute-sanitizer"
  run_sanitizer
  stage "times"
  time_kernels "$1"
  stage "done: $failures programs failed"
  ((failures == 0))
}

case ${1:-} in
  pack) pack_packages ;;
  -*) die "run.sh pack, or run.sh [RESULTS_FOLDER]" ;;
  *) test_on_gpu "${1:-$root/docs/gpu}" ;;
esac
