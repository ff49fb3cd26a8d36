#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds Kontract as a package inside a Trilinos source tree, with OpenMP and Serial, and runs its
# tests there:
#
#   cmake/trilinos_tree.sh <directory> [<trilinos source>]
#
# Without a source, Debian's source package of Trilinos is fetched into <directory>, which needs
# root or sudo; where source packages are not enabled, a list kontract-deb-src.* is added to
# /etc/apt/sources.list.d. The build is <directory>/build.
set -euo pipefail

[ $# -ge 1 ] || { sed -n '4,12s/^# \{0,1\}//p' "$0" >&2; exit 2; }
kontract=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
directory=$(cd "$1" && pwd)
trilinos=${2:-$directory/trilinos}
as_root=()
[ "$(id -u)" -eq 0 ] || as_root=(sudo)

# Source packages come from where the binary ones do: the machine's own lists, with other words.
enable_source_packages() {
  local lists=/etc/apt/sources.list.d
  if [ -e $lists/debian.sources ]; then
    sed 's/^Types: .*/Types: deb-src/' $lists/debian.sources |
      "${as_root[@]}" tee $lists/kontract-deb-src.sources >/dev/null
  else
    sed -n 's/^deb /deb-src /p' /etc/apt/sources.list |
      "${as_root[@]}" tee $lists/kontract-deb-src.list >/dev/null
  fi
  "${as_root[@]}" apt-get update -qq
}

fetch_trilinos() {
  echo "== Fetching the source of Trilinos"
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends \
    dpkg-dev g++ make cmake python3 libblas-dev liblapack-dev >/dev/null
  cd "$directory"
  apt-get source --download-only trilinos >/dev/null 2>&1 || {
    enable_source_packages
    apt-get source --download-only trilinos
  }
  dpkg-source --no-check -x trilinos_*.dsc trilinos >/dev/null
}

[ -e "$trilinos/PackagesList.cmake" ] || fetch_trilinos
# Another copy of Kontract in there would be tested instead of this one.
if [ -e "$trilinos/Kontract" ] && [ ! -L "$trilinos/Kontract" ]; then
  echo "error: $trilinos/Kontract is there and is not a link" >&2
  exit 1
fi
ln -sfn "$kontract" "$trilinos/Kontract"

echo "== Configuring Trilinos with Kontract"
cmake -S "$trilinos" -B "$directory/build" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=17 \
  -DTrilinos_EXTRA_REPOSITORIES=Kontract \
  -DTrilinos_ENABLE_Kontract=ON -DKontract_ENABLE_TESTS=ON -DKontract_ENABLE_TOOLS=OFF \
  -DTrilinos_ENABLE_Intrepid2=ON -DTrilinos_ENABLE_KokkosKernels=ON -DTrilinos_ENABLE_Sacado=ON \
  -DTrilinos_ENABLE_OpenMP=ON -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_SERIAL=ON \
  -DTrilinos_ENABLE_ALL_OPTIONAL_PACKAGES=OFF -DTrilinos_ENABLE_Fortran=OFF \
  >"$directory/configure.log" 2>&1 || { tail -n 40 "$directory/configure.log" >&2; exit 1; }

echo "== Building (the log is $directory/build.log)"
cmake --build "$directory/build" --parallel "$(nproc)" >"$directory/build.log" 2>&1 ||
  { tail -n 60 "$directory/build.log" >&2; exit 1; }

echo "== Testing"
OMP_NUM_THREADS=2 OMP_PROC_BIND=false \
  ctest --test-dir "$directory/build" -R '^Kontract_' -LE large --output-on-failure
