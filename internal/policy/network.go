package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"strconv"
	"strings"
)

// HostRules are what a browser process is started with, so that pages reach no denied host either: not by redirects,
// pictures, scripts, fetch, WebSockets or beacons. They hold for the whole process, so sessions of different policies must
// not share one.
type HostRules struct {
	Args []string // further command line flags
	Key  string   // the same for rules that are the same: what a pool of browsers is keyed by
}

// denied is what Chromium maps hosts to that do not exist.
const denied = "~NOTFOUND"

// metadataPatterns cover the metadata addresses in the spellings that remain once the browser has read a URL. Addresses of
// version 4 inside of version 6 are refused as a whole: no patterns could tell them apart.
var metadataPatterns = []string{"169.254.*", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254", "fd20:ce::254",
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
// Chromium has two flags of the same grammar. An EXCLUDE wins over every MAP of its flag, so one flag cannot say "all of
// shop.test but its admin": what is denied stands in --host-rules, which is asked first, and what is not listed falls to
// --host-resolver-rules. Both are asked for every connection, literal addresses included.
func (p *Policy) HostRules() HostRules {
	deny, except := p.denials()
	var first, second []string
	for _, pattern := range deny {
		first = append(first, "MAP "+pattern+" "+denied)
	}
	for _, pattern := range except {
		first = append(first, "EXCLUDE "+pattern)
	}
	switch {
	case p.closed():
		second = append(second, "MAP * "+denied)
		for _, r := range append(append([]hostRule{}, p.hosts.allow...), p.usableBase()...) {
			for _, pattern := range p.patterns(r) {
				second = append(second, "EXCLUDE "+pattern)
			}
		}
	case len(p.ports) > 0:
		second = append(second, "MAP * "+denied)
		for _, n := range p.ports {
			second = append(second, "EXCLUDE *:"+strconv.Itoa(n))
		}
	default:
		second = first // belt and braces: the resolver is the last to be asked
	}
	args := []string{"--host-rules=" + strings.Join(first, ","), "--host-resolver-rules=" + strings.Join(second, ",")}
	if p.closed() {
		// Calls between browsers would go past names and past the rules.
		args = append(args, "--force-webrtc-ip-handling-policy=disable_non_proxied_udp")
	}
	sum := sha256.Sum256([]byte(strings.Join(args, "\n")))
	return HostRules{Args: args, Key: hex.EncodeToString(sum[:6])}
}

// denials are the patterns that are never reached, and those among them that are after all.
func (p *Policy) denials() (deny, except []string) {
	for _, r := range p.hosts.deny {
		deny = append(deny, pattern(r))
		if !strings.HasSuffix(r.host, "*") && r.port == 0 {
			deny = append(deny, r.host+".") // the same host, spelled with its root
		}
	}
	deny = append(deny, metadataPatterns...)
	for _, n := range metadataNames {
		deny = append(deny, n, n+".")
	}
	if p.private == no {
		deny = append(deny, privatePatterns()...)
	}
	for _, r := range p.hosts.allow {
		if a := (address{host: r.host, port: r.port}); !strings.Contains(r.host, "*") && !p.denies(a) {
			except = append(except, pattern(r))
		}
	}
	return deny, except
}

// denies says whether hosts.deny has a rule for an address, whatever its scheme and port.
func (p *Policy) denies(a address) bool {
	for _, r := range p.hosts.deny {
		if glob(r.host, a.host) {
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
