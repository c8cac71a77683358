package adb

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
)

// Server is the adb server of this machine, or the one that the environment names.
type Server struct {
	network, address string
	ours             bool // the address is of this machine, so that a server may be started there
	env              func(string) string

	starting sync.Mutex
}

const defaultPort = "5037"

// NewServer finds the address of the server in ADB_SERVER_SOCKET, ANDROID_ADB_SERVER_ADDRESS and
// ANDROID_ADB_SERVER_PORT, as adb does. It connects to nothing. A nil env has no variables.
func NewServer(env func(string) string) *Server {
	if env == nil {
		env = func(string) string { return "" }
	}
	s := &Server{network: "tcp", env: env}
	host, port := env("ANDROID_ADB_SERVER_ADDRESS"), env("ANDROID_ADB_SERVER_PORT")
	if kind, rest, ok := strings.Cut(env("ADB_SERVER_SOCKET"), ":"); ok {
		switch kind {
		case "tcp":
			host, port = "", rest
			if i := strings.LastIndexByte(rest, ':'); i >= 0 {
				host, port = strings.Trim(rest[:i], "[]"), rest[i+1:]
			}
		case "localfilesystem", "local":
			s.network, s.address, s.ours = "unix", rest, true
			return s
		}
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = defaultPort
	}
	ip := net.ParseIP(host)
	s.ours = host == "localhost" || ip != nil && ip.IsLoopback()
	s.address = net.JoinHostPort(host, port)
	return s
}

// Address says where the server is, for messages.
func (s *Server) Address() string { return s.address }

// Preferred is the serial of the phone that the user's environment names, "" when it names none.
func (s *Server) Preferred() string { return s.env("ANDROID_SERIAL") }

// dial connects to the server, and starts one on this machine when there is none.
func (s *Server) dial(ctx context.Context) (*conn, error) {
	c, err := s.connect(ctx)
	if err == nil || ctx.Err() != nil {
		return c, err
	}
	if !s.ours {
		return nil, fault.New(fault.Unavailable, "reach adb server", "no adb server answers at %s: %w", s.address, err).
			WithHint("Start it there, or unset ADB_SERVER_SOCKET and ANDROID_ADB_SERVER_ADDRESS to use one of this machine.")
	}
	if err := s.start(ctx); err != nil {
		return nil, err
	}
	c, err = s.connect(ctx)
	return c, fault.Wrap(err, fault.Unavailable, "reach adb server")
}

func (s *Server) connect(ctx context.Context) (*conn, error) {
	raw, err := (&net.Dialer{}).DialContext(ctx, s.network, s.address)
	if err != nil {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, err
	}
	return newConn(ctx, raw), nil
}

// startTime bounds the start of a server.
const startTime = 20 * time.Second

// start runs the server as `adb start-server` does: it writes OK into a pipe when it answers. It outlives this process,
// because other programs use it, too. Calls that want a server at once start one.
func (s *Server) start(ctx context.Context) error {
	const op = "start adb server"
	s.starting.Lock()
	defer s.starting.Unlock()
	if c, err := s.connect(ctx); err == nil {
		return c.Close()
	}
	path, err := Find(s.env)
	if err != nil {
		return err
	}
	spec := "localfilesystem:" + s.address
	if s.network == "tcp" { // adb listens to no address of this machine but localhost, which it takes without a name
		_, port, _ := net.SplitHostPort(s.address)
		spec = "tcp:" + port
	}
	reply, theirs, err := os.Pipe()
	if err != nil {
		return fault.Wrap(err, fault.Unavailable, op)
	}
	defer func() { _ = reply.Close() }()
	_, _, err = proc.Detach(proc.Spec{
		Path: path, Inherit: []*os.File{theirs},
		Args: []string{
			"-L", spec, "fork-server", "server", "--reply-fd", strconv.FormatUint(proc.HandleOf(theirs, 0), 10),
		},
		Env: proc.Env(os.Environ(), nil),
	})
	_ = theirs.Close()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, startTime)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = reply.Close() })
	defer stop()
	said, err := io.ReadAll(io.LimitReader(reply, 3))
	switch {
	case ctx.Err() != nil:
		return fault.Wrap(context.Cause(ctx), fault.Unavailable, op)
	case err != nil || string(said) != "OK\n":
		if c, err := s.connect(ctx); err == nil { // another program has started one at the same time
			return c.Close()
		}
		return fault.New(fault.Unavailable, op, "%s did not start a server at %s", path, s.address).
			WithHint("Run `adb start-server` to see why.")
	}
	return nil
}

