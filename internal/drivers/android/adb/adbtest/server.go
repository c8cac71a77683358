// Package adbtest is an adb server whose phones are functions of a test: the host protocol, the shell protocol and the
// file service on a real socket, for machines without adb and without a phone. What it shows of a client is that the
// client speaks the protocol as this package does; the same tests run against the real server where there is one.
//
//	srv := adbtest.Start(t)
//	srv.Set(&adbtest.Phone{Serial: "p1", Shell: func(line string, in io.Reader, out, err io.Writer) int { … }})
//	client := adb.NewServer(srv.Env())
package adbtest

import (
	"bufio"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"maps"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
)

// Phone is a phone of the server. Its functions run on the goroutine of a connection.
type Phone struct {
	Serial   string
	State    string // "": device
	Model    string
	Features string // "": shell_v2,cmd
	// Shell carries out a line of the shell and returns its exit status.
	Shell func(line string, stdin io.Reader, stdout, stderr io.Writer) int
	// Socket answers a connection to a socket of the phone, such as localabstract:name; nil refuses it.
	Socket func(name string) func(net.Conn)

	mu    sync.Mutex
	files map[string][]byte
}

// File is what the phone has under a path.
func (p *Phone) File(path string) ([]byte, bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	b, ok := p.files[path]
	return b, ok
}

// Server is the stand-in of an adb server.
type Server struct {
	l *listen.Listener
	// Tracked, when a test sets it before the server is asked, is called when a client has had its first list.
	Tracked func()

	mu      sync.Mutex
	phones  []*Phone
	changed chan struct{} // closed and replaced at each change
	conns   map[net.Conn]bool
	closed  bool
	work    sync.WaitGroup
}

// Start starts a server without phones, which ends with the test.
func Start(t testing.TB) *Server {
	t.Helper()
	l, err := listen.TCP(context.Background(), 0)
	if err != nil {
		t.Fatal(err)
	}
	s := &Server{l: l, changed: make(chan struct{}), conns: map[net.Conn]bool{}}
	s.work.Go(s.serve)
	t.Cleanup(func() {
		_ = l.Close()
		s.Cut()
		s.mu.Lock()
		s.closed = true
		close(s.changed)
		s.mu.Unlock()
		s.work.Wait()
	})
	return s
}

// Env names the server in the environment of a client.
func (s *Server) Env(also ...string) func(string) string {
	vars := map[string]string{"ADB_SERVER_SOCKET": "tcp:" + s.l.Addr().String()}
	for i := 0; i+1 < len(also); i += 2 {
		vars[also[i]] = also[i+1]
	}
	return func(name string) string { return vars[name] }
}

// Set replaces the phones; those who track them get the new list.
func (s *Server) Set(phones ...*Phone) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.phones = phones
	close(s.changed)
	s.changed = make(chan struct{})
}

// Cut closes every connection, as a server does that dies.
func (s *Server) Cut() {
	s.mu.Lock()
	all := maps.Clone(s.conns)
	s.mu.Unlock()
	for c := range all {
		_ = c.Close()
	}
}

func (s *Server) serve() {
	for {
		c, err := s.l.Accept()
		if err != nil {
			return
		}
		s.mu.Lock()
		s.conns[c] = true
		s.mu.Unlock()
		s.work.Go(func() {
			s.answer(&link{Conn: c, r: bufio.NewReader(c)})
			_ = c.Close()
			s.mu.Lock()
			delete(s.conns, c)
			s.mu.Unlock()
		})
	}
}

// link is a connection whose reads are buffered.
type link struct {
	net.Conn
	r *bufio.Reader
}

func (c *link) Read(b []byte) (int, error) { return c.r.Read(b) }

func (c *link) okay()            { _, _ = io.WriteString(c, "OKAY") }
func (c *link) text(said string) { _, _ = fmt.Fprintf(c, "%04x%s", len(said), said) }
func (c *link) fail(said string) { _, _ = fmt.Fprintf(c, "FAIL%04x%s", len(said), said) }

// service reads a request.
func (c *link) service() (string, bool) {
	head := make([]byte, 4)
	if _, err := io.ReadFull(c.r, head); err != nil {
		return "", false
	}
	n, err := strconv.ParseUint(string(head), 16, 16)
	if err != nil {
		return "", false
	}
	b := make([]byte, n)
	_, err = io.ReadFull(c.r, b)
	return string(b), err == nil
}

func (s *Server) answer(c *link) {
	name, ok := c.service()
	if !ok {
		return
	}
	switch {
	case name == "host:version":
		c.okay()
		c.text("0029")
	case name == "host:devices-l":
		c.okay()
		list, _ := s.list()
		c.text(list)
	case name == "host:track-devices-l":
		c.okay()
		s.track(c)
	case strings.HasPrefix(name, "host:transport:"):
		s.phone(c, strings.TrimPrefix(name, "host:transport:"))
	case strings.HasPrefix(name, "host-serial:") && strings.HasSuffix(name, ":features"):
		p, why := s.find(strings.TrimSuffix(strings.TrimPrefix(name, "host-serial:"), ":features"))
		if p == nil {
			c.fail(why)
			return
		}
		c.okay()
		if p.Features == "" {
			c.text("shell_v2,cmd")
			return
		}
		c.text(p.Features)
	case strings.HasPrefix(name, "host:disconnect:"):
		c.fail("no such device '" + strings.TrimPrefix(name, "host:disconnect:") + "'")
	case strings.HasPrefix(name, "host:connect:"):
		c.okay()
		c.text("failed to connect to " + strings.TrimPrefix(name, "host:connect:"))
	default:
		c.fail("unknown host service")
	}
}

