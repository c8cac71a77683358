package extern

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/memory"
)

const (
	maxMessage = 16 << 20         // of a server
	maxNoise   = 1000             // lines in a row on stdout that are no messages
	writeTime  = 10 * time.Second // to take a message from us
)

// startStdio starts the process of the server and shakes hands over its stdin and stdout.
func (s *Server) startStdio(ctx context.Context) (*connection, error) {
	c := &connection{name: s.c.Title(), output: &proc.Tail{}, handed: s.handed, stdio: true}
	stdin, toServer, err := os.Pipe()
	if err != nil {
		return nil, fault.Wrap(err, fault.Unavailable, "start "+s.c.Title())
	}
	fromServer, stdout, err := os.Pipe()
	if err != nil {
		_, _ = stdin.Close(), toServer.Close()
		return nil, fault.Wrap(err, fault.Unavailable, "start "+s.c.Title())
	}
	err = s.start(c, s.c.Args, stdin, stdout)
	_, _ = stdin.Close(), stdout.Close() // the process has its own
	if err != nil {
		_, _ = toServer.Close(), fromServer.Close()
		return nil, err
	}
	pipe := &stdio{
		to: toServer, from: fromServer, reader: bufio.NewReaderSize(fromServer, 64<<10), noise: c.output, handed: s.handed,
	}
	c.why, c.lost, c.finish = pipe.why, pipe.ended.Load, func() {
		_ = toServer.Close() // a server ends when its stdin does
		c.end()
		_ = fromServer.Close()
	}
	return s.shake(ctx, c, pipe)
}

// end gives the process a moment to end, then kills it and its children.
func (c *connection) end() {
	t := time.NewTimer(stopTime)
	defer t.Stop()
	select {
	case <-c.process.Done():
	case <-t.C:
		c.process.Kill()
	}
}

// shake shakes hands over a transport. On failure it ends the connection.
func (s *Server) shake(ctx context.Context, c *connection, over mcp.Transport) (*connection, error) {
	session, err := s.client().Connect(ctx, over, &mcp.ClientSessionOptions{ProtocolVersion: protocol})
	if err == nil {
		c.follow(session)
		return c, nil
	}
	if ctx.Err() != nil {
		err = fault.New(fault.Timeout, "", "%w (%v)", context.Cause(ctx), s.startTime())
	}
	err = c.failed("handshake", err)
	c.stop()
	return nil, err
}

// start starts the server's command as the process of a connection, in a group of its own.
func (s *Server) start(c *connection, args []string, stdin, stdout *os.File) error {
	if s.c.Script != nil {
		if err := s.c.Script.Ready(); err != nil {
			return err
		}
	}
	spec := proc.Spec{
		Path: s.c.Command, Args: args, Dir: filepath.Join(s.o.Root, filepath.FromSlash(s.c.Dir)), Env: s.environ(c),
		Stderr: c.output,
	}
	if stdin != nil {
		spec.Stdin, spec.Stdout = stdin, stdout
	} else {
		spec.Stdout = c.output
	}
	var err error
	if c.process, err = proc.Start(spec); err != nil {
		c.revokeToken()
		return fault.New(fault.Invalid, "start "+s.c.Title(), "%w", err).
			WithHint("Check the command in %s: is the program installed, and is it found from %s? "+
				"When it is, reload the tools.", s.place(), spec.Dir)
	}
	return nil
}

// place returns the place in which the server is declared.
func (s *declaration) place() string { return cmp.Or(s.c.Place, "the configuration") }

// secretPrefix begins the variables that hold secrets. No tool process gets one.
const secretPrefix = "TRAILBLAZE_SECRET_"

