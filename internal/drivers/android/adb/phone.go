package adb

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Device is a phone whose programs, files and sockets are in reach: a Phone through the adb server, and on the phone
// itself a local.Phone.
type Device interface {
	Shell(ctx context.Context, cmd Command) (*Result, error)
	Stream(ctx context.Context, line string) (io.ReadCloser, error)
	Dial(ctx context.Context, socket string) (io.ReadWriteCloser, error)
	Stat(ctx context.Context, path string) (File, error)
	Push(ctx context.Context, path string, mode fs.FileMode, data io.Reader) error
}

var _ Device = (*Phone)(nil)

// Phone is one phone behind the server.
type Phone struct {
	Serial string
	server *Server

	mu       sync.Mutex
	features []string
}

// open opens a service of the phone's own daemon.
func (p *Phone) open(ctx context.Context, service string) (*conn, error) {
	c, err := p.server.request(ctx, "host:transport:"+p.Serial)
	if err != nil {
		return nil, err
	}
	if err := c.ask(service); err != nil {
		_ = c.Close()
		return nil, err
	}
	return c, nil
}

// Dial connects to a socket on the phone, such as localabstract:name or tcp:1234. No port of this machine is opened, so
// that no other program of it can connect. The connection is closed when ctx ends.
func (p *Phone) Dial(ctx context.Context, socket string) (io.ReadWriteCloser, error) {
	c, err := p.open(ctx, socket)
	if err != nil {
		return nil, fault.Wrap(err, "", "connect to "+socket)
	}
	return c, nil
}

// Forward has the server listen on a free port of this machine and pass its connections on to a socket of the phone. It
// returns the port, and the function that ends it.
func (p *Phone) Forward(ctx context.Context, socket string) (port string, end func(context.Context) error, err error) {
	const op = "forward a port"
	ask := func(ctx context.Context, service string) (*conn, error) {
		c, err := p.server.request(ctx, "host-serial:"+p.Serial+":"+service)
		if err != nil {
			return nil, fault.Wrap(err, "", op)
		}
		if err := c.status(); err != nil { // the first OKAY says that the phone is there, the second that it is done
			_ = c.Close()
			return nil, fault.Wrap(err, "", op)
		}
		return c, nil
	}
	c, err := ask(ctx, "forward:tcp:0;"+socket)
	if err != nil {
		return "", nil, err
	}
	defer func() { _ = c.Close() }()
	if port, err = c.text(); err != nil {
		return "", nil, err
	}
	return port, func(ctx context.Context) error {
		c, err := ask(ctx, "killforward:tcp:"+port)
		if err != nil {
			return err
		}
		return c.Close()
	}, nil
}

// has reports whether the phone's daemon has a feature. It asks once.
func (p *Phone) has(ctx context.Context, feature string) (bool, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.features == nil {
		text, err := p.server.query(ctx, "host-serial:"+p.Serial+":features")
		if err != nil {
			return false, err
		}
		p.features = strings.Split(text, ",")
	}
	return slices.Contains(p.features, feature), nil
}

// Command is a line for the phone's shell.
type Command struct {
	Line  string
	Stdin io.Reader // nil: empty; an io.Closer is closed when the line has ended
	Max   int       // bytes of output that are kept; 0: 16 MiB
	Out   io.Writer // gets stdout as it comes; nil: Result keeps it
}

// Result is what a command left.
type Result struct {
	Stdout, Stderr []byte
	Exit           int
}

const defaultMax = 16 << 20

// The kinds of packets of the shell protocol, version 2.
const (
	packetStdin  = 0
	packetStdout = 1
	packetStderr = 2
	packetExit   = 3
	packetClose  = 3 // to the phone: stdin ends
	maxPacket    = 1 << 20
)

// Shell runs a line in the phone's shell, stdout apart from stderr, and returns when it has ended. A status other than
// 0 is no error.
func (p *Phone) Shell(ctx context.Context, cmd Command) (*Result, error) {
	const op = "run a command on the phone"
	ok, err := p.has(ctx, "shell_v2")
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	if !ok {
		return nil, fault.New(fault.Unsupported, op, "%s does not say how commands end", p.Serial).
			WithHint("Android 7 or newer is needed.")
	}
	c, err := p.open(ctx, "shell,v2,raw:"+cmd.Line)
	if err != nil {
		return nil, fault.Wrap(err, "", op)
	}
	defer func() { _ = c.Close() }()
	var feeding sync.WaitGroup
	defer feeding.Wait()
	defer func() { // so that a read and a write of stdin end
		_ = c.Conn.Close()
		if in, ok := cmd.Stdin.(io.Closer); ok {
			_ = in.Close()
		}
	}()
	feeding.Go(func() { feed(c, cmd.Stdin) })
	res, err := readShell(c.r, cmd.Max, cmd.Out)
	return res, c.err(err, op)
}

