package daemon

import (
	"context"
	"errors"
	"net"
	"os"
	"runtime"
	"strconv"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/listen"
)

// listen opens the socket and, when it is free, the TCP port. A taken port does not stop the
// daemon, because trailblaze's own clients use the socket.
func (d *Daemon) listen(ctx context.Context) ([]net.Listener, error) {
	const op = "listen"
	var out []net.Listener
	path, err := d.Place.Socket()
	if err != nil {
		return nil, err
	}
	_ = os.Remove(path) // left by a killed daemon: this one holds the lock, so no other listens there
	warn := func(err error) { d.Log.Warn("accept connection", "error", err) }
	sock, err := listen.Unix(ctx, path)
	switch {
	case err == nil:
		if err := os.Chmod(path, 0o600); err != nil && runtime.GOOS != "windows" {
			_ = sock.Close()
			return nil, fault.Wrap(err, fault.Denied, op)
		}
		d.Boot.Socket, sock.Warn, sock.Bounded = path, warn, true
		out = append(out, sock)
	case runtime.GOOS != "windows":
		return nil, fault.Wrap(err, fault.Unavailable, op)
	}
	d.retireOthers(ctx)
	if d.o.Port < 0 && len(out) > 0 {
		d.TCP = "switched off"
		return out, nil
	}
	tcp, err := listen.TCP(ctx, max(d.o.Port, 0))
	if err != nil {
		d.TCP = "port " + strconv.Itoa(d.o.Port) +
			" is taken: set TRAILBLAZE_PORT to another, or 0 for any free one (" + reason(err) + ")"
		if len(out) == 0 {
			return nil, fault.Wrap(err, fault.Unavailable, op)
		}
		d.Log.Warn("no HTTP on TCP", "why", d.TCP)
		return out, nil
	}
	d.Boot.Port = tcp.Addr().(*net.TCPAddr).Port //nolint:forcetypeassert // a TCP listener
	d.tcp, tcp.Warn, tcp.Bounded = tcp, warn, true
	return append(out, tcp), nil
}

func reason(err error) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Err != nil {
		return op.Err.Error()
	}
	return err.Error()
}
