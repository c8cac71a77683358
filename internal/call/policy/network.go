package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// HostRules are the flags of a browser process that keep pages from denied hosts: no access by redirects, pictures,
// scripts, fetch, WebSockets or beacons. They hold for the whole process, so sessions of different policies must not
// share one.
type HostRules struct {
	Args []string // further command line flags
	Key  string   // the same for rules that are the same: what a pool of browsers is keyed by
	Dial Dial     // what all connections are made by, when there are rules that no argument can say; else nil
}

// denied is the host that Chromium maps denied hosts to; it does not exist.
const denied = "~NOTFOUND"

// metadataPatterns cover the metadata addresses in the spellings that remain once the browser has read a URL.
// Addresses of version 4 inside of version 6 are refused as a whole: no patterns could distinguish them.
var metadataPatterns = []string{"169.254.*", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254",
	"fd20:ce::254",
	"fe8?:*", "fe9?:*", "fea?:*", "feb?:*", "::ffff:*", "64:ff9b:*"}

func privatePatterns() []string {
	out := []string{"10.*", "192.168.*", "127.*", "0.*", "localhost", "*.localhost", "::1", "::", "fc??:*", "fd??:*"}
	for i := 16; i < 32; i++ {
		out = append(out, "172."+strconv.Itoa(i)+".*")
	}
	for i := 64; i < 128; i++ {
		out = append(out, "100."+strconv.Itoa(i)+".*")
	}
	return out
}

// HostRules puts the policy's rules about hosts into the browser's own language.
//
// Chromium asks --host-resolver-rules for every connection, literal addresses included. Its MAPs hold in their order,
// the first that matches; a MAP to itself allows one host. An EXCLUDE wins over all of them and is the only way to
// allow a pattern, so what is denied within one must stand elsewhere: names in --host-rules, which is asked before
// and sees names only. Addresses denied within an allowed pattern cannot be said at all; Parse refuses such a file.
func (p *Policy) HostRules() HostRules {
	var names, rules []string
	for _, r := range p.hosts.deny {
		rules = append(rules, "MAP "+pattern(r)+" "+denied)
		names = append(names, "MAP "+pattern(r)+" "+denied)
		if !strings.HasSuffix(r.host, "*") && r.port == 0 { // the same host, spelled with its root
			names = append(names, "MAP "+r.host+". "+denied)
		}
	}
	for _, r := range append(slices.Clone(p.hosts.allow), p.usableBase()...) {
		if strings.Contains(r.host, "*") {
			continue
		}
		for _, itself := range p.patterns(r) {
			rules = append(rules, "MAP "+itself+" "+itself)
		}
		if !p.denies(r.host) {
			names = append(names, "EXCLUDE "+r.host)
		}
	}
	for _, pattern := range p.dangerous() {
		rules = append(rules, "MAP "+pattern+" "+denied)
		names = append(names, "MAP "+pattern+" "+denied)
	}
	if p.closed() && !p.anyHost() {
		rules = append(rules, "MAP * "+denied)
		for _, r := range p.hosts.allow {
			if strings.Contains(r.host, "*") {
				rules = append(rules, "EXCLUDE "+r.host)
			}
		}
	}
	args := []string{"--host-rules=" + strings.Join(names, ","), "--host-resolver-rules=" + strings.Join(rules, ",")}
	if p.closed() {
		// Calls between browsers would go past names and past the rules.
		args = append(args, "--force-webrtc-ip-handling-policy=disable_non_proxied_udp")
	}
	out := HostRules{Args: args}
	said := strings.Join(args, "\n")
	if p.gated() {
		// All is decided at the gate, and nothing looked up before it; the gate itself must be reached.
		out.Dial, out.Args = p.dial, []string{"--host-resolver-rules=MAP * " + denied + ",EXCLUDE 127.0.0.1"}
		said += p.gateRules()
	}
	sum := sha256.Sum256([]byte(said))
	out.Key = hex.EncodeToString(sum[:6])
	return out
}

// gateRules returns the rules of the gate, as a text to compare.
func (p *Policy) gateRules() (said string) {
	for _, q := range p.each() {
		said += fmt.Sprintln(q.profile, q.private, q.ports, q.schemes, q.hosts.given, texts(q.hosts.allow),
			texts(q.hosts.deny), texts(q.base))
	}
	return said
}

func texts(rules []hostRule) (out []string) {
	for _, r := range rules {
		out = append(out, quoted(r.text))
	}
	return out
}

// dangerous are the patterns that only a rule for exactly one host gets past.
func (p *Policy) dangerous() []string {
	out := slices.Clone(metadataPatterns)
	for _, n := range metadataNames {
		out = append(out, n, n+".")
	}
	if p.private == no {
		out = append(out, privatePatterns()...)
	}
	return out
}

// anyHost reports whether every host is allowed that is not denied.
func (p *Policy) anyHost() bool {
	return slices.ContainsFunc(p.hosts.allow, func(r hostRule) bool { return r.host == "*" })
}

// enforceable reports allowed patterns that cover denied addresses.
func (p *Policy) enforceable(r *reader) {
	deny := p.dangerous()
	for _, d := range p.hosts.deny {
		deny = append(deny, d.host)
	}
	deny = slices.DeleteFunc(deny, func(d string) bool { return !fitsAddress(d) })
	for _, a := range p.hosts.allow {
		if !strings.Contains(a.host, "*") || a.host == "*" || !fitsAddress(a.host) {
			continue
		}
		if i := slices.IndexFunc(deny, func(d string) bool { return overlap(a.host, d) }); i >= 0 {
			r.bad(a.at, "%q covers addresses that are denied (%s), which a browser cannot be told; "+
				"list the addresses one by one", a.text, deny[i])
		}
	}
}

// fitsAddress reports whether a pattern can match a literal address.
func fitsAddress(pattern string) bool {
	return strings.Trim(pattern, "0123456789.*?") == "" || strings.Trim(pattern, "0123456789abcdef:*?") == ""
}

// denies reports whether hosts.deny has a rule for a host, whatever its scheme and port.
func (p *Policy) denies(host string) bool {
	for _, r := range p.hosts.deny {
		if glob(r.host, host) {
			return true
		}
	}
	return false
}

func (p *Policy) usableBase() []hostRule {
	if p.profile == CI {
		return nil
	}
	return p.base
}

// patterns are a rule for the ports it may use.
func (p *Policy) patterns(r hostRule) []string {
	if r.port != 0 || len(p.ports) == 0 {
		return []string{pattern(r)}
	}
	var out []string
	for _, n := range p.ports {
		r.port = n
		out = append(out, pattern(r))
	}
	return out
}

// pattern is host or host:port as Chromium matches it.
func pattern(r hostRule) string {
	if r.port == 0 {
		return r.host
	}
	host := r.host
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	return host + ":" + strconv.Itoa(r.port)
}