// environ returns the environment of the process: the variables that every program needs, those of the configuration,
// and the address to call back.
func (s *Server) environ(c *connection) []string {
	// Bytecode that Python writes beside its files would change the trusted content.
	out := append(proc.Env(os.Environ(), nil), "PYTHONDONTWRITEBYTECODE=1")
	if s.o.BaseURL != nil {
		if url := s.o.BaseURL(); url != "" {
			out = append(out, "TRAILBLAZE_BASE_URL="+url)
			if s.o.Grant != nil {
				var token string
				token, c.revoke = s.o.Grant(func(id string) []string { return s.within(c, id) })
				out = append(out, "TRAILBLAZE_CALLBACK_TOKEN="+token)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(s.c.Env)) {
		if !strings.HasPrefix(strings.ToUpper(name), secretPrefix) {
			out = append(out, name+"="+s.c.Env[name])
		}
	}
	return out
}

// stdio is a transport of lines over the stdin and stdout of a process. Lines that are no messages are kept with the
// process's stderr, because many a library prints where it should not.
type stdio struct {
	to, from *os.File
	reader   *bufio.Reader
	noise    io.Writer
	handed   *memory.Store // secrets that the process was given
	noisy    int           // lines in a row

	writing sync.Mutex
	ended   atomic.Bool           // nothing more is read
	cause   atomic.Pointer[error] // why, where the process is not the reason
}

// Connect implements mcp.Transport.
func (p *stdio) Connect(context.Context) (mcp.Connection, error) { return p, nil }

// SessionID implements mcp.Connection.
func (p *stdio) SessionID() string { return "" }

// Close implements mcp.Connection. It ends a Read that waits for a process which says nothing.
func (p *stdio) Close() error {
	err := p.to.Close()
	_ = p.from.Close()
	return err
}

// Read implements mcp.Connection.
func (p *stdio) Read(context.Context) (jsonrpc.Message, error) {
	for {
		line, err := p.line()
		if err != nil {
			return nil, p.because(err)
		}
		if len(line) == 0 {
			continue
		}
		if line[0] == '{' {
			line = bytes.ToValidUTF8(line, []byte("\ufffd"))
			msg, err := jsonrpc.DecodeMessage(line)
			if err != nil {
				msg, err = jsonrpc.DecodeMessage(pruned(line))
			}
			if err == nil {
				p.noisy = 0
				return msg, nil
			}
		}
		said := p.handed.Mask(string(line[:min(len(line), 100*maxLine)])) // a cut could leave half of a secret
		_, _ = fmt.Fprintf(p.noise, "stdout: %s\n", said[:min(len(said), maxLine)])
		if p.noisy++; p.noisy > maxNoise {
			return nil, p.because(fault.New(fault.Unavailable, "", "it writes to stdout what is not MCP"))
		}
	}
}

// maxNesting limits the depth of a message: above the bound of a schema, and below that of the decoder, which refuses
// a message as a whole.
const maxNesting = 500

// pruned returns a message with null in place of values that are nested too deep, so that one tool costs no more than
// itself.
func pruned(msg []byte) []byte {
	out := make([]byte, 0, len(msg))
	depth, quoted := 0, false
	for i := 0; i < len(msg); i++ {
		c := msg[i]
		opens, closes := !quoted && (c == '{' || c == '['), !quoted && (c == '}' || c == ']')
		if opens {
			if depth++; depth == maxNesting+1 {
				out = append(out, "null"...)
			}
		}
		kept := depth <= maxNesting
		if kept {
			out = append(out, c)
		}
		switch {
		case closes:
			depth--
		case c == '"':
			quoted = !quoted
		case quoted && c == '\\' && i+1 < len(msg):
			i++
			if kept {
				out = append(out, msg[i])
			}
		}
	}
	return out
}

// line is the next line without its end, within bounds.
func (p *stdio) line() ([]byte, error) {
	var out []byte
	for {
		part, err := p.reader.ReadSlice('\n')
		if len(out)+len(part) > maxMessage {
			return nil, fault.New(fault.Unavailable, "", "it sent a message of more than %d MiB", maxMessage>>20)
		}
		if err == nil && out == nil {
			return bytes.TrimSpace(part), nil // it is decoded before the next is read
		}
		out = append(out, part...)
		switch {
		case err == nil:
			return bytes.TrimSpace(out), nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, err
		}
	}
}

func (p *stdio) because(err error) error {
	p.ended.Store(true)
	if !errors.Is(err, io.EOF) && !errors.Is(err, os.ErrClosed) {
		p.cause.Store(&err)
	}
	return err
}

// why returns the reason why nothing more is read, nil when the process has ended or closed its stdout.
func (p *stdio) why() error {
	if err := p.cause.Load(); err != nil {
		return *err
	}
	return nil
}

// Write implements mcp.Connection. A process that does not read its stdin fails the call that waits for it.
func (p *stdio) Write(_ context.Context, msg jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return err
	}
	p.writing.Lock()
	defer p.writing.Unlock()
	_ = p.to.SetWriteDeadline(time.Now().Add(writeTime)) // not every system's pipes have deadlines
	_, err = p.to.Write(append(data, '\n'))
	return err
}
