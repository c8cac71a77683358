package driver

import (
	"net/netip"
	"net/url"
	"strings"
)

// Origin returns the one notion of the source of a page: scheme://host[:port] of an http or https URL as browsers
// write it, which is lower case, without the scheme's own port, without a user; of a blob: URL that of the page
// that made it. Other URLs (about:, data:, file:, null) have none, and no origin equals no other: compare with ""
// in mind.
//
// The URL of a document does not always reveal its origin (a sandbox takes it away, a frame without a URL has its
// parent's): for texts that must not go elsewhere, see TypeText.Bound.
func Origin(raw string) string {
	raw = strings.TrimSpace(raw)
	if len(raw) > 5 && strings.EqualFold(raw[:5], "blob:") {
		raw = raw[5:]
	}
	u, err := url.Parse(raw)
	if err != nil {
		return ""
	}
	scheme, host, port := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname()), u.Port()
	own := map[string]string{"http": "80", "https": "443"}[scheme]
	if own == "" || host == "" || strings.ContainsAny(host, " %\\<>^|\"`{}") || !ascii(host) {
		return ""
	}
	if strings.Contains(host, ":") {
		ip, err := netip.ParseAddr(host)
		if err != nil {
			return ""
		}
		host = "[" + v6(ip) + "]"
	}
	if port = strings.TrimLeft(port, "0"); port == "" || port == own {
		return scheme + "://" + host
	}
	return scheme + "://" + host + ":" + port
}

// v6 writes an address as browsers do: those of version 4 inside of version 6 in hexadecimal.
func v6(ip netip.Addr) string {
	s := ip.WithZone("").String()
	if !ip.Is4In6() {
		return s
	}
	b := ip.As16()
	hex := func(hi, lo byte) string {
		const digits = "0123456789abcdef"
		s := strings.TrimLeft(string([]byte{digits[hi>>4], digits[hi&15], digits[lo>>4], digits[lo&15]}), "0")
		if s == "" {
			return "0"
		}
		return s
	}
	return "::ffff:" + hex(b[12], b[13]) + ":" + hex(b[14], b[15])
}

// ascii: browsers write the name of a host in other letters otherwise (xn--…), and two names that look alike may
// differ.
func ascii(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7e || r <= ' ' }) < 0
}
