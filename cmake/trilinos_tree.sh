#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Builds Kontract as a package inside a Trilinos source tree, with OpenMP and Serial, and runs tests
# there:
#
#   cmake/trilinos_tree.sh [--short | --intrepid2] <directory> [<trilinos source>]
#
# Without an option, all of Kontract's tests. --intrepid2: Intrepid2's own tests of what uses its
# ArrayTools and FunctionSpaceTools, compiled with Kontract in place of these; takes half an hour on two
# cores. --short: of TriBITS' category BASIC those of Kontract's tests that depend on threads, on Kokkos or on how
# Kontract is built, and a few of Intrepid2's in that way, compiled with -O1; host kernels are optimized fully in any
# case.
#
# Without a source, Debian's source package of Trilinos is fetched into <directory>, which needs
# root or sudo; where source packages are not enabled, a list kontract-deb-src.* is added to
# /etc/apt/sources.list.d. The build is <directory>/build.
set -euo pipefail

tests=all
case "${1:-}" in
  --short | --intrepid2) tests=${1#--}; shift ;;
esac
[[ $# -ge 1 && $1 != -* ]] || { sed -n '4,17s/^# \{0,1\}//p' "$0" >&2; exit 2; }
kontract=$(cd "$(dirname "$0")/.." && pwd)
mkdir -p "$1"
directory=$(cd "$1" && pwd)
trilinos=$directory/trilinos
if [ -n "${2:-}" ]; then
  trilinos=$(realpath -m "$2")
  [ -e "$trilinos" ] || { echo "error: there is no $trilinos" >&2; exit 2; }
fi
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
  # The version of this machine's own packages, since its lists may name sources of other releases too; a rebuild of
  # binaries alone (+b1) has the same source.
  local version
  version=$(LC_ALL=C apt-cache policy trilinos-all-dev | sed -n 's/^ *Candidate: *//p' | sed 's/+b[0-9]*$//')
  apt-get source --download-only "trilinos=$version" >/dev/null 2>&1 || {
    enable_source_packages
    apt-get source --download-only "trilinos=$version"
  }
  rm -rf trilinos.part  # of an extraction that was stopped
  dpkg-source --no-check -x trilinos_*.dsc trilinos.part >/dev/null
  mv trilinos.part trilinos
}

if [ ! -e "$trilinos" ]; then
  fetch_trilinos
elif [ ! -e "$trilinos/PackagesList.cmake" ]; then
  echo "error: $trilinos is no source tree of Trilinos" >&2
  exit 2
fi
# Another copy of Kontract in there would be tested instead of this one.
if [ -e "$trilinos/Kontract" ] && [ ! -L "$trilinos/Kontract" ]; then
  echo "error: $trilinos/Kontract is there and is not a link" >&2
  exit 1
fi
ln -sfn "$kontract" "$trilinos/Kontract"

# What of Intrepid2 is tested, below its directory unit-test; and where that is, it is compiled with
# Kontract.
intrepid2_tests=()
options=()
category=NIGHTLY  # and all below it
group=()          # of Kontract's tests, where not all
case $tests in
  short)
    category=BASIC
    # The others run neither kernels nor threads, or differ from these in scalars alone.
    group=(TeamTools Scatter ElementScatter HostThreads StreamingThreads HostNodes OptionsThreads FieldRows
           ReplacedIntrepid2)
    options=(-DKontract_INSTRUCTION_SETS=native -DCMAKE_CXX_FLAGS_RELEASE_OVERRIDE="-O1 -DNDEBUG"
             -DKontract_TEST_GROUP="$(IFS=';'; echo "${group[*]}")")
    intrepid2_tests=(Shared/ArrayTools/Serial) ;;
  intrepid2)
    intrepid2_tests=(Shared/ArrayTools Discretization/FunctionSpaceTools Projection Orientation
                     MonolithicExecutable performance/StructuredIntegration) ;;
esac
if [ ${#intrepid2_tests[@]} -gt 0 ]; then
  options+=(-DIntrepid2_ENABLE_TESTS=ON -DKontract_REPLACE_INTREPID2=ON)
fi

# Kokkos Kernels without instances that nothing here uses, which would take minutes to compile.
echo "== Configuring Trilinos with Kontract"
cmake -S "$trilinos" -B "$directory/build" -G "Unix Makefiles" \
  -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_STANDARD=17 \
  -DTrilinos_EXTRA_REPOSITORIES=Kontract \
  -DTrilinos_ENABLE_Kontract=ON -DKontract_ENABLE_TESTS=ON -DKontract_ENABLE_TOOLS=OFF \
  -DTrilinos_ENABLE_Intrepid2=ON -DTrilinos_ENABLE_KokkosKernels=ON -DTrilinos_ENABLE_Sacado=ON \
  -DTrilinos_ENABLE_OpenMP=ON -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_SERIAL=ON \
  -DTrilinos_ENABLE_ALL_OPTIONAL_PACKAGES=OFF -DTrilinos_ENABLE_Fortran=OFF \
  -DTrilinos_TEST_CATEGORIES=$category -DKokkosKernels_ADD_DEFAULT_ETI=OFF "${options[@]}" \
  >"$directory/configure.log" 2>&1 || { tail -n 40 "$directory/configure.log" >&2; exit 1; }

build() {  # build <directory> [<target>]
  make -C "$directory/build/$1" --jobs="$(nproc)" "${@:2}" >>"$directory/build.log" 2>&1 ||
    { tail -n 60 "$directory/build.log" >&2; exit 1; }
}

# Directories, because make builds several targets one after the other. Some tests read files, which
# are copied by a target above them.
echo "== Building (the log is $directory/build.log)"
: >"$directory/build.log"
case $tests in
  all) build Kontract ;;
  short) build Kontract/test Kontract_test_group ;;
esac
for part in "${intrepid2_tests[@]}"; do
  build "packages/intrepid2/unit-test/$part"
done
[ ${#intrepid2_tests[@]} -eq 0 ] || build . Intrepid2_FunctionSpaceToolsTestDataCopy

# CTest joins the names of directories by underscores.
echo "== Testing"
names=("${intrepid2_tests[@]//\//_}")
names=("${names[@]/#/Intrepid2_unit-test_}")
case $tests in
  all) names=(Kontract) ;;
  short) names+=("Kontract_($(IFS='|'; echo "${group[*]}"))") ;;
esac
OMP_NUM_THREADS=2 OMP_PROC_BIND=false OPENBLAS_NUM_THREADS=1 \
  ctest --test-dir "$directory/build" -R "^($(IFS='|'; echo "${names[*]}"))(_|\$)" -LE large \
    --output-on-failure
