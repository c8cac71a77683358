package mcpproxy

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

const soon = time.Minute

// daemon is one life of a daemon: every line that comes in is in got, and what is not held back is answered.
type daemon struct {
	t    *testing.T
	conn net.Conn
	id   string
	got  chan string
	mute atomic.Bool // answer nothing but initialize
	deaf bool        // not even that
}

// writeLine sends a line to the proxy.
func (d *daemon) writeLine(line string) {
	if _, err := io.WriteString(d.conn, line+"\n"); err != nil {
		d.t.Errorf("daemon cannot say %s: %v", line, err)
	}
}

func (d *daemon) die() { _ = d.conn.Close() }

// live answers until the connection ends: initialize, tools/list with one tool that only reads and one that acts, and
// everything else with the method's name.
func (d *daemon) live() {
	in := bufio.NewScanner(d.conn)
	in.Buffer(nil, 8<<20)
	for in.Scan() {
		line := in.Text()
		d.got <- line
		var m struct {
			ID     json.RawMessage `json:"id"`
			Method string          `json:"method"`
		}
		if err := json.Unmarshal(in.Bytes(), &m); err != nil {
			d.t.Errorf("daemon got %q: %v", line, err)
		}
		if m.ID == nil || m.Method == "" || d.deaf || d.mute.Load() && m.Method != "initialize" {
			continue
		}
		result := fmt.Sprintf(`{"did":%q}`, m.Method)
		if m.Method == "tools/list" {
			result = `{"tools":[{"name":"look","annotations":{"readOnlyHint":true}},{"name":"act"}]}`
		}
		if _, err := fmt.Fprintf(d.conn, `{"jsonrpc":"2.0","id":%s,"result":%s}`+"\n", m.ID, result); err != nil {
			return
		}
	}
}

// next is the next line the daemon got.
func (d *daemon) next() string {
	d.t.Helper()
	return receive(d.t, d.got, "a line at the daemon")
}

func receive[T any](t *testing.T, c <-chan T, what string) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(soon):
		t.Fatalf("no %s", what)
		panic("not reached")
	}
}

// rig is a proxy between a client that the test plays and daemons that it sees start and can end.
type rig struct {
	t       *testing.T
	in      *io.PipeWriter
	out     chan string
	daemons chan *daemon
	stopped atomic.Bool
	muted   atomic.Bool // daemons to come answer only initialize
	deaf    atomic.Bool // daemons to come answer nothing

	receipts atomic.Bool // daemons to come tell of calls before they begin
	health   *healthAnswer
	dialErr  atomic.Pointer[error]
	done     chan error
	cancel   context.CancelFunc
	wg       sync.WaitGroup
}

func (r *rig) Dial(_ context.Context, id string) (io.ReadWriteCloser, string, error) {
	if err := r.dialErr.Load(); err != nil {
		return nil, "", *err
	}
	ours, theirs := net.Pipe()
	d := &daemon{t: r.t, conn: theirs, id: id, got: make(chan string, 1000), deaf: r.deaf.Load()}
	d.mute.Store(r.muted.Load())
	r.wg.Go(d.live)
	r.daemons <- d
	if id == "" {
		id = "tb_one"
	}
	return proxyEnd{ours, r.receipts.Load(), r.health}, id, nil
}

type proxyEnd struct {
	net.Conn
	receipts bool
	health   *healthAnswer
}

func (f proxyEnd) Receipts() bool { return f.receipts }

func (r *rig) Stopped() bool { return r.stopped.Load() }

func (r *rig) fails(err error) { r.dialErr.Store(&err) }

func newRig(t *testing.T, change ...func(*rig, *Options)) *rig {
	t.Helper()
	r := &rig{t: t, out: make(chan string, 1000), daemons: make(chan *daemon, 100), done: make(chan error, 1), health: &healthAnswer{asked: make(chan struct{}, 1)}}
	in, write := io.Pipe()
	read, out := io.Pipe()
	r.in = write
	o := Options{In: in, Out: out, Dialer: r, DialTimeout: soon}
	for _, c := range change {
		c(r, &o)
	}
	ctx, cancel := context.WithCancel(t.Context())
	r.cancel = cancel
	r.wg.Go(func() { r.done <- Run(ctx, o); _ = out.Close() })
	r.wg.Go(func() {
		s := bufio.NewScanner(read)
		s.Buffer(nil, 80<<20)
		for s.Scan() {
			if !json.Valid(s.Bytes()) {
				t.Errorf("stdout has %q", s.Text())
			}
			r.out <- s.Text()
		}
	})
	t.Cleanup(func() { cancel(); _ = write.Close(); r.wg.Wait() })
	return r
}

func (r *rig) send(line string) {
	r.t.Helper()
	if _, err := io.WriteString(r.in, line+"\n"); err != nil {
		r.t.Fatal(err)
	}
}

func (r *rig) daemon() *daemon {
	r.t.Helper()
	return receive(r.t, r.daemons, "daemon dialed")
}

// again is the next daemon, which first heard initialize under an id of the proxy's own, and initialized.
func (r *rig) again() *daemon {
	r.t.Helper()
	d := r.daemon()
	if got := d.next(); !strings.Contains(got, `"method":"initialize"`) || !strings.Contains(got, `"clientInfo"`) || strings.Contains(got, `"id":1,`) {
		r.t.Errorf("first the new daemon got %s", got)
	}
	if got := d.next(); got != initialized {
		r.t.Errorf("then %s", got)
	}
	return d
}

// reply is the next line on stdout, which must have every part.
func (r *rig) reply(parts ...string) string {
	r.t.Helper()
	line := receive(r.t, r.out, "reply with "+strings.Join(parts, ", "))
	for _, p := range parts {
		if !strings.Contains(line, p) {
			r.t.Fatalf("reply %s\nlacks %s", line, p)
		}
	}
	return line
}

const (
	initialize  = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	listTools   = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

func call(id int, tool string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":{"n":%d}}}`, id, tool, id)
}

// greet does what every client of the 2025 era does first.
func (r *rig) greet() *daemon {
	r.t.Helper()
	d := r.daemon()
	r.send(initialize)
	r.reply(`"id":1`, `"did":"initialize"`)
	r.send(initialized)
	r.send(listTools)
	r.reply(`"id":2`, `"look"`)
	for range 3 {
		d.next()
	}
	return d
}

var errNoDaemon = fault.New(fault.Unavailable, "start daemon", "nothing listens")

var errForbidden = fault.New(fault.Denied, "start daemon", "autostart is off").WithHint("Run trailblaze daemon start.")
