package adb_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb"
	"github.com/trailblaze-dev/trailblaze/internal/drivers/android/adb/adbtest"
	"github.com/trailblaze-dev/trailblaze/internal/ground/testtime/waittest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// standIn is a phone with a shell of a few words.
func standIn() *adbtest.Phone {
	p := &adbtest.Phone{Serial: "p1", Model: "Stand_in"}
	p.Shell = func(line string, stdin io.Reader, stdout, stderr io.Writer) int {
		switch {
		case line == "echo out; echo err >&2; exit 7":
			_, _ = io.WriteString(stdout, "out\n")
			_, _ = io.WriteString(stderr, "err\n")
			return 7
		case line == "cat":
			_, _ = io.Copy(stdout, stdin)
			return 0
		case strings.HasPrefix(line, "echo "):
			_, _ = io.WriteString(stdout, strings.Trim(strings.TrimPrefix(line, "echo "), "'")+"\n")
			return 0
		}
		return 127
	}
	p.Socket = func(name string) func(net.Conn) {
		if name != "localabstract:echo" {
			return nil
		}
		return func(c net.Conn) { _, _ = io.Copy(c, c) }
	}
	return p
}

// phones are the phones to test on: the stand-in, and the one that TRAILBLAZE_PHONE names behind the real adb server.
func phones(t *testing.T, run func(t *testing.T, s *adb.Server, p *adb.Phone)) {
	t.Run("stand-in", func(t *testing.T) {
		srv := adbtest.Start(t)
		srv.Set(standIn())
		s := adb.NewServer(srv.Env())
		run(t, s, s.Phone("p1"))
	})
	t.Run("real adb", func(t *testing.T) {
		serial := os.Getenv("TRAILBLAZE_PHONE")
		if serial == "" {
			t.Skip("no phone: TRAILBLAZE_PHONE names none")
		}
		s := adb.NewServer(os.Getenv)
		run(t, s, s.Phone(serial))
	})
}

func TestShell(t *testing.T) {
	phones(t, func(t *testing.T, _ *adb.Server, p *adb.Phone) {
		res, err := p.Shell(t.Context(), adb.Command{Line: "echo out; echo err >&2; exit 7"})
		if err != nil || string(res.Stdout) != "out\n" || string(res.Stderr) != "err\n" || res.Exit != 7 {
			t.Errorf("%+v, %v", res, err)
		}
		big := strings.Repeat("0123456789", 30_000)
		res, err = p.Shell(t.Context(), adb.Command{Line: "cat", Stdin: strings.NewReader(big)})
		if err != nil || string(res.Stdout) != big {
			t.Errorf("stdin of %d bytes came back as %d: %v", len(big), len(res.Stdout), err)
		}
		if _, err := p.Shell(t.Context(), adb.Command{Line: "cat", Stdin: strings.NewReader(big), Max: 1000}); fault.KindOf(err) != fault.Invalid {
			t.Errorf("more output than allowed: %v", err)
		}
		out, err := adb.Exec(t.Context(), p, "echo "+adb.Quote("it's"))
		if err != nil || !strings.HasPrefix(string(out), "it") {
			t.Errorf("exec gives %q, %v", out, err)
		}
		if _, err := adb.Run(t.Context(), p, "no-such-program"); err == nil || !strings.Contains(err.Error(), "status 127") {
			t.Errorf("a command that is not there: %v", err)
		}
	})
}

