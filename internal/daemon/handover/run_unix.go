//go:build unix

package handover

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"

	"golang.org/x/sys/unix"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/boot"
	"github.com/trailblaze-dev/trailblaze/internal/homedir"
)

const (
	silence   = 15 // seconds without a frame; the daemon sends a sign of life every five
	afterStop = 2  // the same, once somebody has ended the command
)

// Run has the daemon run a command line, and returns its status. When it is not done, this process has to carry it out,
// or, with Lost set, to say what became of it. Run uses plain system calls: package net would be initialized late.
func Run(args []string) (status int, done bool) {
	home, err := homedir.Of(os.Getenv)
	if err != nil {
		return 0, false
	}
	build, err := boot.Build()
	if err != nil {
		return 0, false
	}
	place := boot.PlaceOf(home, build)
	b, err := boot.Read(place)
	if err != nil || b.Build != build || b.Socket == "" {
		return 0, false
	}
	// the daemon stands in another folder
	env := append([]string{homedir.Env + "=" + home}, homedir.Absolute(os.Environ())...)
	me := Request{Caller: Here(), Args: args, Environ: env}
	body := me.Encode()
	if me.Dir == "" || len(body) > MaxRequest {
		return 0, false
	}
	conn, fd := dial(b.Socket)
	if conn == nil {
		return 0, false
	}
	defer func() { _ = conn.Close() }()
	head := "POST " + Path + " HTTP/1.0\r\nHost: trailblaze\r\nAuthorization: Bearer " + b.Token +
		"\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n"
	if _, err := conn.Write(append([]byte(head), body...)); err != nil {
		return 0, false // the daemon runs no command that it has not read to its end
	}
	in := &answer{from: conn}
	stopped := make(chan os.Signal, 1)
	signal.Notify(stopped, os.Interrupt, syscall.SIGTERM)
	var listening sync.WaitGroup
	listening.Go(func() {
		if _, ok := <-stopped; ok {
			in.interrupted.Store(true)
			signal.Reset(os.Interrupt, syscall.SIGTERM) // the second one ends the process
			_ = syscall.Shutdown(fd, syscall.SHUT_WR)   // which ends the command
		}
	})
	status, err = in.copy()
	signal.Stop(stopped)
	close(stopped)
	listening.Wait()
	if err != nil && (!errors.Is(err, errNotBegun) || in.interrupted.Load()) {
		Lost = &Failure{Boot: *b, Place: place, Err: err, Interrupted: in.interrupted.Load()}
	}
	return status, err == nil
}

// dial connects to a socket, with bounds for waiting.
func dial(path string) (*os.File, int) {
	fd, err := syscall.Socket(syscall.AF_UNIX, syscall.SOCK_STREAM, 0)
	if err != nil {
		return nil, 0
	}
	second := syscall.Timeval{Sec: 1}
	for _, option := range []int{syscall.SO_RCVTIMEO, syscall.SO_SNDTIMEO} {
		if err == nil {
			err = syscall.SetsockoptTimeval(fd, syscall.SOL_SOCKET, option, &second)
		}
	}
	if err == nil {
		err = syscall.Connect(fd, &syscall.SockaddrUnix{Name: path})
	}
	if err != nil {
		_ = syscall.Close(fd)
		return nil, 0
	}
	return os.NewFile(uintptr(fd), path), fd
}

// errNotBegun means that the daemon did not begin with the command, and will not.
var errNotBegun = errors.New("not begun")

// answer is what the daemon says of the command.
type answer struct {
	from        *os.File
	interrupted atomic.Bool
}

// Read implements io.Reader.
func (a *answer) Read(p []byte) (int, error) {
	for quiet := 1; ; quiet++ {
		n, err := a.from.Read(p)
		if !errors.Is(err, syscall.EAGAIN) {
			return n, err
		}
		if quiet >= silence || a.interrupted.Load() && quiet >= afterStop {
			return 0, ErrSilent
		}
	}
}

// copy passes on what the command prints and returns its status.
func (a *answer) copy() (code int, err error) {
	in := bufio.NewReaderSize(a, MaxFrame)
	line, err := in.ReadString('\n')
	if err == nil && !strings.Contains(line, " 200 ") || line == "" && !errors.Is(err, ErrSilent) {
		return 0, errNotBegun
	}
	for err == nil && line != "\r\n" {
		line, err = in.ReadString('\n')
	}
	buf := make([]byte, MaxFrame)
	for err == nil {
		var kind byte
		if kind, err = in.ReadByte(); err != nil {
			break
		}
		switch kind {
		case Sign:
		case End:
			status, err := in.ReadByte()
			return int(status), err
		default:
			var text []byte
			if text, err = frame(in, buf); err != nil {
				break
			}
			to := os.Stdout
			if kind == Err {
				to = os.Stderr
			}
			if _, e := to.Write(text); !errors.Is(e, syscall.EPIPE) { // a reader that went away is no error of ours
				err = fault.Wrap(e, fault.Unavailable, "print")
			}
		}
	}
	return 0, err
}

// frame reads the rest of a frame of output into buf.
func frame(in io.Reader, buf []byte) ([]byte, error) {
	if _, err := io.ReadFull(in, buf[:4]); err != nil {
		return nil, err
	}
	n := binary.BigEndian.Uint32(buf)
	if n > MaxFrame {
		return nil, errors.New("a frame is too large")
	}
	_, err := io.ReadFull(in, buf[:n])
	return buf[:n], err
}

// tab names the terminal this process belongs to, "" when it belongs to none. It is the session of the shell: its
// leader's process id, and, because those come round again, when the leader was started.
func tab() string {
	tty, err := os.Open("/dev/tty")
	if err != nil {
		return ""
	}
	_ = tty.Close()
	leader, err := unix.Getsid(0)
	if err != nil {
		return ""
	}
	return strconv.Itoa(leader) + " " + started(leader)
}

// started is when a process began, in the system's own terms, "" where the system does not say it cheaply.
func started(pid int) string {
	if runtime.GOOS != "linux" {
		return ""
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return ""
	}
	_, rest, _ := bytes.Cut(stat, []byte(") ")) // the name before may hold anything
	fields := bytes.Fields(rest)
	if len(fields) < 20 {
		return ""
	}
	return string(fields[19])
}