func (s *Server) list() (string, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var b strings.Builder
	for i, p := range s.phones {
		state := p.State
		if state == "" {
			state = "device"
		}
		_, _ = fmt.Fprintf(&b, "%-22s %s product:standin model:%s device:standin transport_id:%d\n",
			p.Serial, state, p.Model, i+1)
	}
	return b.String(), s.changed
}

func (s *Server) track(c *link) {
	gone := make(chan struct{})
	go func() {
		_, _ = c.r.ReadByte() // nothing comes but the end
		close(gone)
	}()
	for first := true; ; first = false {
		s.mu.Lock()
		closed := s.closed
		s.mu.Unlock()
		if closed {
			return
		}
		list, changed := s.list()
		c.text(list)
		if first && s.Tracked != nil {
			s.Tracked()
		}
		select {
		case <-changed:
		case <-gone:
			return
		}
	}
}

func (s *Server) find(serial string) (*Phone, string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range s.phones {
		switch {
		case p.Serial != serial:
		case p.State != "" && p.State != "device":
			return nil, "device " + p.State
		default:
			return p, ""
		}
	}
	return nil, "device '" + serial + "' not found"
}

// phone answers what is sent to the daemon of a phone.
func (s *Server) phone(c *link, serial string) {
	p, why := s.find(serial)
	if p == nil {
		c.fail(why)
		return
	}
	c.okay()
	name, ok := c.service()
	if !ok {
		return
	}
	kind, arg, _ := strings.Cut(name, ":")
	switch {
	case strings.HasPrefix(kind, "shell,v2") && p.Shell != nil:
		c.okay()
		p.shell(c, arg)
	case kind == "exec" && p.Shell != nil:
		c.okay()
		_ = p.Shell(arg, strings.NewReader(""), c, io.Discard)
	case kind == "sync":
		c.okay()
		p.sync(c)
	default:
		var serve func(net.Conn)
		if p.Socket != nil {
			serve = p.Socket(name)
		}
		if serve == nil {
			c.fail("closed")
			return
		}
		c.okay()
		serve(c)
	}
}

func (p *Phone) shell(c *link, line string) {
	in, feed := io.Pipe()
	go func() {
		defer func() { _ = feed.Close() }()
		head := make([]byte, 5)
		for {
			if _, err := io.ReadFull(c.r, head); err != nil || head[0] != 0 {
				return
			}
			if _, err := io.CopyN(feed, c.r, int64(binary.LittleEndian.Uint32(head[1:]))); err != nil {
				return
			}
		}
	}()
	exit := p.Shell(line, in, packets{c, 1}, packets{c, 2})
	_ = in.Close()
	_, _ = packets{c, 3}.Write([]byte{byte(exit)})
}

// packets writes one of the streams of the shell protocol.
type packets struct {
	c  *link
	id byte
}

// Write implements io.Writer.
func (p packets) Write(b []byte) (int, error) {
	head := binary.LittleEndian.AppendUint32([]byte{p.id}, uint32(len(b))) //nolint:gosec // small
	_, err := p.c.Write(append(head, b...))
	return len(b), err
}

func (p *Phone) sync(c *link) {
	head := make([]byte, 8)
	reply := func(id string, n int, data string) {
		_, _ = c.Write(append(binary.LittleEndian.AppendUint32([]byte(id), uint32(n)), data...)) //nolint:gosec // small
	}
	for {
		if _, err := io.ReadFull(c.r, head); err != nil {
			return
		}
		arg := make([]byte, binary.LittleEndian.Uint32(head[4:]))
		if _, err := io.ReadFull(c.r, arg); err != nil {
			return
		}
		switch string(head[:4]) {
		case "STAT":
			b, ok := p.File(string(arg))
			out := []byte("STAT")
			mode := uint32(0)
			if ok {
				mode = 0o100644
			}
			for _, v := range []uint32{mode, uint32(len(b)), 0} { //nolint:gosec // small
				out = binary.LittleEndian.AppendUint32(out, v)
			}
			_, _ = c.Write(out)
		case "SEND":
			path, _, _ := strings.Cut(string(arg), ",")
			var data []byte
			for {
				if _, err := io.ReadFull(c.r, head); err != nil {
					return
				}
				n := binary.LittleEndian.Uint32(head[4:])
				if string(head[:4]) == "DONE" {
					break
				}
				part := make([]byte, n)
				if _, err := io.ReadFull(c.r, part); err != nil {
					return
				}
				data = append(data, part...)
			}
			p.mu.Lock()
			if p.files == nil {
				p.files = map[string][]byte{}
			}
			p.files[path] = data
			p.mu.Unlock()
			reply("OKAY", 0, "")
		case "RECV":
			b, ok := p.File(string(arg))
			if !ok {
				reply("FAIL", len("No such file or directory"), "No such file or directory")
				continue
			}
			for len(b) > 0 {
				n := min(len(b), 64<<10)
				reply("DATA", n, string(b[:n]))
				b = b[n:]
			}
			reply("DONE", 0, "")
		default:
			return
		}
	}
}