func TestFiles(t *testing.T) {
	phones(t, func(t *testing.T, _ *adb.Server, p *adb.Phone) {
		const path = "/data/local/tmp/trailblaze-test"
		data := bytes.Repeat([]byte("abc\x00"), 100_000)
		if err := p.Push(t.Context(), path, 0o644, bytes.NewReader(data)); err != nil {
			t.Fatal(err)
		}
		f, err := p.Stat(t.Context(), path)
		if err != nil || !f.Exists() || int(f.Size) != len(data) {
			t.Errorf("stat: %+v, %v", f, err)
		}
		var got bytes.Buffer
		if err := p.Pull(t.Context(), path, &got, 1<<20); err != nil || !bytes.Equal(got.Bytes(), data) {
			t.Errorf("pulled %d of %d bytes: %v", got.Len(), len(data), err)
		}
		if err := p.Pull(t.Context(), path, io.Discard, 1000); fault.KindOf(err) != fault.Invalid {
			t.Errorf("a file larger than allowed: %v", err)
		}
		if f, err := p.Stat(t.Context(), path+"-none"); err != nil || f.Exists() {
			t.Errorf("stat of no file: %+v, %v", f, err)
		}
		if err := p.Pull(t.Context(), path+"-none", io.Discard, 1000); err == nil || !strings.Contains(err.Error(), "pull "+path) {
			t.Errorf("pull of no file: %v", err)
		}
	})
}

func TestList(t *testing.T) {
	phones(t, func(t *testing.T, s *adb.Server, p *adb.Phone) {
		list, err := s.Phones(t.Context())
		if err != nil || len(list) == 0 || list[0].Serial != p.Serial || list[0].State != adb.Ready || list[0].Model == "" {
			t.Errorf("%+v, %v", list, err)
		}
		if v, err := s.Version(t.Context()); err != nil || len(v) != 4 {
			t.Errorf("version %q, %v", v, err)
		}
		_, err = adb.Run(t.Context(), s.Phone("nowhere"), "echo hi")
		if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "not found") {
			t.Errorf("a phone that is not there: %v", err)
		}
	})
}

// A phone that the server forgets while it is to be connected anew is gone; its caller has made no mistake.
func TestConnectGone(t *testing.T) {
	srv := adbtest.Start(t)
	const address = "127.0.0.1:5555"
	srv.Set(&adbtest.Phone{Serial: address, State: "offline"})
	err := adb.NewServer(srv.Env()).Connect(t.Context(), address)
	if fault.KindOf(err) != fault.Unavailable || !strings.Contains(err.Error(), "no such device") {
		t.Errorf("%v (%s)", err, fault.KindOf(err))
	}
}

// The list of phones comes at once and after each change; the end of the context or of the server ends the tracking.
func TestTrack(t *testing.T) {
	srv := adbtest.Start(t)
	s := adb.NewServer(srv.Env())
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	lists, ended := make(chan []adb.Listed, 10), make(chan error, 1)
	go func() { ended <- s.Track(ctx, func(l []adb.Listed) { lists <- l }) }()
	next := func() []adb.Listed { return waittest.Await(t, lists, "the list of phones") }
	if l := next(); len(l) != 0 {
		t.Errorf("before: %+v", l)
	}
	srv.Set(&adbtest.Phone{Serial: "p1", State: "unauthorized"})
	if l := next(); len(l) != 1 || l[0].State != "unauthorized" || fault.HintOf(l[0].Unready()) == "" {
		t.Errorf("unauthorized: %+v", l)
	}
	srv.Set(standIn())
	if l := next(); len(l) != 1 || l[0].Unready() != nil {
		t.Errorf("ready: %+v", l)
	}
	cancel()
	if err := waittest.Await(t, ended, "the end of tracking"); !errors.Is(err, context.Canceled) {
		t.Errorf("ended with %v", err)
	}
	go func() { ended <- s.Track(t.Context(), func(l []adb.Listed) { lists <- l }) }()
	next()
	srv.Cut()
	if err := waittest.Await(t, ended, "the end of tracking"); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("the server died: %v", err)
	}
}

