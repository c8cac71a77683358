package daemon

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net/http"
	"sync"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/auth"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/client"
	"github.com/trailblaze-dev/trailblaze/internal/daemon/handover"
)

// Command is a command of the shell that the daemon runs in place of the process that was started for it.
type Command struct {
	handover.Request
	d      *Daemon
	cancel context.CancelFunc

	mu       sync.Mutex
	w        http.ResponseWriter
	begun    bool // the process knows that it must not carry out the command
	declined bool
}

var errDeclined = errors.New("the daemon cannot do that for a command")

// Begin says that the command does something from now on, and returns the way to the daemon.
func (c *Command) Begin() (*client.Client, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.begin() {
		return nil, errDeclined
	}
	return &client.Client{Boot: c.d.Boot, Place: c.d.Place}, nil
}

func (c *Command) begin() bool {
	if !c.begun && !c.declined {
		c.begun = true
		c.w.Header().Set("Content-Type", "application/octet-stream")
		c.flush()
	}
	return c.begun
}

func (c *Command) flush() { _ = http.NewResponseController(c.w).Flush() }

// Decline leaves the command to its process, unless it has begun. The caller returns the error.
func (c *Command) Decline() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.declined = !c.begun
	c.cancel()
	return errDeclined
}

// Out is the standard output of the process.
func (c *Command) Out() io.Writer { return output{c, handover.Out} }

// Err is its standard error.
func (c *Command) Err() io.Writer { return output{c, handover.Err} }

type output struct {
	*Command
	kind byte
}

// Write implements io.Writer.
func (o output) Write(p []byte) (written int, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.begin() {
		return len(p), nil
	}
	defer o.flush()
	for len(p) > 0 && err == nil {
		part := p[:min(len(p), handover.MaxFrame)]
		p = p[len(part):]
		size := uint32(len(part)) //nolint:gosec // bounded
		if _, err = o.w.Write(binary.BigEndian.AppendUint32([]byte{o.kind}, size)); err == nil {
			_, err = o.w.Write(part)
		}
		written += len(part)
	}
	return written, err
}

// serveCommand runs a command until it or its process ends.
func (d *Daemon) serveCommand(w http.ResponseWriter, r *http.Request) {
	// to its end, so that the server sees the connection end
	data, err := io.ReadAll(io.LimitReader(r.Body, handover.MaxRequest+1))
	c := &Command{d: d, w: w}
	if err == nil {
		c.Request, err = handover.Parse(data)
	}
	if err != nil || d.o.Command == nil {
		auth.Refuse(w, http.StatusBadRequest, string(fault.Invalid), "this is no command that the daemon runs",
			"Run trailblaze itself.")
		return
	}
	d.commands.Add(1)
	defer d.commands.Add(-1)
	ctx, cancel := context.WithCancel(r.Context())
	c.cancel = cancel
	var signs sync.WaitGroup
	signs.Go(func() { c.lasts(ctx) })
	code := d.o.Command(ctx, c)
	cancel()
	signs.Wait()
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.begin() {
		auth.Refuse(w, http.StatusConflict, string(fault.Unsupported), errDeclined.Error(), "Run trailblaze itself.")
		return
	}
	_, _ = w.Write([]byte{handover.End, byte(code)}) //nolint:gosec // an exit status
}

// lasts sends signs of life until ctx ends.
func (c *Command) lasts(ctx context.Context) {
	t := time.NewTicker(client.CheckEvery)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		c.mu.Lock()
		if c.begun {
			_, _ = c.w.Write([]byte{handover.Sign})
			c.flush()
		}
		c.mu.Unlock()
	}
}
