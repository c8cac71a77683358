#!/bin/sh
# Builds the SDKs and installs each into an empty project below OUT, as its users do: a wheel, tarballs of npm, and a
# module from a local proxy. It fetches Bun and Deno, which run the TypeScript, too. Then it renames a command in a copy of the contract, and expects each project to fail its
# types. The tests of e2e use the projects.
#
#   sdk/install.sh PYTHON OUT    # PYTHON: of a virtual environment with the package mcp
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
python=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
mkdir -p "$2"
out=$(cd "$2" && pwd)
examples=$root/e2e/testdata/sdk
buf=$root/bench/.peers/node_modules/.bin/buf
began=$(date +%s)
mkdir -p "$out/dist"
rm -f "$out"/dist/*

# at says how long it took to get here.
at() { echo "-- $(($(date +%s) - began)) s: $*"; }

wheel() {
  "$python" -c 'import httpx, mypy, pytest, pytest_asyncio, hatchling' 2>/dev/null ||
    "$python" -m pip install -q --no-compile --disable-pip-version-check 'httpx<1' 'mypy<2' 'pytest<10' 'pytest-asyncio<2' 'hatchling<2'
  at "build the wheel"
  "$python" -m pip wheel -q --no-deps --no-build-isolation -w "$out/dist" "$root/sdk/python"
  "$python" -m pip install -q --force-reinstall --no-deps "$out"/dist/*.whl
  "$python" -m pip check
  rm -rf "$out/python" && mkdir "$out/python"
  cp "$examples"/*.py "$out/python/"
  printf '[mypy]\n[mypy-mcp.*]\nfollow_imports = skip\n' >"$out/python/mypy.ini" # its types are not in question
  at "check the types"
  (cd "$out/python" && "$python" -m mypy --cache-dir "$out/mypy" acme_tools.py acme_tools_server.py acme_queries.py acme_sampling.py acme_actors.py)
  awk -v to="$out/python/document" '/^```/ { on = /python/; n += on; next } on { print >(to n ".py") }' \
    "$root/docs/sdk.md" "$root/sdk/python/README.md"
  (cd "$out/python" && "$python" -m mypy --cache-dir "$out/mypy" --strict --allow-untyped-decorators document*.py client_types.py)
}

# The packages are built beside each other in one folder, so that the compiler and the types are fetched once.
tarballs() {
  mkdir -p "$out/build"
  if ! cmp -s "$root/sdk/typescript/package-lock.json" "$out/build/installed.json"; then
    cp "$root"/sdk/typescript/package*.json "$out/build/"
    (cd "$out/build" && npm ci --silent --prefer-offline --ignore-scripts --no-audit --no-fund && cp package-lock.json installed.json)
  fi
  at "build the tarballs"
  tsc=$out/build/node_modules/.bin/tsc
  for package in client scripting; do
    rm -rf "$out/build/$package"
    cp -r "$root/sdk/typescript/$package" "$out/build/$package"
  done
  "$tsc" -p "$out/build/client"
  node "$out/build/scripting/build.mjs" "$root/internal/makers/script/lib"
  for package in client scripting; do
    (cd "$out/build/$package" && npm pack --silent --pack-destination "$out/dist" >/dev/null)
  done
  rm -rf "$out/build/acme" && mkdir "$out/build/acme"
  cd "$out/build/acme"
  cp "$examples"/*.ts .
  echo '{"name": "acme", "private": true, "type": "module"}' >package.json
  npm i --silent --no-save --offline --ignore-scripts --no-audit --no-fund "$out"/dist/trailblaze-*.tgz
  awk '/^```ts$/ { on = ++n; next } /^```/ { on = 0 } on { print >("document" n ".ts") }' \
    "$root/docs/sdk.md" "$root"/sdk/typescript/*/README.md
  for part in $(grep -L '^import ' document*.ts); do rm "$part"; done # no whole program
  at "check the types of the examples and of $(echo document*.ts)"
  "$tsc" --strict --skipLibCheck --target es2022 --module nodenext --types node *.ts
}

