#!/usr/bin/env bash
# SPDX-License-Identifier: BSD-3-Clause
#
# Runs a command on another Debian, in this directory of this machine:
#
#   cmake/in_debian.sh <suite> <command> [<argument>...]     for instance sid cmake/quickstart.sh test
#
# The other Debian is a root directory of its own below KONTRACT_DEBIAN_DIR (default: ~/.cache/kontract), which
# the first command makes by debootstrap from the packages that this machine gets its own from; later ones find
# it there, with what was installed in it. The source tree and KONTRACT_BUILD_DIR are seen at the same paths.
# Takes root, two minutes and 400 MB, besides what the command installs.
#
# Exits with what the command exits with, or with 77 where there is no such root and none could be made.
set -euo pipefail

[[ $# -ge 2 && $1 != -* ]] || { sed -n '4,14s/^# \{0,1\}//p' "$0" >&2; exit 2; }
suite=$1
shift
source_dir=$(cd "$(dirname "$0")/.." && pwd)
if [ -n "${KONTRACT_BUILD_DIR:-}" ]; then
  KONTRACT_BUILD_DIR=$(realpath -m "$KONTRACT_BUILD_DIR")  # the same path in the root
fi
root=${KONTRACT_DEBIAN_DIR:-$HOME/.cache/kontract}/$suite

give_up() { echo "in_debian.sh: $*" >&2; exit 77; }

# Packages come from where this machine's own do.
mirror() {
  local lists
  lists=$(cat /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources} 2>/dev/null || true)
  sed -n -e 's/^URIs: *\([^ ]*\).*/\1/p' -e 's/^deb \(\[[^]]*\] \)\?\([^ ]*\) .*/\2/p' <<<"$lists" |
    grep -m 1 '/debian/\?$'
}

make_root() {
  command -v debootstrap >/dev/null || apt-get install -y -qq --no-install-recommends debootstrap >/dev/null ||
    give_up "debootstrap is missing and could not be installed"
  local from
  from=$(mirror) || give_up "none of this machine's package lists names a mirror of Debian"
  echo "== Making a root of Debian $suite in $root"
  rm -rf "$root.new"
  mkdir -p "$root.new"
  debootstrap --variant=minbase "$suite" "$root.new" "$from" >"$root.log" 2>&1 ||
    give_up "debootstrap $suite failed; its log is $root.log, which ends in: $(tail -n 1 "$root.log")"
  # How this machine reaches the packages.
  cp -r /etc/apt/apt.conf.d /etc/apt/auth.conf.d "$root.new/etc/apt/" 2>/dev/null || true
  mv "$root.new" "$root"
}

mount_once() {  # mount_once <directory here> <options...>: at the same path in the root
  local at=$root$1
  shift
  mkdir -p "$at"
  ! mountpoint -q "$at" || return 0
  mount "$@" "$at" || give_up "$at could not be mounted"
  mount --make-rslave "$at"  # else what is unmounted there would be so here
  mounted+=("$at")
}

# In the reverse order, and whatever is still used later.
unmount() {
  local i
  for ((i = ${#mounted[@]} - 1; i >= 0; --i)); do
    umount --lazy "${mounted[i]}" || true
  done
}

[ "$(id -u)" -eq 0 ] || give_up "a root of another Debian can only be made and entered by root"
[ -d "$root" ] || make_root
cp /etc/resolv.conf /etc/hosts "$root/etc/"
mounted=()
trap unmount EXIT
mount_once /proc -t proc proc
mount_once /sys --rbind /sys
mount_once /dev --rbind /dev
mount_once "$source_dir" --bind "$source_dir"
if [ -n "${KONTRACT_BUILD_DIR:-}" ]; then
  mkdir -p "$KONTRACT_BUILD_DIR"
  mount_once "$KONTRACT_BUILD_DIR" --bind "$KONTRACT_BUILD_DIR"
fi
# What names compilers and directories of this machine means nothing there.
chroot "$root" env -u CC -u CXX -u CFLAGS -u CXXFLAGS -u LDFLAGS -u TMPDIR -u CMAKE_PREFIX_PATH \
  HOME=/root LC_ALL=C.UTF-8 PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
  bash -c 'cd "$1" && shift && "$@"' bash "$source_dir" "$@"
