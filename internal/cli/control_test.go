package cli

import (
	"bufio"
	"bytes"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/cli/shell"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
)

// dying is a home whose daemon takes one question and ends before it answers.
func dying(t *testing.T) (home string) {
	t.Helper()
	home, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	build, err := boot.Build()
	if err != nil {
		t.Fatal(err)
	}
	place := boot.PlaceOf(home, build)
	if err := boot.Private(place.Dir); err != nil {
		t.Fatal(err)
	}
	socket := filepath.Join(place.Dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	if err := boot.Write(place, boot.Boot{PID: 4711, Build: build, Socket: socket, Token: "secret"}); err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		conn, err := l.Accept()
		_ = l.Close()
		if err != nil {
			return
		}
		if _, err := http.ReadRequest(bufio.NewReader(conn)); err != nil {
			t.Error(err)
		}
		_ = conn.Close()
	}()
	t.Cleanup(func() {
		_ = l.Close()
		waittest.Await(t, done, "the silent daemon ends")
		_ = os.RemoveAll(home)
	})
	return home
}

// TestDaemonThatEndsWhenAsked: a question to a daemon that is just ending is answered as if it had ended already.
func TestDaemonThatEndsWhenAsked(t *testing.T) {
	for line, want := range map[string]string{
		"daemon status": "No daemon is running", "status": "No daemon is running", "cancel --all": "Nothing to end", "daemon stop": "Stopped",
	} {
		t.Run(line, func(t *testing.T) {
			home := dying(t)
			var out, errs bytes.Buffer
			status := Main(t.Context(), shell.Streams{
				In: strings.NewReader(""), Out: &out, Err: &errs, Dir: t.TempDir(), Environ: func() []string { return nil },
				Env: func(k string) string { return map[string]string{"TRAILBLAZE_HOME": home}[k] },
			}, strings.Fields(line))
			if status != 0 || !strings.Contains(out.String(), want) {
				t.Errorf("exit status %d: %s%s, want %q", status, out.String(), errs.String(), want)
			}
		})
	}
}
