package adbd

import (
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
)

// reverses are the sockets of the device that lead to sockets of the host.
type reverses struct {
	mu   sync.Mutex
	list []reversed
	wait sync.WaitGroup
}

// reversed is one of them. Its listener is nil where both are the same port of this machine, which leads there by
// itself.
type reversed struct {
	from, to string
	listener net.Listener
}

func (r *reverses) close() {
	r.mu.Lock()
	for _, x := range r.list {
		x.end()
	}
	r.list = nil
	r.mu.Unlock()
	r.wait.Wait()
}

func (x reversed) end() {
	if x.listener != nil {
		_ = x.listener.Close()
	}
}

// reverseService answers a request about them: "OKAY" and a port, "FAIL" and a reason, or the list alone.
func (c *conn) reverseService(s *stream, request string) {
	text, err := c.reverseRequest(request)
	if err != nil {
		_, _ = fmt.Fprintf(s, "FAIL%04x%s", len(err.Error()), err)
		return
	}
	if request != "list-forward" {
		_, _ = io.WriteString(s, "OKAY")
	}
	if text != "" || request == "list-forward" {
		_, _ = fmt.Fprintf(s, "%04x%s", len(text), text)
	}
}

func (c *conn) reverseRequest(request string) (string, error) {
	r := &c.reverse
	what, rest, _ := strings.Cut(request, ":")
	switch what {
	case "forward":
		rest, only := strings.CutPrefix(rest, "norebind:")
		from, to, ok := strings.Cut(rest, ";")
		if !ok {
			return "", fmt.Errorf("bad forward: %s", rest)
		}
		return c.addReverse(from, to, only)
	case "list-forward":
		r.mu.Lock()
		defer r.mu.Unlock()
		var b strings.Builder
		for _, x := range r.list {
			fmt.Fprintf(&b, "host %s %s\n", x.from, x.to)
		}
		return b.String(), nil
	case "killforward-all":
		r.close()
		return "", nil
	case "killforward":
		r.mu.Lock()
		defer r.mu.Unlock()
		i := slices.IndexFunc(r.list, func(x reversed) bool { return x.from == rest })
		if i < 0 {
			return "", fmt.Errorf("listener '%s' not found", rest)
		}
		r.list[i].end()
		r.list = slices.Delete(r.list, i, i+1)
		return "", nil
	}
	return "", fmt.Errorf("unknown request reverse:%s", request)
}

func (c *conn) addReverse(from, to string, only bool) (string, error) {
	kind, number, _ := strings.Cut(from, ":")
	port, err := strconv.ParseUint(number, 10, 16)
	if kind != "tcp" || err != nil {
		return "", fmt.Errorf("this device can reverse tcp:PORT, not %s", from)
	}
	r := &c.reverse
	r.mu.Lock()
	defer r.mu.Unlock()
	if i := slices.IndexFunc(r.list, func(x reversed) bool { return x.from == from }); i >= 0 {
		if only {
			return "", fmt.Errorf("cannot rebind existing socket")
		}
		r.list[i].to = to
		return "", nil
	}
	x := reversed{from: from, to: to}
	if from != to || port == 0 { // one machine has each port once: the host's own port is reached as it is
		l, err := listen.TCP(c.ctx, int(port))
		if err != nil {
			return "", fmt.Errorf("cannot bind listener: %w", err)
		}
		x.listener = l
		if port == 0 {
			_, number, _ := net.SplitHostPort(l.Addr().String())
			x.from, from = "tcp:"+number, number
		} else {
			from = ""
		}
		r.wait.Go(func() { c.acceptReverse(l, x.from) })
	} else {
		from = ""
	}
	r.list = append(r.list, x)
	return from, nil
}

// acceptReverse has the host open its socket for each connection to ours.
func (c *conn) acceptReverse(l net.Listener, from string) {
	for {
		n, err := l.Accept()
		if err != nil {
			return
		}
		c.reverse.mu.Lock()
		i := slices.IndexFunc(c.reverse.list, func(x reversed) bool { return x.from == from })
		to := ""
		if i >= 0 {
			to = c.reverse.list[i].to
		}
		c.reverse.mu.Unlock()
		if to == "" {
			_ = n.Close()
			continue
		}
		s := c.add(0)
		if err := c.send(cmdOpen, s.local, 0, []byte(to+"\x00")); err != nil {
			_ = n.Close()
			s.drop()
			return
		}
		c.wait.Go(func() {
			defer func() { _ = n.Close() }()
			select {
			case <-s.ready: // the host has opened it
				join(s, n)
			case <-s.done:
			}
		})
	}
}
