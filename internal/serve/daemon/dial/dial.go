package dial

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/internal/serve/daemon/boot"
)

// Options name a daemon.
type Options struct {
	Home  string
	Start bool     // start one when there is none
	Env   []string // of a daemon that is started; nil: ours
}

// Daemon carries requests to one daemon.
type Daemon struct {
	Boot  boot.Boot
	Place boot.Place

	mu    sync.Mutex
	first net.Conn // the connection that found the daemon; the next request uses it
	found time.Time
	http  *http.Client
}

// firstLife is the time for which the connection that found the daemon is kept: the daemon drops connections without a
// request.
const firstLife = 2 * time.Second

// Close closes the connections that no request uses. The Daemon can be used on.
func (c *Daemon) Close() {
	if conn := c.take(); conn != nil {
		_ = conn.Close()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.http != nil {
		c.http.CloseIdleConnections()
	}
}

func (c *Daemon) take() net.Conn {
	c.mu.Lock()
	defer c.mu.Unlock()
	conn := c.first
	c.first = nil
	if conn != nil && time.Since(c.found) > firstLife {
		_ = conn.Close()
		return nil
	}
	return conn
}

// Dial finds the daemon of this build, and starts it when there is none and o.Start is set. Ten
// clients at once start one.
func Dial(ctx context.Context, o Options) (*Daemon, error) {
	build, err := boot.Build()
	if err != nil {
		return nil, err
	}
	p := boot.PlaceOf(o.Home, build)
	c, err := find(ctx, p, build)
	if err == nil || !o.Start || fault.KindOf(err) != fault.NotFound {
		return c, err
	}
	if boot.Forbidden() {
		return nil, fault.New(fault.Unavailable, "find daemon", "no daemon is running, and %s is set", boot.EnvNoStart).
			WithHint("Start one with `trailblaze daemon start`, or unset %s.", boot.EnvNoStart)
	}
	err = boot.Start(ctx, p, o.Env, o.Home, func() bool {
		c, err = find(ctx, p, build)
		return err == nil
	})
	if err != nil || c != nil {
		return c, err
	}
	return find(ctx, p, build)
}

// find returns the daemon at a place, when it runs. It ignores the boot file of a
// killed daemon.
func find(ctx context.Context, p boot.Place, build string) (*Daemon, error) {
	b, err := boot.Read(p)
	if err != nil {
		return nil, err
	}
	c := &Daemon{Boot: *b, Place: p}
	if b.Build != build {
		return nil, fault.New(fault.NotFound, "find daemon", "the daemon at %s is of another build", p.Dir)
	}
	conn, err := c.connect(ctx)
	if err == nil && proc.Ended(b.PID) { // its socket takes connections until its last thread has ended
		_ = conn.Close()
		err = os.ErrProcessDone
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil, fault.Wrap(ctx.Err(), fault.Canceled, "find daemon")
		}
		return nil, fault.New(fault.NotFound, "find daemon",
			"no daemon is running (the last one, process %d, has ended)", b.PID).
			WithHint("Any command that drives a device starts a new one.")
	}
	c.first, c.found = conn, time.Now()
	return c, nil
}

// connect opens a connection: the socket first, loopback TCP where there are no sockets.
func (c *Daemon) connect(ctx context.Context) (net.Conn, error) {
	if conn := c.take(); conn != nil {
		return conn, nil
	}
	var d net.Dialer
	var first error
	if c.Boot.Socket != "" {
		conn, err := d.DialContext(ctx, "unix", c.Boot.Socket)
		if err == nil {
			return conn, nil
		}
		first = err
	}
	if c.Boot.Socket == "" && c.Boot.Port > 0 {
		return d.DialContext(ctx, "tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(c.Boot.Port)))
	}
	if first == nil {
		first = errors.New("the daemon has no address")
	}
	return nil, first
}

// At returns the daemon that lives at a place, whatever its build.
func At(ctx context.Context, p boot.Place) (*Daemon, error) {
	b, err := boot.Read(p)
	if err != nil {
		return nil, err
	}
	return find(ctx, p, b.Build)
}

// Clear removes the files of a daemon that was killed. It does nothing while one runs there.
func Clear(p boot.Place) {
	held, err := file.TryOpenLocked(p.LockFile())
	if err != nil {
		return
	}
	defer func() { _ = held.Close() }()
	if b, err := boot.Read(p); err == nil && b.Socket != "" {
		_ = os.Remove(b.Socket)
	}
	_ = os.Remove(p.BootFile())
}

// AwaitEnd returns when no daemon runs at a place any more, by waiting for its lock.
func AwaitEnd(ctx context.Context, p boot.Place) error {
	const op = "wait for the daemon to end"
	f, err := file.OpenLocked(ctx, p.LockFile())
	if err != nil {
		return fault.Wrap(err, "", op)
	}
	return fault.Wrap(f.Close(), fault.Unavailable, op)
}

// programTime bounds how long a program may take to find or start its daemon.
const programTime = 30 * time.Second

// EnvBinary names the program for clients that are no part of it.
const EnvBinary = "TRAILBLAZE_BIN"

// OfProgram returns the daemon of a program `trailblaze`, which starts it when there is none. No name means
// that of EnvBinary, or the one in PATH.
func OfProgram(ctx context.Context, name string) (*Daemon, error) {
	const op = "find daemon"
	binary, err := proc.LookPath(cmp.Or(name, os.Getenv(EnvBinary), "trailblaze"))
	if err != nil {
		return nil, fault.New(fault.NotFound, op, "%w", err).
			WithHint("Install trailblaze, or set %s to the program.", EnvBinary)
	}
	ctx, cancel := context.WithTimeout(ctx, programTime)
	defer cancel()
	var out, said bytes.Buffer
	spec := proc.Spec{Path: binary, Args: []string{"daemon", "start", "--json"}, Stdout: &out, Stderr: &said}
	if err := proc.Run(ctx, spec); err != nil {
		why := strings.TrimSpace(said.String())
		return nil, fault.New(fault.Unavailable, op, "%s daemon start: %w: %s", binary, err, why).
			WithHint("Run `trailblaze daemon serve` to see why.")
	}
	var started struct{ Boot string }
	if err := json.Unmarshal(out.Bytes(), &started); err != nil || started.Boot == "" {
		return nil, fault.New(fault.Unsupported, op, "%s is too old for this client", binary).
			WithHint("Install a newer one.")
	}
	return At(ctx, boot.Place{Dir: filepath.Dir(started.Boot)})
}

// TCP is the URL of the daemon for browsers and clients of HTTP that cannot dial its socket.
func (c *Daemon) TCP() (string, error) {
	if c.Boot.Port == 0 {
		return "", fault.New(fault.Unavailable, "reach daemon", "the daemon has no port").
			WithHint("trailblaze daemon status says why; set TRAILBLAZE_PORT (0: any free port) and start it again.")
	}
	return "http://127.0.0.1:" + strconv.Itoa(c.Boot.Port), nil
}
