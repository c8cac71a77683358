package daemon

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/dial"
)

// The test program is also the daemon and the client of the tests: clients start the program they are.
func TestMain(m *testing.M) {
	switch {
	case len(os.Args) > 2 && os.Args[1] == "daemon" && os.Args[2] == "serve":
		os.Exit(beDaemon(os.Args[3:]))
	case len(os.Args) > 1 && os.Args[1] == "client":
		os.Exit(beClient())
	}
	// Whoever starts a daemon waits for it for as long as both live.
	goleak.VerifyTestMain(m, goleak.IgnoreAnyFunction("github.com/trailblaze-dev/trailblaze/internal/ground/proc.Detach.func1"))
}

// What the daemon process of a test is told.
const (
	envHome  = "TRAILBLAZE_HOME"
	envPort  = "TRAILBLAZE_PORT"
	envIdle  = "TEST_IDLE"
	envFail  = "TEST_FAIL" // "before" it listens, "after"
	envQuiet = "TEST_QUIET"
	envOpen  = "TEST_OPEN" // it has something that a newer daemon can go on with
)

func beDaemon(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	o := Options{Home: os.Getenv(envHome), Version: "test", Make: makeForTest}
	o.Port, _ = Port(os.Getenv(envPort))
	o.Idle, _ = time.ParseDuration(os.Getenv(envIdle))
	o.quiet, _ = time.ParseDuration(os.Getenv(envQuiet))
	for _, a := range args {
		if n, ok := strings.CutPrefix(a, boot.ReadyFlag+"="); ok {
			fd, _ := strconv.Atoi(n)
			o.Ready = os.NewFile(uintptr(fd), "ready")
		}
	}
	if os.Getenv(envFail) == "before" {
		panic("nothing works")
	}
	if err := Serve(ctx, o); err != nil && !errors.Is(err, ErrStopped) {
		return 1
	}
	return 0
}

// makeForTest serves an answer, a call that hangs until it is cancelled, one that never ends, and a stream.
func makeForTest(d *Daemon) (Served, error) {
	if os.Getenv(envFail) == "after" {
		return Served{}, fault.New(fault.Invalid, "read configuration", "the file is wrong").WithHint("Mend it.")
	}
	mux := http.NewServeMux()
	calls := make(chan struct{}, 100)
	mux.HandleFunc("GET /hello", func(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprint(w, `{"hello":true}`) })
	mux.HandleFunc("GET /lasting", func(w http.ResponseWriter, r *http.Request) {
		calls <- struct{}{}
		defer func() { <-calls }()
		_, _ = fmt.Fprintln(w, `{"begun":true}`)
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	mux.HandleFunc("GET /wedged", func(w http.ResponseWriter, _ *http.Request) {
		_, _ = fmt.Fprintln(w, `{"begun":true}`)
		_ = http.NewResponseController(w).Flush()
		select {}
	})
	mux.HandleFunc("GET /stream", func(w http.ResponseWriter, r *http.Request) {
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	})
	s := Served{Handler: mux, Calls: func() bool { return len(calls) > 0 }}
	if path := os.Getenv(envOpen); path != "" {
		s.Leave = func(context.Context) error { return os.WriteFile(path, []byte("left"), 0o600) }
		s.Close = func(context.Context) error { return os.WriteFile(path, []byte("closed"), 0o600) }
	}
	return s, nil
}

// beClient finds or starts the daemon and says who it is.
func beClient() int {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	c, err := dial.Dial(ctx, dial.Options{Home: os.Getenv(envHome), Start: true})
	if err != nil {
		fmt.Println(err, fault.HintOf(err))
		return 1
	}
	var said struct{ Hello bool }
	if err := c.Get(ctx, "/hello", &said); err != nil || !said.Hello {
		fmt.Println("said", said, err)
		return 1
	}
	fmt.Println(c.Boot.PID)
	return 0
}

// place is a home of its own; what runs there is ended with the test.
type place struct {
	*testing.T
	home string
}

func newPlace(t *testing.T) place {
	t.Helper()
	home, err := os.MkdirTemp("", "tb-") // t.TempDir() is too long a path for a socket
	if err != nil {
		t.Fatal(err)
	}
	p := place{t, home}
	t.Setenv(envHome, home)
	t.Setenv(envPort, "0")
	t.Setenv(envIdle, "1h")
	t.Cleanup(func() {
		for _, at := range boot.Places(home) {
			if c, err := dial.At(context.Background(), at); err == nil {
				p.end(c)
			}
		}
		_ = os.RemoveAll(home)
	})
	return p
}

// dial finds or starts the daemon of the test program.
func (p place) dial() *dial.Daemon {
	p.Helper()
	c, err := dial.Dial(p.Context(), dial.Options{Home: p.home, Start: true})
	if err != nil {
		p.Fatalf("dial: %v (%s)", err, fault.HintOf(err))
	}
	p.Cleanup(c.Close)
	return c
}

// find is dial without starting one.
func (p place) find() (*dial.Daemon, error) {
	c, err := dial.Dial(p.Context(), dial.Options{Home: p.home})
	if err == nil {
		p.Cleanup(c.Close)
	}
	return c, err
}

// end stops a daemon and waits for it.
func (p place) end(c *dial.Daemon) {
	p.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := c.Post(ctx, "/v1/stop", nil); err != nil {
		p.Logf("stop: %v", err)
	}
	if err := dial.AwaitEnd(ctx, c.Place); err != nil {
		p.Errorf("the daemon did not end: %v\n%s", err, p.log(c))
	}
}

func (p place) log(c *dial.Daemon) string {
	text, _ := os.ReadFile(c.Place.LogFile())
	return string(text)
}

// gone waits for a daemon to end by itself.
func (p place) gone(c *dial.Daemon) {
	p.Helper()
	ctx, cancel := context.WithTimeout(p.Context(), time.Minute)
	defer cancel()
	if err := dial.AwaitEnd(ctx, c.Place); err != nil {
		p.Fatalf("it lives: %v\n%s", err, p.log(c))
	}
}

// another makes this same program with another time: another build.
func (p place) another() string {
	p.Helper()
	exe, err := os.Executable()
	if err != nil {
		p.Fatal(err)
	}
	data, err := os.ReadFile(exe)
	if err != nil {
		p.Fatal(err)
	}
	path := filepath.Join(p.home, "another")
	if err := os.WriteFile(path, data, 0o700); err != nil { //nolint:gosec // a program
		p.Fatal(err)
	}
	if err := os.Chtimes(path, time.Time{}, time.Unix(1, 0)); err != nil {
		p.Fatal(err)
	}
	return path
}

// hold keeps a client connected, by a stream, until leave.
func hold(t *testing.T, c *dial.Daemon) (leave func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, dial.URL+"/stream", nil)
	if err != nil {
		t.Fatal(err)
	}
	res, err := c.HTTP().Do(req)
	if err != nil {
		t.Fatal(err)
	}
	return func() {
		cancel()
		_ = res.Body.Close()
		c.Close()
	}
}