// A server that is lost while a phone is waited for is asked again. One that is lost each time is given up.
func TestAwaitOutlivesServer(t *testing.T) {
	srv, asked, ended := adbtest.Start(t), make(chan struct{}, 9), make(chan error, 1)
	srv.Tracked = func() { asked <- struct{}{} }
	s := adb.NewServer(srv.Env())
	lose := func(times int) {
		go func() { ended <- s.Await(t.Context(), "p1") }()
		for range times {
			waittest.Await(t, asked, "the list is asked for")
			srv.Cut()
		}
	}
	lose(2)
	waittest.Await(t, asked, "the list is asked for again")
	srv.Set(standIn())
	if err := waittest.Await(t, ended, "the phone is ready"); err != nil {
		t.Error(err)
	}
	srv.Set()
	lose(3)
	if err := waittest.Await(t, ended, "the wait ends"); fault.KindOf(err) != fault.Unavailable {
		t.Error(err)
	}
}

// A connection to a socket of the phone ends with its context.
func TestDial(t *testing.T) {
	srv := adbtest.Start(t)
	srv.Set(standIn())
	p := adb.NewServer(srv.Env()).Phone("p1")
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	c, err := p.Dial(ctx, "localabstract:echo")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = c.Close() }()
	b := make([]byte, 5)
	if _, err := c.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(c, b); err != nil || string(b) != "hello" {
		t.Errorf("%q, %v", b, err)
	}
	cancel()
	if _, err := c.Read(b); err == nil {
		t.Error("the connection outlives its context")
	}
	if _, err := p.Dial(t.Context(), "localabstract:other"); fault.KindOf(err) != fault.Unavailable {
		t.Errorf("no such socket: %v", err)
	}
}

// A phone that does not answer does not outlast the deadline of a call.
func TestDeadline(t *testing.T) {
	srv := adbtest.Start(t)
	hang := make(chan struct{})
	srv.Set(&adbtest.Phone{Serial: "p1", Shell: func(string, io.Reader, io.Writer, io.Writer) int { <-hang; return 0 }})
	defer close(hang)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := adb.Run(ctx, adb.NewServer(srv.Env()).Phone("p1"), "hang"); fault.KindOf(err) != fault.Timeout {
		t.Errorf("got %v", err)
	}
}

func TestAddress(t *testing.T) {
	for _, tt := range []struct{ name, env, value, want string }{
		{"none", "", "", "127.0.0.1:5037"},
		{"port", "ANDROID_ADB_SERVER_PORT", "6000", "127.0.0.1:6000"},
		{"address", "ANDROID_ADB_SERVER_ADDRESS", "host", "host:5037"},
		{"socket with a port", "ADB_SERVER_SOCKET", "tcp:6001", "127.0.0.1:6001"},
		{"socket with a host", "ADB_SERVER_SOCKET", "tcp:host:6002", "host:6002"},
		{"socket with IPv6", "ADB_SERVER_SOCKET", "tcp:[::1]:6003", "[::1]:6003"},
		{"a file", "ADB_SERVER_SOCKET", "localfilesystem:/tmp/adb", "/tmp/adb"},
	} {
		s := adb.NewServer(func(name string) string {
			if name == tt.env {
				return tt.value
			}
			return ""
		})
		if got := s.Address(); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}

// A server that is elsewhere is not started here; one of this machine is, with the real program.
func TestStart(t *testing.T) {
	far := adb.NewServer(func(name string) string {
		return map[string]string{"ADB_SERVER_SOCKET": "tcp:192.0.2.1:1"}[name]
	})
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	if _, err := far.Version(ctx); err == nil {
		t.Error("a server answers in a network that is for documentation")
	}
	if _, err := adb.Find(nil); err != nil {
		t.Skipf("the real server was not started: %v", err)
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := l.Addr().String()
	_ = l.Close()
	s := adb.NewServer(func(name string) string { return map[string]string{"ADB_SERVER_SOCKET": "tcp:" + address}[name] })
	if v, err := s.Version(t.Context()); err != nil || v == "" {
		t.Fatalf("version %q, %v", v, err)
	}
	if err := s.Kill(t.Context()); err != nil {
		t.Error(err)
	}
}
