package policy

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

// HostRules keep a browser process from denied hosts: no access by redirects, pictures, scripts, fetch, WebSockets or
// beacons. They hold for the whole process, so sessions of different policies must not share one.
type HostRules struct {
	Args []string // further command line flags
	Key  string   // the same for rules that are the same: what a pool of browsers is keyed by
	Dial Dial     // what all connections are made by, when there are rules beyond metadata addresses; else nil
}

// denied is the host that Chromium maps denied hosts to; it does not exist.
const denied = "~NOTFOUND"

// metadataPatterns cover the metadata addresses in the spellings that remain once the browser has read a URL.
// Addresses of version 4 inside of version 6 are refused as a whole: no patterns could distinguish them.
var metadataPatterns = []string{"169.254.*", "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254",
	"fd20:ce::254",
	"fe8?:*", "fe9?:*", "fea?:*", "feb?:*", "::ffff:*", "64:ff9b:*"}

// HostRules returns the flags and the dialer that keep a browser to the policy. With rules about hosts the gate decides
// about every connection; nothing is looked up before it, and only the gate itself is reached. Without any, the browser
// refuses metadata addresses by itself, which costs nothing per request: Chromium asks --host-resolver-rules for every
// connection, literal addresses included, and --host-rules before, for names.
func (p *Policy) HostRules() HostRules {
	var out HostRules
	var said string
	if p.gated() {
		out.Dial, out.Args = p.dial, []string{"--host-resolver-rules=MAP * " + denied + ",EXCLUDE 127.0.0.1"}
		for _, q := range p.each() {
			said += fmt.Sprintln(q.profile, q.hosts.private, q.hosts.ports, q.hosts.schemes, q.hosts.hasAllow,
				texts(q.hosts.allow), texts(q.hosts.deny), texts(q.hosts.base))
		}
	} else {
		var rules []string
		for _, pattern := range metadataPatterns {
			rules = append(rules, "MAP "+pattern+" "+denied)
		}
		for _, name := range metadataNames {
			rules = append(rules, "MAP "+name+" "+denied, "MAP "+name+". "+denied)
		}
		list := strings.Join(rules, ",")
		out.Args = []string{"--host-rules=" + list, "--host-resolver-rules=" + list}
	}
	sum := sha256.Sum256([]byte(said))
	out.Key = hex.EncodeToString(sum[:6])
	return out
}

func texts(rules []hostRule) (out []string) {
	for _, r := range rules {
		out = append(out, quoted(r.text))
	}
	return out
}
