#!/usr/bin/env bash
# Makes a release in OUT: archives, packages and SBOMs of the program for each system, the SDKs, and SHA256SUMS. It needs Go,
# Python with venv, and npm; no account, and nothing is published. The same commit makes the same bytes.
#
#   release/release.sh VERSION OUT [SYSTEM…]    # SYSTEM: linux/amd64; default: all six
#
# COMMIT and SOURCE_DATE_EPOCH are those of the commit that is checked out, unless they are set.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1#v} out=$2
shift 2
[ $# != 0 ] || set -- linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64
commit=${COMMIT:-$(git rev-parse HEAD)}
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)} CGO_ENABLED=0 TZ=UTC
umask 022
rm -rf "$out" && mkdir -p "$out"
out=$(cd "$out" && pwd)
built=$out/.built
stamp=github.com/trailblaze-dev/trailblaze/internal/cli/shell
began=$SECONDS
at() { echo "-- $((SECONDS - began)) s: $*"; }

for system; do
  folder=${system/\//_} program=trailblaze
  [ "${system%/*}" != windows ] || program=trailblaze.exe
  at "build for $system"
  GOOS=${system%/*} GOARCH=${system#*/} go build -trimpath -buildvcs=false -o "$built/$folder/$program" \
    -ldflags "-s -w -X $stamp.Version=$version -X $stamp.Commit=$commit" ./cmd/trailblaze
done

at "archives and packages"
GOMODCACHE=$(go env GOMODCACHE) GOROOT=$(go env GOROOT) \
  go run -trimpath ./release -version "$version" -epoch "$SOURCE_DATE_EPOCH" -built "$built" -out "$out"

at "SBOMs and Debian packages"
for system; do
  go run -trimpath github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@v1.10.0 bin -json -noserial -notimestamp -version "v$version" \
    -output "$out/trailblaze_${version}_${system/\//_}.cdx.json" "$built/${system/\//_}"/trailblaze*
  [ "${system%/*}" = linux ] || continue
  VERSION=$version ARCH=${system#*/} BUILT=$built \
    go run -trimpath github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.43.0 package --config release/nfpm.yaml --packager deb --target "$out/"
done

at "SDKs"
cp -r sdk/python "$built/python"
sed -i "s/^version = .*/version = \"${version/-rc./rc}\"/" "$built/python/pyproject.toml"
python3 -m venv "$built/venv"
"$built/venv/bin/pip" wheel -q --no-deps --disable-pip-version-check -w "$out" "$built/python"
cp -r sdk/typescript "$built/typescript"
cd "$built/typescript"
npm ci --silent --prefer-offline --ignore-scripts --no-audit --no-fund
node_modules/.bin/tsc -p client
node scripting/build.mjs "$OLDPWD/internal/makers/script/lib"
for package in client scripting; do
  cd "$built/typescript/$package"
  npm version --no-git-tag-version --allow-same-version "$version" >/dev/null
  npm pack --silent --pack-destination "$out" >/dev/null
done

rm -rf "$built"
cd "$out"
sha256sum -- * >SHA256SUMS
at "done: $(du -sh . | cut -f1) in $out"
