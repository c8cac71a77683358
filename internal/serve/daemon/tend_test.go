package daemon

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// TestIdle: a daemon that nobody uses ends, and one that somebody is connected to does not.
func TestIdle(t *testing.T) {
	p := newPlace(t)
	t.Setenv(envIdle, "2s") // longer than its client takes to come
	c := p.dial()
	leave := hold(t, c)
	began := time.Now()
	more := time.AfterFunc(3*time.Second, leave)
	defer more.Stop()
	p.gone(c)
	if took := time.Since(began); took < 3*time.Second {
		t.Errorf("it ended after %v, with a client connected", took)
	}
	if !strings.Contains(p.log(c), "not used") {
		t.Errorf("the log does not say why:\n%s", p.log(c))
	}
}

// TestQuietConnection: a connection of a client that asks nothing more is closed, and keeps the daemon no longer.
func TestQuietConnection(t *testing.T) {
	p := newPlace(t)
	t.Setenv(envIdle, "2s")
	t.Setenv(envQuiet, "3s")
	c := p.dial()
	conn, err := net.Dial("unix", c.Boot.Socket)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(time.Minute))
	if _, err := io.WriteString(conn, "GET /v1/ping HTTP/1.1\r\nHost: trailblaze\r\nAuthorization: Bearer "+c.Boot.Token+"\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	said, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(said), "HTTP/1.1 200 ") {
		t.Errorf("%q, %v", said, err)
	}
	p.gone(c)
}

// quietPort is a free port that the system gives to nobody who did not ask for it: between one daemon and the next it
// stays free.
func quietPort(t *testing.T) string {
	t.Helper()
	for range 100 {
		port := strconv.Itoa(20_000 + rand.IntN(10_000)) //nolint:gosec // any will do
		l, err := net.Listen("tcp", "127.0.0.1:"+port)
		if err == nil {
			_ = l.Close()
			return port
		}
	}
	t.Fatal("no port is free")
	return ""
}

// TestNewBuild: a new build's daemon takes the port over. The old one ends at once when nobody waits for an answer, and
// leaves what is open; else it ends when its clients have gone.
func TestNewBuild(t *testing.T) {
	p := newPlace(t)
	open := filepath.Join(p.home, "open")
	t.Setenv(envOpen, open)
	t.Setenv(envPort, quietPort(t))
	old := p.dial()
	defer hold(t, old)() // an idle client keeps no daemon from making way
	if pid, err := p.client(p.another()); err != nil {
		t.Fatalf("%v: %s", err, pid)
	}
	p.gone(old)
	if left, _ := os.ReadFile(open); string(left) != "left" {
		t.Errorf("what was open was %q", left)
	}
	places := boot.Places(p.home)
	if len(places) != 1 || places[0] == old.Place {
		t.Fatalf("places %v", places)
	}
	fresh, err := dial.At(t.Context(), places[0])
	if err != nil {
		t.Fatal(err)
	}
	if fresh.Boot.Port != old.Boot.Port {
		t.Errorf("the port is %d, was %d", fresh.Boot.Port, old.Boot.Port)
	}
	// The other way round, now with a call under way.
	lasting := make(chan error, 1)
	began := make(chan struct{})
	go func() {
		lasting <- fresh.Stream(t.Context(), "/lasting", writer(func(b []byte) (int, error) {
			close(began)
			return len(b), nil
		}))
	}()
	waittest.Await(t, began, "the call begins")
	third := p.dial()
	if third.Boot.Port != old.Boot.Port {
		t.Errorf("the port is %d, was %d", third.Boot.Port, old.Boot.Port)
	}
	var about About
	if err := fresh.Get(t.Context(), "/v1/ping", &about); err != nil || !about.Retired {
		t.Errorf("a daemon with a call under way: %+v, %v", about, err)
	}
	p.end(fresh)
	if err := waittest.Await(t, lasting, "the call ends with its daemon"); err != nil {
		t.Logf("the call ended: %v", err)
	}
}

// TestLogIsBounded: a log does not grow for ever, and the newest line is in the file of that name.
func TestLogIsBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "daemon.log")
	if err := os.WriteFile(path, bytes.Repeat([]byte("x"), maxLog+1), 0o644); err != nil { //nolint:gosec // as a careless umask leaves it
		t.Fatal(err)
	}
	log, file, err := openLog(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	long := strings.Repeat("y", 1<<20)
	for range 6 {
		log.Info(long)
	}
	log.Info("the last")
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(text) > maxLog+2<<20 || !strings.Contains(string(text), "the last") {
		t.Errorf("the log has %d bytes", len(text))
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
}

func TestLines(t *testing.T) {
	for _, c := range []struct {
		text string
		n    int
		want string
	}{{"a\nb\nc\n", 2, "b\nc\n"}, {"a\nb\nc", 1, "c"}, {"a\n", 5, "a\n"}, {"", 3, ""}, {"a\nb\n", 0, ""}} {
		if got := string(lines([]byte(c.text), c.n)); got != c.want {
			t.Errorf("the last %d of %q are %q", c.n, c.text, got)
		}
	}
}
