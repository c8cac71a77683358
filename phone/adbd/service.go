package adbd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
)

// serve runs the service that a host has opened. A service that there is none of ends at once: the host says "closed".
func (c *conn) serve(s *stream, name string) {
	c.server.log.Debug("open", "service", name)
	kind, rest, _ := strings.Cut(name, ":")
	switch {
	case strings.HasPrefix(kind, "shell,v2"):
		c.shell(s, rest, !strings.Contains(kind, ",pty"))
	case kind == "shell", strings.HasPrefix(kind, "shell,"):
		c.server.options.Run(s.ctx, Command{Line: rest, Stdin: s, Stdout: s, Stderr: s, Raw: strings.Contains(kind, ",raw")})
	case kind == "exec":
		c.server.options.Run(s.ctx, Command{Line: rest, Stdin: s, Stdout: s, Stderr: io.Discard, Raw: true})
	case kind == "sync":
		if err := newFiles(c.server.options.Folder, s).serve(); err != nil && !errors.Is(err, io.EOF) {
			c.server.log.Debug("sync", "err", err)
		}
	case kind == "reverse":
		c.reverseService(s, rest)
	case kind == "reboot":
		if c.server.options.Reboot == nil {
			_, _ = io.WriteString(s, "this device cannot reboot\n")
		} else if err := c.server.options.Reboot(s.ctx, rest); err != nil {
			_, _ = fmt.Fprintln(s, err)
		}
	case kind == "root":
		_, _ = io.WriteString(s, "adbd cannot run as root in production builds\n")
	case kind == "unroot":
		_, _ = io.WriteString(s, "adbd not running as root\n")
	case kind == "remount", kind == "tcpip", kind == "usb", kind == "disable-verity", kind == "enable-verity":
		_, _ = fmt.Fprintf(s, "%s: this device cannot do that\n", kind)
	default:
		c.connect(s, name)
	}
}

// connect joins the stream with a socket of the device.
func (c *conn) connect(s *stream, name string) {
	if c.server.options.Dial == nil {
		return
	}
	to, err := c.server.options.Dial(s.ctx, name)
	if err != nil {
		c.server.log.Debug("connect", "socket", name, "err", err)
		return
	}
	join(s, to)
}

// The packets of shell_v2.
const (
	shellStdin      = 0
	shellStdout     = 1
	shellStderr     = 2
	shellExit       = 3
	shellCloseStdin = 4
)

// shellWriter writes one stream of a command as packets of shell_v2.
type shellWriter struct {
	to   io.Writer
	kind byte
	mu   *sync.Mutex
}

func (w shellWriter) Write(b []byte) (int, error) {
	p := binary.LittleEndian.AppendUint32([]byte{w.kind}, uint32(len(b)))
	w.mu.Lock()
	defer w.mu.Unlock()
	if _, err := w.to.Write(append(p, b...)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// shell runs a command, and sends its streams and its exit status apart.
func (c *conn) shell(s *stream, line string, raw bool) {
	in, feed := io.Pipe()
	read := make(chan struct{})
	go func() {
		defer close(read)
		_ = feed.CloseWithError(feedStdin(s, feed))
	}()
	var mu sync.Mutex
	status := c.server.options.Run(s.ctx, Command{Line: line, Stdin: in, Raw: raw,
		Stdout: shellWriter{s, shellStdout, &mu}, Stderr: shellWriter{s, shellStderr, &mu}})
	_ = in.Close()
	_, _ = shellWriter{s, shellExit, &mu}.Write([]byte{byte(status)})
	_ = s.Close()
	<-read
}

// feedStdin passes on what the host types until it closes the input.
func feedStdin(s io.Reader, to io.Writer) error {
	var h [5]byte
	for {
		if _, err := io.ReadFull(s, h[:]); err != nil {
			return err
		}
		n := binary.LittleEndian.Uint32(h[1:])
		if n > maxPayload {
			return fmt.Errorf("read stdin: a packet of %d bytes", n)
		}
		b := make([]byte, n)
		if _, err := io.ReadFull(s, b); err != nil {
			return err
		}
		switch h[0] {
		case shellStdin:
			if _, err := to.Write(b); err != nil {
				to = io.Discard // the command reads no more
			}
		case shellCloseStdin:
			return io.EOF
		}
	}
}

// join copies between two connections until both directions have ended or one is closed.
func join(a, b io.ReadWriteCloser) {
	var wait sync.WaitGroup
	wait.Go(func() {
		_, _ = io.Copy(a, b)
		_ = a.Close()
	})
	_, _ = io.Copy(b, a)
	_ = b.Close()
	wait.Wait()
}
