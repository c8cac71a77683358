package api

import (
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/e2e/housetest"
)

var withClients = flag.Bool("clients", false, "run clients of other makers, and buf (`make api` installs them)")

var binary string

func TestMain(m *testing.M) { os.Exit(housetest.Main(m, map[string]*string{"": &binary})) }

// house is a home with a workspace, and the environment of a shell there.
type house struct {
	*testing.T
	dir string
	env []string
}

func newHouse(t *testing.T) *house {
	t.Helper()
	h := housetest.NewHome(t, binary)
	bin := filepath.Join(h.Root, "bin")
	if err := os.MkdirAll(bin, 0o755); err != nil { //nolint:gosec // a folder of PATH
		t.Fatal(err)
	}
	if err := os.Symlink(binary, filepath.Join(bin, "trailblaze")); err != nil {
		t.Fatal(err)
	}
	return &house{t, h.Work, append(h.Env, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))}
}

// shell runs a script of a shell that ends at its first failure.
func (h *house) shell(script string) housetest.Output {
	h.Helper()
	return housetest.Run(context.WithoutCancel(h.Context()), h, "/bin/sh", h.dir, h.env, "-euc", script)
}

// must is shell that has to end well.
func (h *house) must(script string) string {
	h.Helper()
	s := h.shell(script)
	if s.Code != 0 {
		h.Fatalf("exit %d of:\n%s\n%s%s", s.Code, script, s.Out, s.Err)
	}
	return s.Out
}

// examples are the blocks of a document that are marked as sh.
func examples(t *testing.T, path string) (out []string) {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	rest := string(data)
	for {
		_, after, ok := strings.Cut(rest, "\n```sh\n")
		if !ok {
			return out
		}
		block, behind, _ := strings.Cut(after, "\n```\n")
		out, rest = append(out, block), behind
	}
}

// TestDocsRun (R228, R231): the examples of docs/api.md do what they say, one after the other in one shell.
func TestDocsRun(t *testing.T) {
	for _, need := range []string{"curl", "python3"} {
		if _, err := exec.LookPath(need); err != nil {
			t.Skip("there is no " + need)
		}
	}
	blocks := examples(t, filepath.Join("..", "..", "docs", "api.md"))
	if len(blocks) != 3 {
		t.Fatalf("%d examples", len(blocks))
	}
	newHouse(t).must(strings.Join(blocks, "\n"))
}

// TestPage: the page of the API asks for the token, takes one from an address while it is open, keeps it out of the address,
// calls a tool, and fits a narrow screen, where a chosen tool comes into view.
func TestPage(t *testing.T) {
	out := newHouse(t).must(`page=$(trailblaze api docs)
on() { trailblaze tool "$@" -d web/page; }
on web_resize width=400 height=700
on web_navigate url="${page%%#*}"
on web_verifyTextVisible text="Give the token"
on web_navigate url="$page"
on waitUntilVisible text=ManagementCommands
on web_currentUrl
on tap text=device
on web_evaluate script='document.querySelector("#tool h2").getBoundingClientRect().top < 100'
on fill selector='#arguments' value='{"action": "LIST"}'
on tap text="Call device"
on waitUntilVisible text="HTTP 200"
on web_evaluate script='document.documentElement.scrollWidth + " wide"'`)
	for _, want := range []string{"/docs\n", "true\n", "400 wide"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in:\n%s", want, out)
		}
	}
}