# runtimes fetches Bun and Deno. Each of their packages brings the program itself, so no script of theirs has to run.
runtimes() {
  want='bun@1.4.5 deno@2.9.6'
  [ "$(cat "$out/runtimes/installed" 2>/dev/null)" != "$want" ] || return 0
  rm -rf "$out/runtimes"
  at "fetch $want"
  # shellcheck disable=SC2086 # several words
  npm i --prefix "$out/runtimes" --silent --no-save --ignore-scripts --no-audit --no-fund $want
  cd "$out/runtimes"
  ln -s node_modules/@oven/bun-*/bin/bun node_modules/@deno/*/deno .
  ./bun --version
  ./deno --version
  echo "$want" >installed
}

module() {
  proxied=$out/proxy/github.com/trailblaze-dev/trailblaze/@v
  rm -rf "$out/go" "$proxied"
  mkdir -p "$proxied" "$out/go"
  cp "$root/go.mod" "$proxied/v0.1.0.mod"
  echo '{"Version": "v0.1.0"}' >"$proxied/v0.1.0.info"
  echo v0.1.0 >"$proxied/list"
  (cd "$root" && git ls-files -co --exclude-standard -- go.mod go.sum LICENSE client proto fault driver screen tool memory trail internal |
    "$python" -c '
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for name in sys.stdin.read().split("\n"):
        if os.path.isfile(name) and "/testdata/" not in name and not name.endswith("_test.go"):
            z.write(name, "github.com/trailblaze-dev/trailblaze@v0.1.0/" + name)
' "$proxied/v0.1.0.zip")
  cp "$examples/main.go.txt" "$out/go/main.go"
  mkdir "$out/go/tools"
  cp "$examples/acme_tools.go.txt" "$out/go/tools/main.go"
  cd "$out/go"
  printf 'module acme\n\ngo 1.26.0\n' >go.mod
  shared=$(go env GOMODCACHE)
  rm -rf "$out/modcache/github.com/trailblaze-dev" "$out/modcache/cache/download/github.com/trailblaze-dev"
  for command in 'get github.com/trailblaze-dev/trailblaze/client@v0.1.0' 'build -trimpath -o acme .' \
    'build -trimpath -o tools/tools ./tools'; do
    at "go $command"
    # The index of go takes a version for unchangeable, and would miss a new file.
    # shellcheck disable=SC2086 # several words
    GODEBUG=goindex=0 GOFLAGS="-mod=mod -modcacherw" GOMODCACHE=$out/modcache GOSUMDB=off CGO_ENABLED=0 \
      GOPROXY="file://$out/proxy,file://$shared/cache/download,https://proxy.golang.org" go $command
  done
}

# contract writes the code of a contract in which Tap is called Press.
contract() {
  rm -rf "$out/renamed"
  mkdir -p "$out/renamed/sdk/typescript/client" "$out/bin"
  cp -r "$root/proto" "$out/renamed/proto"
  cp -r "$root/sdk/python" "$out/renamed/sdk/"
  cp -r "$root/sdk/typescript/client/src" "$out/renamed/sdk/typescript/client/"
  (cd "$root" && CGO_ENABLED=0 go build -trimpath -o "$out/bin/" ./sdk/gen google.golang.org/protobuf/cmd/protoc-gen-go \
    connectrpc.com/connect/cmd/protoc-gen-connect-go)
  at "generate"
  cd "$out/renamed/proto"
  sed "s#\[go, run, ../sdk/gen\]#$out/bin/gen#" buf.sdk.yaml >sdk.yaml
  sed "s#\[go, tool, \(protoc-gen-[a-z-]*\)\]#$out/bin/\1#" buf.gen.yaml >go.yaml
  "$buf" generate --template sdk.yaml
  for made in $(cd "$root" && grep -rlE "^(#|//) Code generated .* by sdk/gen" sdk/python/src sdk/typescript/client/src client); do
    cmp "$root/$made" "$out/renamed/$made" || { echo "$made is not what the contract says: make proto" >&2; exit 1; }
  done
  sed -i.old 's/rpc Tap(TapRequest)/rpc Press(TapRequest)/' trailblaze/v1/commands.proto
  rm trailblaze/v1/commands.proto.old
  "$buf" generate --template sdk.yaml
  "$buf" generate --template go.yaml
}

# expect fails unless a command fails and says the word.
expect() {
  word=$1
  shift
  if "$@" >"$out/said.$word" 2>&1 || ! grep -q "$word" "$out/said.$word"; then
    echo "the renamed command went unnoticed by: $*" >&2
    cat "$out/said.$word" >&2
    exit 1
  fi
  grep -m1 "$word" "$out/said.$word"
}

renamed_python() {
  cd "$out/python"
  MYPYPATH=$out/renamed/sdk/python/src expect '"tap"' "$python" -m mypy --cache-dir "$out/mypy" acme_tools.py
}

renamed_typescript() {
  cd "$out/build/acme"
  cat >renamed.json <<END
{ "compilerOptions": { "strict": true, "skipLibCheck": true, "target": "es2022", "module": "nodenext", "types": ["node"], "noEmit": true,
    "paths": { "@trailblaze/client": ["$out/renamed/sdk/typescript/client/src/index.ts"] } }, "files": ["acme_tools.ts"] }
END
  ln -sfn "$out/build/node_modules" "$out/renamed/node_modules"
  expect "'tap'" "$out/build/node_modules/.bin/tsc" -p renamed.json
}

renamed_go() {
  gen=proto/gen/trailblaze/v1/commands
  cat >"$out/overlay.json" <<END
{ "Replace": { "$root/client/acme/main.go": "$out/go/main.go",
    "$root/$gen/commands.pb.go": "$out/renamed/$gen/commands.pb.go",
    "$root/$gen/commandsv1connect/commands.connect.go": "$out/renamed/$gen/commandsv1connect/commands.connect.go" } }
END
  cd "$root"
  CGO_ENABLED=0 expect 'tb.Tap' go build -trimpath -overlay "$out/overlay.json" -o "$out/renamed/acme" ./client/acme
}

# together runs functions side by side and prints what each said; it fails when one does.
together() {
  for leg in "$@"; do
    (set -eu; "$leg") >"$out/$leg.log" 2>&1 &
    eval "pid_$leg=$!"
  done
  bad=0
  for leg in "$@"; do
    status=0
    eval "wait \$pid_$leg" || status=$?
    echo "== $leg"
    cat "$out/$leg.log"
    [ "$status" = 0 ] || { echo "== $leg failed: exit status $status" >&2; bad=1; }
  done
  [ "$bad" = 0 ] || exit 1
}

together wheel tarballs runtimes module contract
at "a renamed command fails the types of each (R40)"
together renamed_python renamed_typescript renamed_go
at "done"
