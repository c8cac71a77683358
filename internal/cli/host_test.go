package cli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"weak"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/daemon"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/handover"
)

// TestHostLeavesNothing: a command that the daemon ran leaves nothing of its environment behind.
func TestHostLeavesNothing(t *testing.T) {
	a := &shell.Shell{Streams: shell.Streams{Host: &daemon.Command{}, Out: io.Discard, Err: io.Discard}}
	newRoot(a, "tool")
	_ = a.Root()
	left := weak.Make(a)
	a = nil
	if runtime.GC(); left.Value() != nil {
		t.Error("the command is still held")
	}
}

// TestHandedOverCommands: those are handed over that call a tool on a device and print what it says of the screen.
func TestHandedOverCommands(t *testing.T) {
	for _, c := range newRoot(&shell.Shell{}).Commands() {
		want := c.Flags().Lookup("device") != nil && c.Flags().Lookup("max-tokens") != nil
		if got := handover.Takes([]string{c.Name()}); got != want {
			t.Errorf("%s: handed over %v, want %v", c.Name(), got, want)
		}
	}
}

// TestHost: commands of other processes run side by side, each with its own arguments and environment; one that needs
// what only its process has is left to that before it has said anything.
func TestHost(t *testing.T) {
	home, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(home) })
	listening := make(chan *daemon.Daemon, 1)
	ctx, cancel := context.WithCancel(t.Context())
	var serving sync.WaitGroup
	serving.Go(func() {
		_ = daemon.Serve(ctx, daemon.Options{Home: home, Version: "test", Command: host, Make: func(d *daemon.Daemon) (daemon.Served, error) {
			listening <- d
			return daemon.Served{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusTeapot) })}, nil
		}})
	})
	defer serving.Wait()
	defer cancel()
	d := <-listening
	c := &client.Client{Boot: d.Boot, Place: d.Place}
	defer c.Close()
	ask := func(env []string, args ...string) (string, error) {
		r := handover.Request{Caller: handover.Caller{Dir: home}, Args: args, Environ: append(env, "TRAILBLAZE_HOME="+home)}
		req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, client.URL+handover.Path, bytes.NewReader(r.Encode()))
		if err != nil {
			return "", err
		}
		res, err := c.HTTP().Do(req)
		if err != nil {
			return "", err
		}
		defer func() { _ = res.Body.Close() }()
		data, err := io.ReadAll(res.Body)
		return string(data), err
	}
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			dir := fmt.Sprintf("%s/not a folder of %d", home, i)
			got, err := ask([]string{"TRAILBLAZE_HOME=" + dir}, "tool", "x", fmt.Sprintf("--flag%d", i))
			if err != nil || !strings.Contains(got, fmt.Sprintf("--flag%d", i)) || !strings.HasSuffix(got, "x\x03") {
				t.Errorf("%d: %q, %v", i, got, err)
			}
			if got, err = ask(nil, "tool", "x"); err != nil || !strings.HasSuffix(got, "x\x02") {
				t.Errorf("%d, of the daemon: %q, %v", i, got, err)
			}
		})
	}
	all.Wait()
	if err := os.WriteFile(filepath.Join(home, "trailblaze.yaml"), []byte("defaults: { llm: openai/gpt-5 }\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, env := range map[string][]string{
		"tool x":                     nil, // its key may be in the keyring of the process's session
		"tool x --args -":            {"OPENAI_API_KEY=k"},
		"tool x --args @/dev/stdin":  {"OPENAI_API_KEY=k"},
		"tool x --watch":             {"OPENAI_API_KEY=k"},
		"snapshot --screenshot /a/b": {"OPENAI_API_KEY=k"},
	} {
		if got, err := ask(env, strings.Fields(line)...); err == nil || !strings.Contains(err.Error(), "cannot do that") {
			t.Errorf("%s: %q, %v, want it declined", line, got, err)
		}
	}
}
