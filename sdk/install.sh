#!/bin/sh
# Builds the SDKs and installs each into an empty project below $1, as its users do: a wheel, a tarball of npm, and a
# module from a local proxy. Then it renames a command in a copy of the contract, and expects each project to fail its
# types. The tests of e2e use the projects.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=$1
mkdir -p "$out"
out=$(cd "$out" && pwd)
examples=$root/e2e/testdata/sdk
step() { echo "== $*"; }

step "Python: wheel"
[ -x "$out/build/bin/python" ] || { python3 -m venv "$out/build" && "$out/build/bin/pip" install -q build hatchling; }
rm -rf "$out/dist" "$out/python"
(cd "$root/sdk/python" && "$out/build/bin/python" -m build --no-isolation --wheel -o "$out/dist" >/dev/null)
[ -x "$out/venv/bin/mypy" ] || { python3 -m venv "$out/venv" && "$out/venv/bin/pip" install -q 'mcp>=1.20,<2' mypy pytest; }
"$out/venv/bin/pip" install -q --force-reinstall --no-deps "$out"/dist/*.whl
mkdir -p "$out/python"
cp "$examples"/*.py "$out/python/"
(cd "$out/python" && "$out/venv/bin/mypy" acme_tools.py acme_tools_server.py)

step "TypeScript: tarball"
cd "$root/sdk/typescript/client"
npm ci --silent --ignore-scripts --no-audit --no-fund
npx tsc
npm pack --silent --pack-destination "$out/dist" >/dev/null
mkdir -p "$out/node"
cd "$out/node"
cp "$examples"/*.ts .
echo '{"name": "acme", "private": true, "type": "module"}' >package.json
npm i --silent --no-save --ignore-scripts --no-audit --no-fund "$out"/dist/trailblaze-client-*.tgz \
  @modelcontextprotocol/sdk@1.32.2 typescript@5.9 @types/node@20
npx tsc --strict --target es2022 --module nodenext --types node acme_tools.ts

step "Go: module of a local proxy"
at=$out/proxy/github.com/trailblaze-dev/trailblaze/@v
rm -rf "$out/go" "$at"
mkdir -p "$at" "$out/go"
cp "$root/go.mod" "$at/v0.1.0.mod"
echo '{"Version": "v0.1.0"}' >"$at/v0.1.0.info"
echo v0.1.0 >"$at/list"
(cd "$root" && git ls-files -co --exclude-standard -- go.mod go.sum LICENSE client proto fault driver screen tool memory internal |
  "$out/build/bin/python" -c '
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for name in sys.stdin.read().split("\n"):
        if os.path.isfile(name) and "/testdata/" not in name and not name.endswith("_test.go"):
            z.write(name, "github.com/trailblaze-dev/trailblaze@v0.1.0/" + name)
' "$at/v0.1.0.zip")
cd "$out/go"
cp "$examples/main.go.txt" main.go
printf 'module acme\n\ngo 1.26.0\n' >go.mod
shared=$(go env GOMODCACHE)
own() { GOFLAGS="-mod=mod -modcacherw" GOMODCACHE=$out/modcache GOSUMDB=off CGO_ENABLED=0 \
  GOPROXY="file://$out/proxy,file://$shared/cache/download,https://proxy.golang.org" go "$@"; }
rm -rf "$out/modcache/github.com/trailblaze-dev" "$out/modcache/cache/download/github.com/trailblaze-dev"
own get github.com/trailblaze-dev/trailblaze/client@v0.1.0
own build -trimpath -o acme .

step "What is made of the contract is current, and a renamed command fails the types of each (R40)"
rm -rf "$out/renamed"
mkdir -p "$out/renamed/sdk"
cp -r "$root/proto" "$out/renamed/proto"
cp -r "$root/sdk/python" "$out/renamed/sdk/"
mkdir -p "$out/renamed/sdk/typescript/client"
cp -r "$root/sdk/typescript/client/src" "$out/renamed/sdk/typescript/client/"
cd "$out/renamed/proto"
for tool in "protoc-gen-sdk=./sdk/gen" "protoc-gen-go=google.golang.org/protobuf/cmd/protoc-gen-go" \
  "protoc-gen-connect-go=connectrpc.com/connect/cmd/protoc-gen-connect-go"; do
  (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$out/bin/${tool%%=*}" "${tool#*=}")
done
buf=$root/bench/.peers/node_modules/.bin/buf
sed "s#\[go, run, ../sdk/gen\]#$out/bin/protoc-gen-sdk#" buf.sdk.yaml >sdk.yaml
sed "s#\[go, tool, \(protoc-gen-[a-z-]*\)\]#$out/bin/\1#" buf.gen.yaml >go.yaml
"$buf" generate --template sdk.yaml
for made in python/src/trailblaze/_commands.py typescript/client/src/commands.ts; do
  cmp "$root/sdk/$made" "$out/renamed/sdk/$made" || { echo "sdk/$made is not what the contract says: make proto" >&2; exit 1; }
done
sed -i.old 's/rpc Tap(TapRequest)/rpc Press(TapRequest)/' trailblaze/v1/commands.proto
rm trailblaze/v1/commands.proto.old
"$buf" generate --template sdk.yaml
"$buf" generate --template go.yaml

# expect fails unless a command fails and says the word.
expect() {
  word=$1
  shift
  if "$@" >"$out/said" 2>&1 || ! grep -q "$word" "$out/said"; then
    echo "the renamed command went unnoticed by: $*" >&2
    cat "$out/said" >&2
    exit 1
  fi
  grep -m1 "$word" "$out/said"
}
(cd "$out/python" && MYPYPATH=$out/renamed/sdk/python/src expect '"tap"' "$out/venv/bin/mypy" acme_tools.py)
cat >"$out/node/renamed.json" <<END
{ "compilerOptions": { "strict": true, "target": "es2022", "module": "nodenext", "types": ["node"], "noEmit": true,
    "paths": { "@trailblaze/client": ["$out/renamed/sdk/typescript/client/src/index.ts"] } }, "files": ["acme_tools.ts"] }
END
(cd "$out/node" && ln -sfn "$out/node/node_modules" "$out/renamed/node_modules" && expect "'tap'" npx tsc -p renamed.json)
gen=proto/gen/trailblaze/v1/commands
cat >"$out/overlay.json" <<END
{ "Replace": { "$root/client/acme/main.go": "$out/go/main.go",
    "$root/$gen/commands.pb.go": "$out/renamed/$gen/commands.pb.go",
    "$root/$gen/commandsv1connect/commands.connect.go": "$out/renamed/$gen/commandsv1connect/commands.connect.go" } }
END
(cd "$root" && CGO_ENABLED=0 expect 'tb.Tap' go build -trimpath -overlay "$out/overlay.json" -o "$out/renamed/acme" ./client/acme)
step "done"
