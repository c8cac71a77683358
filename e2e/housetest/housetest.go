// Package housetest builds the product and runs it as a person at a shell does, with a home, a workspace and a daemon
// of the test's own. The end-to-end packages make their houses of it.
//
//	var binary string
//
//	func TestMain(m *testing.M) { os.Exit(housetest.Main(m, map[string]*string{"": &binary})) }
//
// It is for tests only.
package housetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"connectrpc.com/connect"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/serve/api"
	"github.com/trailblaze-dev/trailblaze/internal/serve/rpcerr"
	pb "github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1"
	"github.com/trailblaze-dev/trailblaze/proto/gen/trailblaze/v1/trailblazev1connect"
)

// Main builds the product for each version, "" being none, sets where it lies, and runs the tests. A process that
// was started as a tool server of a test is one instead.
func Main(m *testing.M, builds map[string]*string) int {
	if prefix := os.Getenv(toolsEnv); prefix != "" {
		return runToolServer(prefix)
	}
	flag.Parse()
	if testing.Short() {
		return 0
	}
	dir, err := os.MkdirTemp("", "tb-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for version, path := range builds {
		*path = filepath.Join(dir, "trailblaze"+version)
		if err := build(version, *path); err != nil {
			fmt.Fprintln(os.Stderr, "build:", err)
			return 1
		}
	}
	return m.Run()
}

// build makes the product at path. Linking it takes seconds, so what was linked stays in bin/test, where the packages
// that run side by side find it: go build links again only when something has changed. Each gets a copy, for the one
// in bin/test may be replaced while tests run.
func build(version, path string) error {
	root, err := os.Getwd()
	if err != nil {
		return err
	}
	for !isFile(filepath.Join(root, "go.mod")) && root != filepath.Dir(root) {
		root = filepath.Dir(root)
	}
	kept := filepath.Join(root, "bin", "test", "trailblaze"+version)
	if err := os.MkdirAll(filepath.Dir(kept), 0o755); err != nil {
		return err
	}
	lock, err := file.OpenLocked(context.Background(), kept+".lock")
	if err != nil {
		return err
	}
	defer func() { _ = lock.Close() }() // which unlocks it
	flags := "-s -w"
	if version != "" {
		flags += " -X github.com/trailblaze-dev/trailblaze/internal/cli/shell.Version=" + version
	}
	cmd := exec.CommandContext(context.Background(), "go", "build", "-trimpath", "-o", kept, "-ldflags", flags,
		"github.com/trailblaze-dev/trailblaze/cmd/trailblaze")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	data, err := os.ReadFile(kept)
	if err != nil {
		return err
	}
	return os.WriteFile(path, data, 0o755)
}

func isFile(path string) bool {
	i, err := os.Stat(path)
	return err == nil && i.Mode().IsRegular()
}

// Root makes a folder for a home and a workspace, with these folders in it, and removes it at the end of the test.
// Its path is short, since a socket's may have about 100 bytes, and has no symbolic links.
func Root(t testing.TB, mode os.FileMode, folders ...string) string {
	t.Helper()
	root, err := os.MkdirTemp("", "tb-")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(root); err != nil {
			t.Log(err)
		}
	})
	if root, err = filepath.EvalSymlinks(root); err != nil {
		t.Fatal(err)
	}
	for _, f := range folders {
		if err := os.MkdirAll(filepath.Join(root, f), mode); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// Output is the output of a command.
type Output struct {
	Out, Err string
	Code     int // -1 when it did not end by itself
	Took     time.Duration
}

// Run runs the product in a folder.
func Run(ctx context.Context, t testing.TB, binary, dir string, env []string, args ...string) Output {
	t.Helper()
	ctx, cancel := context.WithTimeout(ctx, 2*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, args...)
	cmd.Env, cmd.Dir = env, dir
	var out, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &stderr
	began := time.Now()
	err := cmd.Run()
	s := Output{Out: out.String(), Err: stderr.String(), Took: time.Since(began)}
	var exit *exec.ExitError
	switch {
	case errors.As(err, &exit):
		s.Code = exit.ExitCode()
	case err != nil:
		t.Errorf("%v: %v", args, err)
		s.Code = -1
	}
	return s
}

// Boot is the file by which a daemon announces itself to its user's clients.
type Boot struct {
	PID    int    `json:"pid"`
	Socket string `json:"socket"`
	Port   int    `json:"port"`
	Token  string `json:"token"`
	File   string `json:"-"`
}

// Boots reads the files of the daemons of a home. A file that is being written is left out.
func Boots(home string) []Boot {
	files, _ := filepath.Glob(filepath.Join(home, "run", "*", "daemon.json"))
	var out []Boot
	for _, f := range files {
		b := Boot{File: f}
		if data, err := os.ReadFile(f); err == nil && json.Unmarshal(data, &b) == nil && b.PID > 0 {
			out = append(out, b)
		}
	}
	return out
}

// TheBoot is that of a home with one daemon.
func TheBoot(t testing.TB, home string) Boot {
	t.Helper()
	all := Boots(home)
	if len(all) != 1 || all[0].Socket == "" || len(all[0].Token) < 32 {
		t.Fatalf("boot files: %+v, want one with a socket and a token", all)
	}
	return all[0]
}

// Local is a client of the daemon's socket, without credentials.
func Local(b Boot) *http.Client {
	return &http.Client{Timeout: 2 * time.Minute,
		Transport: &http.Transport{DisableKeepAlives: true,
			DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
				return (&net.Dialer{}).DialContext(ctx, "unix", b.Socket)
			}}}
}

// CallTool calls a tool at the daemon's socket, as a program in any language can: by ToolService, as JSON. It gives
// the reply as JSON, {"error": …} when the request was refused, and an error when there was no answer. All that comes
// over the wire also goes to heard.
func CallTool(ctx context.Context, b Boot, heard io.Writer, r *pb.CallToolRequest) ([]byte, error) {
	local := Local(b)
	local.Transport = listening{local.Transport, b.Token, heard}
	tools := trailblazev1connect.NewToolServiceClient(local, "http://trailblaze", connect.WithProtoJSON(),
		connect.WithAcceptCompression("gzip", nil, nil))
	r.Whole = true
	out, err := tools.CallTool(ctx, r)
	switch {
	case err == nil:
		return json.Marshal(api.ReplyOf(out))
	case rpcerr.Answered(err) || connect.IsWireError(err):
		return json.Marshal(map[string]*fault.Failure{"error": fault.FailureOf(rpcerr.From(err))})
	}
	return nil, err
}

// listening shows the token and keeps what comes back.
type listening struct {
	http.RoundTripper
	token string
	heard io.Writer
}

func (l listening) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+l.token)
	res, err := l.RoundTripper.RoundTrip(r)
	if err == nil {
		res.Body = struct {
			io.Reader
			io.Closer
		}{io.TeeReader(res.Body, l.heard), res.Body}
	}
	return res, err
}

// Serve serves pages by path.
func Serve(t testing.TB, docs map[string]string) string {
	t.Helper()
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, ok := docs[r.URL.Path]
		if !ok {
			http.NotFound(w, r)
			return
		}
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = fmt.Fprint(w, body)
	}))
	t.Cleanup(srv.Close)
	return srv.URL
}
