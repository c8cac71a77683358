#!/bin/sh
# Installs the program of a release into FOLDER: fetches the archive for this machine and compares it with SHA256SUMS.
#
#   install.sh VERSION FOLDER    # TRAILBLAZE_DOWNLOADS names another address of the releases
set -eu
version=${1#v}
mkdir -p "$2"
folder=$(cd "$2" && pwd)
from=${TRAILBLAZE_DOWNLOADS:-https://github.com/trailblaze-dev/trailblaze/releases/download}/v$version
fail() {
  echo "error: install trailblaze $version: $1" >&2
  exit 1
}
ext=.tar.gz program=trailblaze
case $(uname -s) in
  Linux) os=linux ;;
  Darwin) os=darwin ;;
  MINGW* | MSYS* | CYGWIN*) os=windows ext=.zip program=trailblaze.exe ;;
  *) fail "there is no archive for $(uname -s)" ;;
esac
case $(uname -m) in
  x86_64 | amd64) arch=amd64 ;;
  aarch64 | arm64) arch=arm64 ;;
  *) fail "there is no archive for $(uname -m)" ;;
esac
name=trailblaze_${version}_${os}_$arch
temp=$(mktemp -d)
trap 'rm -rf "$temp"' EXIT
cd "$temp"
for file in "$name$ext" SHA256SUMS; do
  curl -fsSL --retry 3 -o "$file" "$from/$file" || fail "cannot fetch $from/$file; is there a release of that version?"
done
grep " $name$ext\$" SHA256SUMS >sum || fail "$from/SHA256SUMS does not list $name$ext"
if command -v sha256sum >/dev/null; then sha256sum -c sum >/dev/null; else shasum -a 256 -c sum >/dev/null; fi ||
  fail "$name$ext is not what SHA256SUMS says: it was damaged or replaced on its way; try again"
if [ $ext = .zip ]; then unzip -q "$name$ext"; else tar xzf "$name$ext"; fi
mv "$name/$program" "$folder/"
