#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# From a fresh Debian machine (12 or later) to a result, in one command:
#
#   cmake/quickstart.sh demo       install, build, and solve a Poisson problem on a part with a hole
#   cmake/quickstart.sh test       install, build, and run the tests
#   cmake/quickstart.sh nightly    the same for the tests that are left out of these: longer ones that say little more
#   cmake/quickstart.sh site       install doxygen, and make a site of the pages and of the headers' comments
#   cmake/quickstart.sh packages   install what these need, and no more
#
# What follows the command is passed on to CMake, for instance -DKontract_INSTRUCTION_SETS=native.
#
# Builds in build/demo, build/test and build/site of this repository, or below KONTRACT_BUILD_DIR. Needs root or
# sudo only if packages are missing. Exits with 77 where they cannot be installed.
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
build_root=${KONTRACT_BUILD_DIR:-$source_dir/build}
# Debian's Trilinos names libscotch and libptscotch without pulling them in.
packages=(g++ ninja-build cmake trilinos-all-dev libscotch-dev libptscotch-dev libgmsh-dev
          openmpi-bin python3 python3-matplotlib)
# For the tests: the documentation, the benchmark tool and what it compares with.
site_packages=(doxygen python3)
test_packages=("${site_packages[@]}" pkg-config libbenchmark-dev libopenblas-dev libxsmm-dev)

usage() { sed -n '4,15s/^# \{0,1\}//p' "$0"; }

step=0
say() { printf '\n== [%d min %02d s] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }
steps=4
next() { say "Step $((++step)) of $steps: $*"; }

# announce <what it does> <minutes on two cores> <MB in the build directory>
announce() {
  echo "This $1."
  echo "It takes about $2 minutes on two cores and $3 MB in $build_root, and where Debian's packages are missing"
  echo "a few minutes and 3 GB for those. Ctrl-C stops it; the same command goes on from there."
}

install_packages() {  # install_packages <package...>
  local missing=() package
  for package in "$@"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done
  if [ ${#missing[@]} -eq 0 ]; then
    next "Debian's packages: all that are needed are there"
    return
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "error: missing Debian packages: ${missing[*]}; install them, or run this as root" >&2
      exit 77
    fi
    as_root=(sudo)
  fi
  next "Installing Debian's packages ${missing[*]}"
  { "${as_root[@]}" apt-get update -qq && "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null; } || {
    echo "error: Debian's packages could not be installed; what apt-get says of it stands above" >&2
    exit 77
  }
}

configure() {  # configure <directory> <cmake options...>
  local dir=$1 generator=(-G Ninja)
  shift
  # An older build goes on with the generator that it was begun with.
  [ ! -e "$dir/CMakeCache.txt" ] || generator=()
  next "Configuring in $dir"
  cmake -S "$source_dir" -B "$dir" "${generator[@]}" -DCMAKE_BUILD_TYPE=Release "$@"
}

build() {  # build <directory> [<target>...]
  next "Building in $1"
  cmake --build "$1" --parallel "$(nproc)" ${2:+--target "${@:2}"}
}

demo() {
  announce "builds Kontract, for this machine alone, and a program that solves a Poisson problem, and runs it" 10 50
  install_packages "${packages[@]}"
  configure "$build_root/demo" -DKontract_ENABLE_EXAMPLES=ON -DKontract_INSTRUCTION_SETS=native "${options[@]}"
  build "$build_root/demo" Kontract_poisson
  next "Solving a Poisson problem on a part with a hole"
  cd "$build_root/demo/example/poisson"
  ./Kontract_poisson
  say "Result: solved; the picture is $PWD/solution.png"
}

site() {
  steps=2
  echo "This makes a site of the pages and of the comments in public headers, and checks its links, in seconds."
  install_packages "${site_packages[@]}"
  next "Running doxygen"
  python3 "$source_dir/doc/site.py" "$build_root/site"
  say "Result: no broken link and no warning; the first page is $build_root/site/html/index.html"
}

run_tests() {  # run_tests <category> <what of its tests>
  local category=$1 dir=$build_root/test
  shift
  install_packages "${packages[@]}" "${test_packages[@]}"
  configure "$dir" -DKontract_ENABLE_TESTS=ON -DKontract_ENABLE_EXAMPLES=ON -DKontract_ENABLE_TOOLS=ON \
    -DKontract_TEST_CATEGORY="$category" "${options[@]}"
  build "$dir"
  next "Testing"
  ctest --test-dir "$dir" --output-on-failure --parallel "$(nproc)" "$@"
}

options=("${@:2}")
case "${1:-}" in
  demo)
    demo ;;
  test)
    announce "builds Kontract with its tests, tools and examples, and runs the tests" 40 1200
    run_tests BASIC -LE 'large|nightly'
    say "Result: all tests passed ($0 nightly runs more of them)" ;;
  nightly)
    announce "builds the rest of the tests, and runs those" 40 1200
    # Tests labelled large take minutes and 2.2 GB of memory.
    run_tests NIGHTLY -L nightly -LE large
    say "Result: all tests passed (ctest --test-dir $build_root/test -L large runs the large ones)" ;;
  site)
    site ;;
  packages)
    install_packages "${packages[@]}" "${test_packages[@]}" ;;
  -h | --help)
    usage ;;
  *)
    usage >&2
    exit 2 ;;
esac
