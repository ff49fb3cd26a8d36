#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# From a fresh Debian machine to a result, in one command:
#
#   cmake/quickstart.sh demo    install, build, and solve a Poisson problem on a part with a hole
#   cmake/quickstart.sh test    install, build, and run the tests
#
# Builds in build/demo and build/test of this repository, or below KONTRACT_BUILD_DIR. Needs root or
# sudo only if packages are missing.
set -euo pipefail

source_dir=$(cd "$(dirname "$0")/.." && pwd)
build_root=${KONTRACT_BUILD_DIR:-$source_dir/build}
# Debian's Trilinos names libscotch and libptscotch without pulling them in.
packages=(g++ make cmake trilinos-all-dev libscotch-dev libptscotch-dev libgmsh-dev
          openmpi-bin python3 python3-matplotlib)
# For the tests: the documentation, the benchmark tool and what it compares with.
test_packages=(doxygen pkg-config libbenchmark-dev libopenblas-dev libxsmm-dev)

usage() { sed -n '3,10s/^# \{0,1\}//p' "$0"; }

say() { printf '\n== %s\n' "$*"; }

install_packages() {  # install_packages <package...>
  local missing=() package
  for package in "$@"; do
    if [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" != installed ]; then
      missing+=("$package")
    fi
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "All Debian packages that are needed are there"
    return
  fi
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "error: missing Debian packages: ${missing[*]}; install them, or run this as root" >&2
      exit 1
    fi
    as_root=(sudo)
  fi
  say "Installing ${missing[*]}"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

build() {  # build <directory> <cmake options...>
  local dir=$1
  shift
  say "Configuring in $dir"
  cmake -S "$source_dir" -B "$dir" -DCMAKE_BUILD_TYPE=Release "$@"
  say "Building"
  cmake --build "$dir" --parallel "$(nproc)"
}

demo() {
  install_packages "${packages[@]}"
  build "$build_root/demo" -DKontract_ENABLE_EXAMPLES=ON
  say "Solving a Poisson problem on a part with a hole"
  cd "$build_root/demo/example/poisson"
  ./Kontract_poisson
  say "Result: solved; the picture is $PWD/solution.png"
}

run_tests() {
  install_packages "${packages[@]}" "${test_packages[@]}"
  build "$build_root/test" -DKontract_ENABLE_TESTS=ON -DKontract_ENABLE_EXAMPLES=ON \
    -DKontract_ENABLE_TOOLS=ON
  say "Testing"
  # Tests labelled large take minutes and 2.2 GB of memory.
  ctest --test-dir "$build_root/test" --output-on-failure --parallel "$(nproc)" -LE large
  say "Result: all tests passed (ctest --test-dir $build_root/test -L large runs the large ones)"
}

case "${1:-}" in
  demo) demo ;;
  test) run_tests ;;
  -h | --help) usage ;;
  *) usage >&2; exit 2 ;;
esac
