package policy

import (
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// address is the target of a URL, as a browser reads it.
type address struct {
	scheme string
	host   string // lower case; an IP address in its one spelling, without brackets
	port   int    // 0: none
	ip     netip.Addr
	path   string // of file: URLs
}

// ports are those of schemes that name none.
var ports = map[string]int{"http": 80, "https": 443, "ws": 80, "wss": 443}

// readURL takes a URL apart the way browsers do, which is more lenient than Go: blanks around it, line ends inside,
// backslashes, and IP addresses written as one number, octal or hexadecimal.
func readURL(raw string) (address, error) {
	raw = strings.Trim(raw, " \t\r\n\f\x00")
	raw = strings.NewReplacer("\t", "", "\r", "", "\n", "").Replace(raw)
	if scheme, rest, ok := strings.Cut(raw, ":"); ok && ports[strings.ToLower(scheme)] != 0 {
		head, tail := rest, ""
		if i := strings.IndexAny(rest, "?#"); i >= 0 {
			head, tail = rest[:i], rest[i:]
		}
		raw = scheme + "://" + strings.TrimLeft(strings.ReplaceAll(head, `\`, "/"), "/") + tail
	}
	u, err := url.Parse(raw)
	if err != nil {
		return address{}, fault.New(fault.Invalid, "read URL", "%q is not a URL", raw)
	}
	a := address{scheme: strings.ToLower(u.Scheme), path: u.Path}
	a.host, a.ip = canonicalHost(u.Hostname())
	a.port = ports[a.scheme]
	if p := u.Port(); p != "" {
		if a.port, err = strconv.Atoi(p); err != nil || a.port > 65535 {
			return address{}, fault.New(fault.Invalid, "read URL", "%q is not a port", p)
		}
	}
	return a, nil
}

// canonicalHost returns the one spelling of a host.
func canonicalHost(host string) (string, netip.Addr) {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		ip = ip.WithZone("").Unmap()
		return ip.String(), ip
	}
	if ip, ok := looseIPv4(host); ok {
		return ip.String(), ip
	}
	return host, netip.Addr{}
}

// looseIPv4 reads what browsers take for an IPv4 address: 2852039166, 0xa9.254.43518, 0251.254.169.254.
func looseIPv4(host string) (netip.Addr, bool) {
	parts := strings.Split(host, ".")
	if host == "" || len(parts) > 4 {
		return netip.Addr{}, false
	}
	var value uint64
	for i, p := range parts {
		n, err := strconv.ParseUint(octal(p), 0, 64)
		last := i == len(parts)-1
		switch {
		case err != nil, strings.Contains(p, "_"), !last && n > 255, last && n >= 1<<(8*(5-len(parts))):
			return netip.Addr{}, false
		case last:
			value |= n
		default:
			value |= n << (8 * (3 - i))
		}
	}
	return netip.AddrFrom4([4]byte{byte(value >> 24), byte(value >> 16), byte(value >> 8), byte(value)}), true
}

// octal keeps Go's own prefixes out and C's in.
func octal(p string) string {
	l := strings.ToLower(p)
	switch {
	case l == "0x":
		return "0"
	case strings.HasPrefix(l, "0b"), strings.HasPrefix(l, "0o"):
		return "x"
	}
	return l
}

// site is host and port for people.
func (a address) site() string {
	if a.host == "" {
		return a.scheme + ":"
	}
	if a.port == 0 || a.port == ports[a.scheme] {
		return a.host
	}
	return net.JoinHostPort(a.host, strconv.Itoa(a.port))
}

// metadata are the addresses at which clouds hand out credentials to any program inside.
var metadata = prefixes("169.254.0.0/16", "fe80::/10", "100.100.100.200/32", "168.63.129.16/32", "192.0.0.192/32",
	"fd00:ec2::254/128", "fd20:ce::254/128")

// metadataNames are their names.
var metadataNames = []string{"metadata.google.internal", "metadata.goog", "metadata.tencentyun.com", "instance-data",
	"instance-data.ec2.internal", "metadata.packet.net"}

// inside are the private networks.
var inside = prefixes("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "127.0.0.0/8", "0.0.0.0/8", "100.64.0.0/10",
	"::1/128", "::/128", "fc00::/7")

func prefixes(list ...string) []netip.Prefix {
	out := make([]netip.Prefix, 0, len(list))
	for _, s := range list {
		out = append(out, netip.MustParsePrefix(s))
	}
	return out
}

func within(ip netip.Addr, list []netip.Prefix) bool {
	for _, p := range list {
		if ip.IsValid() && p.Contains(ip) {
			return true
		}
	}
	return false
}

// isMetadata reports whether an address hands out credentials of the machine.
func (a address) isMetadata() bool {
	return within(a.ip, metadata) || within(embedded(a.ip), metadata) || slices.Contains(metadataNames, a.host)
}

// isPrivate reports whether an address is of a network that the public one does not reach.
func (a address) isPrivate() bool {
	return within(a.ip, inside) || within(a.ip, metadata) || within(embedded(a.ip), inside) ||
		a.host == "localhost" || strings.HasSuffix(a.host, ".localhost")
}

// embedded is the IPv4 address inside of an IPv6 one by which a gateway would reach it.
func embedded(ip netip.Addr) netip.Addr {
	if !ip.Is6() {
		return netip.Addr{}
	}
	b := ip.As16()
	if nat64.Contains(ip) {
		return netip.AddrFrom4([4]byte(b[12:16]))
	}
	return netip.Addr{}
}

var nat64 = netip.MustParsePrefix("64:ff9b::/96")