// peers are the tools that `make api` installs.
func peers(t *testing.T) string {
	t.Helper()
	if !*withClients {
		t.Skip("make api runs this")
	}
	dir, err := filepath.Abs(filepath.Join("..", "..", "bench", ".peers"))
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

const access = `trailblaze daemon start >/dev/null
boot=$(trailblaze daemon status --json | python3 -c 'import json,sys; print(json.load(sys.stdin)["boot"])')
TOKEN=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["token"])' "$boot")
PORT=$(python3 -c 'import json,sys; print(json.load(open(sys.argv[1]))["port"])' "$boot")
export TOKEN PORT
`

// TestBufCurl: a client that knows the services by reflection alone calls them, over each wire.
func TestBufCurl(t *testing.T) {
	p := peers(t)
	h := newHouse(t)
	for _, wire := range []string{"grpc", "grpcweb", "connect"} {
		out := h.must(access + p + `/node_modules/.bin/buf curl --http2-prior-knowledge --protocol ` + wire + ` \
  -H "Authorization: Bearer $TOKEN" --reflect-header "Authorization: Bearer $TOKEN" \
  -d '{"name": "device", "args": {"action": "LIST"}, "options": {"workspace": "'"$PWD"'"}}' \
  http://127.0.0.1:$PORT/trailblaze.v1.ToolService/CallTool`)
		if !strings.Contains(out, `"devices"`) {
			t.Errorf("%s: %s", wire, out)
		}
	}
	if out := h.must(access + p + `/node_modules/.bin/buf curl --http2-prior-knowledge \
  -H "Authorization: Bearer $TOKEN" --reflect-header "Authorization: Bearer $TOKEN" --list-methods \
  http://127.0.0.1:$PORT`); !strings.Contains(out, "trailblaze.v1.WebCommands/Click") {
		t.Errorf("%s", out)
	}
}

// TestPython (R39): grpcio with code that protoc makes of the contract; an error carries the failure.
func TestPython(t *testing.T) {
	peers(t)
	proto, client := absolute(t, "../../proto"), absolute(t, "testdata/client.py")
	python := absolute(t, "../../examples/acme-python/.venv/bin/python")
	out := newHouse(t).must(access + `mkdir gen
` + python + ` -m grpc_tools.protoc -I ` + proto + ` -I ` + proto + `/vendor --python_out=gen --grpc_python_out=gen \
  $(cd ` + proto + ` && find trailblaze -name '*.proto') buf/validate/validate.proto
PYTHONPATH=gen ` + python + ` ` + client)
	if !strings.Contains(out, "all is well") {
		t.Error(out)
	}
}

// TestGRPCGo: gRPC's own library for Go, in a module beside the product's, calls, streams, and reads failures and deadlines.
func TestGRPCGo(t *testing.T) {
	peers(t)
	out := newHouse(t).must(access + `program=$PWD/grpcgo
cd ` + absolute(t, "testdata/grpcgo") + `
CGO_ENABLED=0 go build -trimpath -o "$program" .
"$program" "127.0.0.1:$PORT" "$TOKEN"`)
	if !strings.Contains(out, "all is well") {
		t.Error(out)
	}
}

// TestOpenAPITypes: the document makes types that a compiler takes, and that refuse a wrong name and a wrong type.
func TestOpenAPITypes(t *testing.T) {
	p := peers(t)
	h := newHouse(t)
	h.must(access + `curl -sf -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:$PORT/v1/openapi.json?workspace=$PWD" > openapi.json
` + p + `/node_modules/.bin/openapi-typescript openapi.json -o api.d.ts >/dev/null
echo '{"compilerOptions": {"strict": true, "noEmit": true, "skipLibCheck": false}, "files": ["use.ts"]}' > tsconfig.json`)
	const use = `import type { operations } from "./api";
type Click = NonNullable<operations["web_click"]["requestBody"]>["content"]["application/json"];
export const right: Click = { ref: "e5" };
// @ts-expect-error there is no such argument
export const name: Click = { reff: "e5" };
// @ts-expect-error it is a number
export const type: Click = { ref: "e5", count: "two" };
`
	if err := os.WriteFile(filepath.Join(h.dir, "use.ts"), []byte(use), 0o600); err != nil {
		t.Fatal(err)
	}
	h.must(p + "/node_modules/.bin/tsc -p .")
}

// TestSchemathesis: requests that a generator makes of the document are answered as the document says, and what it allows is
// taken. In the tools left out, what an argument may be depends on another one, or is a language of its own.
func TestSchemathesis(t *testing.T) {
	peers(t)
	h := newHouse(t)
	s := h.shell(access + `curl -sf -H "Authorization: Bearer $TOKEN" "http://127.0.0.1:$PORT/v1/openapi.json?workspace=$PWD" > openapi.json
SCHEMATHESIS_HOOKS=` + absolute(t, "testdata/schemathesis_hooks.py") + ` ` +
		absolute(t, "../../examples/acme-python/.venv/bin/schemathesis") + ` run openapi.json -u http://127.0.0.1:$PORT \
  -H "Authorization: Bearer $TOKEN" --seed 1 --phases fuzzing --max-examples 3 --max-time 100 --request-timeout 40 --workers 2 \
  --no-shrink --continue-on-failure --suppress-health-check all --warnings off --no-color \
  --exclude-operation-id maestro --exclude-operation-id mobile_maestro \
  --exclude-operation-id repeat --exclude-operation-id when --exclude-operation-id web_verifyValue --exclude-operation-id web_verifyListVisible \
  -c response_schema_conformance,status_code_conformance,content_type_conformance,positive_data_acceptance,negative_data_rejection`)
	if s.Code != 0 || !strings.Contains(s.Out, "No issues found") {
		t.Errorf("exit %d:\n%s%s", s.Code, s.Out, s.Err)
	}
	_, summary, _ := strings.Cut(s.Out, "SUMMARY")
	t.Log(summary)
}

// TestBreaking (R41): a change that would break clients fails, and is fine in the package of a new version beside the old
// one; a new field is fine as it is.
func TestBreaking(t *testing.T) {
	p := peers(t)
	proto := absolute(t, "../../proto")
	const (
		commands = "trailblaze/v1/commands.proto"
		fieldOff = `/optional string ref = 4;/d`
		twice    = `mkdir trailblaze/v2 && for f in trailblaze/v1/*.proto; do
  case $f in */annotations.proto) continue; esac
  sed -e 's#^package trailblaze.v1#package trailblaze.v2#' -e '/annotations/!s#^import "trailblaze/v1#import "trailblaze/v2#' \
    -e 's/option (tool)/option (trailblaze.v1.tool)/' "$f" > "trailblaze/v2/${f##*/}"
done; `
	)
	edit := func(what, file string) string { return `sed -i '` + what + `' ` + file }
	for name, c := range map[string]struct {
		edit string
		fits bool
	}{
		"another number": {edit(`s/optional string ref = 4;/optional string ref = 99;/`, commands), false},
		"another type":   {edit(`s/optional string ref = 4;/optional int32 ref = 4;/`, commands), false},
		"a field less":   {edit(fieldOff, commands), false},
		"a method less":  {edit(`s/rpc Click(/rpc Press(/`, commands), false},
		"a service less": {edit(`s/^service WebCommands /service PageCommands /`, commands), false},
		"a new version":  {twice + edit(fieldOff, "trailblaze/v2/commands.proto"), true},
		"a new field":    {edit(`s/^message ClickRequest {/message ClickRequest {\n  string more = 900;/`, commands), true},
		"nothing":        {`true`, true},
	} {
		h := newHouse(t)
		h.must(`cp -r ` + proto + `/. .`)
		h.must(c.edit)
		s := h.shell(p + `/node_modules/.bin/buf breaking --against ` + proto)
		if (s.Code == 0) != c.fits || !c.fits && !strings.Contains(s.Out, commands+":") {
			t.Errorf("%s: exit %d\n%s%s", name, s.Code, s.Out, s.Err)
		}
	}
}

func absolute(t *testing.T, path string) string {
	t.Helper()
	out, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
