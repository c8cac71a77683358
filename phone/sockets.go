package phone

import (
	"context"
	"fmt"
	"io"
	"net"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// dial connects to a socket of the phone: one that a helper has opened, or a port, which is one of this machine.
func (p *Phone) dial(ctx context.Context, name string) (net.Conn, error) {
	kind, rest, _ := strings.Cut(name, ":")
	switch kind {
	case "tcp":
		port, err := strconv.ParseUint(strings.TrimPrefix(strings.TrimPrefix(rest, "localhost:"), "127.0.0.1:"), 10, 16)
		if err != nil {
			return nil, fault.Wrap(err, fault.Invalid, "connect to "+name)
		}
		return new(net.Dialer).DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", port))
	case "localabstract":
		p.mu.Lock()
		path := p.sockets[rest]
		p.mu.Unlock()
		if path != "" {
			return new(net.Dialer).DialContext(ctx, "unix", path)
		}
	}
	return nil, fault.New(fault.NotFound, "connect to "+name, "there is no such socket")
}

const helperClass = "trailblaze.helper.Main"

// appProcess runs the helper of the driver for Android: the process of the app serves its socket from the same sources.
// The helper ends with its standard input. The phone runs no other class: it has no runtime for dex.
func appProcess(c *call) int {
	if len(c.args) < 3 || c.args[1] != helperClass {
		return c.refuse("it starts no class but " + helperClass)
	}
	name := c.args[2]
	front, err := c.foreground()
	if err != nil {
		return c.fail("app_process: %v", err)
	}
	path := filepath.Join(c.folder, fmt.Sprintf("s%d", c.sequence.Add(1)))
	if _, err := front.ask(c, request{"do": "helper", "path": path}, nil); err != nil {
		return c.fail("app_process: %v", err)
	}
	c.mu.Lock()
	c.sockets[name] = path
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		if c.sockets[name] == path {
			delete(c.sockets, name)
		}
		c.mu.Unlock()
		_, _ = front.ask(context.WithoutCancel(c), request{"do": "endHelper", "path": path}, nil)
	}()
	c.printf("ready\n")
	_, _ = io.Copy(io.Discard, c.in)
	return 0
}
