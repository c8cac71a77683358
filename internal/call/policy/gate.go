package policy

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// Dial makes one of a browser's connections, or refuses to: fault.Denied. Secure waits for the browser to begin and
// reports whether it speaks TLS.
type Dial = func(ctx context.Context, host string, port int, secure func() (bool, error)) (net.Conn, error)

func refused(to string) error {
	return fault.New(fault.Denied, "connect to "+to, "the policy denies it")
}

// connectTime bounds making one connection.
const connectTime = 30 * time.Second

// gated reports whether there are rules about hosts beyond those of every profile.
func (p *Policy) gated() bool {
	return !p.every(func(q *Policy) bool {
		return !q.hosts.closed() && len(q.hosts.deny)+len(q.hosts.ports)+len(q.hosts.schemes) == 0 && q.hosts.private != no
	})
}

// dial connects a browser to where it may go. The address is looked at when it is connected to, not before: a name
// cannot mean one thing when it is checked and another when it is used.
func (p *Policy) dial(ctx context.Context, host string, port int, secure func() (bool, error)) (net.Conn, error) {
	a := address{port: port}
	a.host, a.ip = canonicalHost(host)
	if !p.every(func(q *Policy) bool { return !q.hosts.bySchemes() }) {
		tls, err := secure()
		if err != nil {
			return nil, err
		}
		if a.scheme = "http"; tls {
			a.scheme = "https"
		}
	}
	if !p.every(func(q *Policy) bool { return q.hosts.decide(a).Allowed }) {
		return nil, refused(a.site())
	}
	may := func(ip netip.Addr) bool {
		return p.every(func(q *Policy) bool { return q.hosts.exactly(a) || q.hosts.mayBe(ip) })
	}
	dialer := net.Dialer{Timeout: connectTime,
		ControlContext: func(_ context.Context, _, to string, _ syscall.RawConn) error {
			found, err := netip.ParseAddrPort(to)
			if err != nil {
				return refused(to)
			}
			if !may(found.Addr()) {
				return refused(to)
			}
			return nil
		}}
	if strings.HasSuffix(a.host, ".localhost") { // what browsers mean by it, resolvers need not know
		a.host = "localhost"
	}
	return dialer.DialContext(ctx, "tcp", net.JoinHostPort(a.host, strconv.Itoa(port)))
}

// bySchemes reports whether a rule asks which scheme a connection speaks.
func (h *hosts) bySchemes() bool {
	is := func(r hostRule) bool { return r.scheme != "" }
	return len(h.schemes) > 0 || slices.ContainsFunc(h.allow, is) || slices.ContainsFunc(h.deny, is) ||
		h.profile != CI && slices.ContainsFunc(h.base, is)
}

// connect is dial for a tool, which knows what it speaks.
func (p *Policy) connect(ctx context.Context, host string, port int, tls bool) (net.Conn, error) {
	return p.dial(ctx, host, port, func() (bool, error) { return tls, nil })
}

// mayBe reports whether a name that is allowed may have this address.
func (h *hosts) mayBe(ip netip.Addr) bool {
	a := address{ip: ip.WithZone("").Unmap()}
	a.host = a.ip.String()
	if a.isMetadata() && !h.exactly(a) || h.private == no && a.isPrivate() && !h.exactly(a) {
		return false
	}
	return !slices.ContainsFunc(h.deny,
		func(r hostRule) bool { return r.scheme == "" && r.port == 0 && glob(r.host, a.host) })
}