// Find returns the path of the adb program: on the PATH, or in the SDK that ANDROID_HOME or ANDROID_SDK_ROOT names.
func Find(env func(string) string) (string, error) {
	if path, err := proc.LookPath("adb"); err == nil {
		return path, nil
	}
	for _, name := range []string{"ANDROID_HOME", "ANDROID_SDK_ROOT"} {
		if env == nil || env(name) == "" {
			continue
		}
		if path, err := proc.LookPath(env(name) + "/platform-tools/adb"); err == nil {
			return path, nil
		}
	}
	return "", fault.New(fault.Unavailable, "find adb", "there is no adb program on this machine").
		WithHint("Install Android's platform-tools (Debian: apt install adb) and put adb on the PATH, or set ANDROID_HOME.")
}

// request sends one request of the host protocol and reads OKAY, or the server's reason.
func (s *Server) request(ctx context.Context, service string) (*conn, error) {
	c, err := s.dial(ctx)
	if err != nil {
		return nil, err
	}
	if err := c.ask(service); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// query asks for one text.
func (s *Server) query(ctx context.Context, service string) (string, error) {
	c, err := s.request(ctx, service)
	if err != nil {
		return "", err
	}
	defer func() { _ = c.Close() }()
	return c.text()
}

// Version is the version of the server's protocol, "0029" for 1.0.41.
func (s *Server) Version(ctx context.Context) (string, error) { return s.query(ctx, "host:version") }

// Runs reports whether a server answers now. It starts none.
func (s *Server) Runs(ctx context.Context) bool {
	c, err := s.connect(ctx)
	if err == nil {
		_ = c.Close()
	}
	return err == nil
}

// Kill ends the server, for all its users.
func (s *Server) Kill(ctx context.Context) error {
	c, err := s.connect(ctx)
	if err != nil {
		return nil // there is none
	}
	defer func() { _ = c.Close() }()
	return c.ask("host:kill")
}

// Connect has the server connect to a phone on the network, such as 192.168.1.7:5555. A connection that is offline, as
// that to a phone that has started again, is made anew.
func (s *Server) Connect(ctx context.Context, address string) error {
	list, err := s.Phones(ctx)
	if err != nil {
		return err
	}
	if slices.ContainsFunc(list, func(l Listed) bool { return l.Serial == address && l.State == offline }) {
		if _, err := s.query(ctx, "host:disconnect:"+address); err != nil {
			return err
		}
	}
	said, err := s.query(ctx, "host:connect:"+address)
	if err != nil {
		return err
	}
	if !strings.HasPrefix(said, "connected to") && !strings.HasPrefix(said, "already connected") {
		return fault.New(fault.Unavailable, "connect to phone", "adb says: %.300s", said).
			WithHint("Is the phone on, in the same network, and does its wireless debugging listen at %s?", address)
	}
	return nil
}

// Phones lists the phones that the server knows, in whatever state.
func (s *Server) Phones(ctx context.Context) ([]Listed, error) {
	text, err := s.query(ctx, "host:devices-l")
	if err != nil {
		return nil, err
	}
	return parseList(text), nil
}

// Track calls changed with the list of phones, now and after each change, until ctx ends or the server is lost. It
// returns the reason.
func (s *Server) Track(ctx context.Context, changed func([]Listed)) error {
	c, err := s.request(ctx, "host:track-devices-l")
	if err != nil {
		return err
	}
	defer func() { _ = c.Close() }()
	for {
		text, err := c.text()
		if err != nil {
			return err
		}
		changed(parseList(text))
	}
}

// awaitTime is how long a phone may take to come back to a server that has just started.
const awaitTime = 10 * time.Second

// awaitTries is how often a server may be lost while Await waits on it.
const awaitTries = 3

// Await returns when the server has a phone ready, or why it has not. One on the network is connected to again.
// A server that is lost meanwhile is asked again, and started when it was of this machine.
func (s *Server) Await(ctx context.Context, serial string) error {
	ctx, cancel := context.WithTimeout(ctx, awaitTime)
	defer cancel()
	var unready, lost error
	for range awaitTries {
		if unready, lost = s.await(ctx, serial); lost == nil || ctx.Err() != nil {
			break
		}
	}
	if lost == nil || unready != nil {
		return unready
	}
	return fault.New(fault.Unavailable, "wait for phone", "%s does not come back to adb: %w", serial, lost).
		WithHint("`adb devices -l` shows what adb sees.")
}

// await is Await on a server that stays. It returns what the server last said of a phone that is not ready, and why
// nothing more is heard.
func (s *Server) await(ctx context.Context, serial string) (unready, lost error) {
	if strings.Contains(serial, ":") {
		if err := s.Connect(ctx, serial); err != nil {
			return err, err
		}
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	ready := false
	lost = s.Track(ctx, func(list []Listed) {
		unready = nil
		for _, l := range list {
			if l.Serial == serial {
				if unready = l.Unready(); unready == nil {
					ready = true
					cancel()
				}
			}
		}
	})
	if ready {
		return nil, nil
	}
	return unready, lost
}

// Listed is a phone as the server lists it.
type Listed struct {
	Serial  string
	State   string // Ready, "offline", "unauthorized", …
	Product string
	Model   string
	Device  string
}

// The states of a phone that takes commands and of one that does not answer.
const (
	Ready   = "device"
	offline = "offline"
)

// Unready says why a phone takes no commands and what to do about it, nil when it takes them.
func (l Listed) Unready() error {
	const op = "use phone"
	switch l.State {
	case Ready:
		return nil
	case "unauthorized":
		return fault.New(fault.Unavailable, op, "%s has not allowed this machine to debug it", l.Serial).
			WithHint("Unlock the phone and accept the question about USB debugging, then try again.")
	case offline:
		return fault.New(fault.Unavailable, op, "%s is offline", l.Serial).
			WithHint("Unplug it and plug it in again, or run `adb reconnect offline`.")
	case "no permissions":
		return fault.New(fault.Unavailable, op, "this user may not open the USB device of %s", l.Serial).
			WithHint("Install the udev rules for Android (Debian: apt install android-sdk-platform-tools-common), then " +
				"plug it in again.")
	}
	return fault.New(fault.Unavailable, op, "%s is in state %.40q", l.Serial, l.State).
		WithHint("`adb devices -l` shows when it is ready.")
}

// parseList reads the answer to devices-l: a line for each phone, its serial, its state, and pairs of key and value.
func parseList(text string) []Listed {
	var out []Listed
	for line := range strings.Lines(text) {
		serial, rest, ok := strings.Cut(strings.TrimSpace(line), " ")
		if t, r, tab := strings.Cut(strings.TrimSpace(line), "\t"); tab && len(t) < len(serial) {
			serial, rest, ok = t, r, true
		}
		if !ok || serial == "" {
			continue
		}
		l := Listed{Serial: serial}
		if rest = strings.TrimSpace(rest); strings.HasPrefix(rest, "no permissions") {
			rest = strings.TrimPrefix(rest, "no permissions")
			l.State = "no permissions"
		}
		for f := range strings.FieldsSeq(rest) {
			key, value, pair := strings.Cut(f, ":")
			switch {
			case !pair && l.State == "":
				l.State = f
			case key == "product":
				l.Product = value
			case key == "model":
				l.Model = value
			case key == "device":
				l.Device = value
			}
		}
		out = append(out, l)
	}
	return out
}

// Phone names one of the server's phones. It connects to nothing.
func (s *Server) Phone(serial string) *Phone { return &Phone{Serial: serial, server: s} }

// gone reports whether the server says that it has no such phone, or none that is ready.
func gone(said string) bool {
	for _, mark := range []string{
		"not found", "no such device", "offline", "unauthorized", "no devices", "still connecting", "closed",
	} {
		if strings.Contains(said, mark) {
			return true
		}
	}
	return false
}

// refusal is the reason that the server gives with FAIL.
type refusal struct{ said string }

func (r refusal) Error() string { return "adb says: " + r.said }

var okay, fail = []byte("OKAY"), []byte("FAIL")

func isOkay(b []byte) bool { return bytes.Equal(b, okay) }

// status reads OKAY, or FAIL and its reason.
func (c *conn) status() error {
	const op = "ask adb server"
	var head [4]byte
	if _, err := io.ReadFull(c.r, head[:]); err != nil {
		return c.err(err, op)
	}
	switch {
	case isOkay(head[:]):
		return nil
	case bytes.Equal(head[:], fail):
		said, err := c.text()
		if err != nil {
			return err
		}
		kind := fault.Invalid
		if gone(said) {
			kind = fault.Unavailable
		}
		return fault.Wrap(refusal{said}, kind, op)
	}
	return fault.New(fault.Unavailable, op, "the server answers %q, which is not the protocol of adb", head)
}
