package extern

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/proc"
	"github.com/trailblaze-dev/trailblaze/memory"
)

// connection is an MCP session with a server.
type connection struct {
	name    string
	session *mcp.ClientSession
	process *proc.Process // nil when the server runs anyway
	output  *proc.Tail    // what the process says besides MCP
	handed  *memory.Store // secrets, which are masked in that
	stdio   bool          // it is spoken to over stdin and stdout
	took    time.Duration // to start
	over    chan struct{} // closed when it has ended
	lost    func() bool   // the transport knows already that it has ended; nil: it does not
	why     func() error  // of the transport, why it has ended; nil: it knows nothing
	finish  func()        // ends the transport
	revoke  func()        // ends the token of the process; nil: it has none

	// Under Server.mu.
	checks int // calls that were cut off, while it is asked whether it still answers
	held   int // callbacks that wait until it is clear which call they are of

	stopped sync.Once
	joined  sync.WaitGroup
}

// usable reports whether a call may be sent. Between the end of a process and the word of it to the supervisor it may
// not.
func (c *connection) usable() bool {
	select {
	case <-c.over:
		return false
	default:
		return c.lost == nil || !c.lost()
	}
}

// follow begins to wait for the end of the session.
func (c *connection) follow(session *mcp.ClientSession) {
	c.session, c.over = session, make(chan struct{})
	c.joined.Go(func() {
		_ = session.Wait()
		close(c.over)
	})
}

// stop ends the connection and its process, and returns when both have ended.
func (c *connection) stop() {
	c.stopped.Do(func() {
		c.finish()
		c.revokeToken()
		if c.session != nil {
			_ = c.session.Close()
		}
		c.joined.Wait()
	})
}

// revokeToken ends the token of the process.
func (c *connection) revokeToken() {
	if c.revoke != nil {
		c.revoke()
	}
}

// how names the protocol to the server.
func (c *connection) how() string {
	switch {
	case c.process == nil:
		return "http"
	case c.stdio:
		return "stdio"
	}
	return "http, started here"
}

// ended returns the reason why the connection has ended.
func (c *connection) ended() error {
	return c.failed("", errors.New("the connection has ended"))
}

// exitTime limits how long an ended connection waits for its process to end: the exit status says more.
const exitTime = 200 * time.Millisecond

// failed is a failure of the server in words: how its process ended, and the last that it said.
func (c *connection) failed(op string, err error) error {
	if c.process != nil {
		t := time.NewTimer(exitTime)
		defer t.Stop()
		select {
		case <-c.process.Done():
			err = fmt.Errorf("its process ended (%s)", exit(c.process.Err()))
		case <-t.C:
		}
	}
	if c.why != nil {
		if why := c.why(); why != nil {
			err = why
		}
	}
	kind := fault.KindOf(err)
	if kind == fault.Internal {
		kind = fault.Unavailable
	}
	failed := fault.New(kind, strings.TrimSpace(c.name+" "+op), "%w", c.lastWords(err))
	if c.process == nil {
		return failed.WithHint("See whether it runs, and whether its url in the configuration is right: " +
			"it is not started here.")
	}
	return failed.WithHint("Start its command by hand to see more, fix what it complains of, and reload the tools.")
}

func exit(err error) string {
	if err == nil {
		return "exit status 0"
	}
	return err.Error()
}

// maxLines and maxLine bound what a failure cites.
const (
	maxLines = 12
	maxLine  = 300
)

// lastWords is err with the last lines that the process wrote.
func (c *connection) lastWords(err error) error {
	if c.output == nil {
		return err
	}
	return cited(err, c.tidy(c.output.String()))
}

func cited(err error, words string) error {
	if words == "" {
		return err
	}
	return fmt.Errorf("%w; the last it wrote:\n%s", err, words)
}

// mark returns the present end of the process's output.
func (c *connection) mark() int64 {
	if c.output == nil {
		return 0
	}
	return c.output.Mark()
}

// wordsTime limits how long a failed call waits for the server's output about it.
const wordsTime = 50 * time.Millisecond

// wordsSince are the last lines that the process wrote since mark.
func (c *connection) wordsSince(mark int64) string {
	if c.output == nil {
		return ""
	}
	return c.tidy(c.output.Since(mark, wordsTime))
}

// tidy returns the part of a text by the process that is cited.
func (c *connection) tidy(text string) string {
	if text = strings.TrimSpace(c.handed.Mask(text)); text == "" {
		return ""
	}
	lines := strings.Split(text, "\n")
	lines = lines[max(0, len(lines)-maxLines):]
	for i, l := range lines {
		if l = strings.TrimRight(l, "\r "); len(l) > maxLine {
			l = strings.ToValidUTF8(l[:maxLine], "") + "…"
		}
		lines[i] = l
	}
	return strings.Join(lines, "\n")
}

// errCutOff is the reason for ending a server that does not answer after a call to it was cut off.
var errCutOff = errors.New("it did not answer any more after a call was cut off")

// alive reports whether the server still answers. It is asked after a call was cut off: a process that is stuck in
// that call would hold up all that come after it.
func (c *connection) alive(life context.Context) bool {
	ctx, cancel := context.WithTimeout(life, cancelTime)
	defer cancel()
	return c.session.Ping(ctx, nil) == nil
}