// feed sends stdin, then its end. An error is that of the connection, which the reader meets, too.
func feed(w io.Writer, stdin io.Reader) {
	buf := make([]byte, 5+32<<10)
	for stdin != nil {
		n, err := stdin.Read(buf[5:])
		if n > 0 {
			buf[0] = packetStdin
			binary.LittleEndian.PutUint32(buf[1:], uint32(n)) //nolint:gosec // n is less than the buffer
			if _, err := w.Write(buf[:5+n]); err != nil {
				return
			}
		}
		if err != nil {
			break
		}
	}
	_, _ = w.Write([]byte{packetClose, 0, 0, 0, 0})
}

// readShell reads the packets of a command up to its exit status.
func readShell(r io.Reader, most int, out io.Writer) (*Result, error) {
	if most == 0 {
		most = defaultMax
	}
	res := &Result{}
	var head [5]byte
	for {
		if _, err := io.ReadFull(r, head[:]); err != nil {
			return nil, fmt.Errorf("the command was cut off: %w", err)
		}
		n := binary.LittleEndian.Uint32(head[1:])
		if n > maxPacket {
			return nil, fmt.Errorf("a packet of %d bytes is larger than the protocol has", n)
		}
		data := make([]byte, n)
		if _, err := io.ReadFull(r, data); err != nil {
			return nil, fmt.Errorf("the command was cut off: %w", err)
		}
		switch head[0] {
		case packetStdout:
			if out == nil {
				res.Stdout = append(res.Stdout, data...)
			} else if _, err := out.Write(data); err != nil {
				return nil, err
			}
		case packetStderr:
			res.Stderr = append(res.Stderr, data...)
		case packetExit:
			if len(data) != 1 {
				return nil, fmt.Errorf("an exit status of %d bytes", len(data))
			}
			res.Exit = int(data[0])
			return res, nil
		}
		if len(res.Stdout)+len(res.Stderr) > most {
			return nil, fault.New(fault.Invalid, "read the command's output", "it printed more than %d bytes", most).
				WithHint("Have it print less, or write to a file and pull that.")
		}
	}
}

// Run runs a line and returns what it printed; another exit status than 0 is an error with what it said.
func Run(ctx context.Context, d Device, line string) (string, error) {
	res, err := d.Shell(ctx, Command{Line: line})
	if err != nil {
		return "", err
	}
	if res.Exit != 0 {
		said := strings.TrimSpace(string(res.Stderr) + " " + string(res.Stdout))
		return "", fault.New(fault.Unavailable, "run a command on the phone",
			"`%.80s` ended with status %d: %.400s", line, res.Exit, said)
	}
	return string(res.Stdout), nil
}

// Exec runs a line whose output is bytes, such as screencap. The protocol does not say how the line ended.
func Exec(ctx context.Context, d Device, line string) ([]byte, error) {
	out, err := d.Stream(ctx, line)
	if err != nil {
		return nil, err
	}
	defer func() { _ = out.Close() }()
	data, err := io.ReadAll(io.LimitReader(out, 4*defaultMax))
	if ctx.Err() != nil {
		err = context.Cause(ctx)
	}
	return data, fault.Wrap(err, fault.Unavailable, "run a command on the phone")
}

// Stream runs a line whose output goes on, such as logcat, until ctx ends or the line does.
func (p *Phone) Stream(ctx context.Context, line string) (io.ReadCloser, error) {
	c, err := p.open(ctx, "exec:"+line)
	if err != nil {
		return nil, fault.Wrap(err, "", "run a command on the phone")
	}
	return c, nil
}

// Quote writes an argument for the phone's shell.
func Quote(arg string) string {
	if arg != "" && strings.IndexFunc(arg, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' ||
			strings.ContainsRune("_-./:=,@%+", r))
	}) < 0 {
		return arg
	}
	return "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
}
