package policy

import (
	"context"
	"net"
	"slices"
	"strconv"
	"strings"
	"time"
)

// hostRule matches addresses: [scheme://]host[:port], with * in the host.
type hostRule struct {
	scheme, host string
	port         int
	text         string
	at           place
}

// hosts are the rules about what is reached on the network.
type hosts struct {
	*basis
	lists[hostRule]
	base    []hostRule // the hosts under test, which profile test allows
	ports   []int
	schemes []string
	private verdict
}

// maxHost limits the length of a host with its port.
const maxHost = 260

// readHost reads a host pattern.
func (r *reader) readHost(it item) (hostRule, bool) {
	rule := hostRule{text: it.text, at: it.at}
	rest := it.text
	if scheme, after, ok := strings.Cut(rest, "://"); ok {
		rule.scheme, rest = strings.ToLower(scheme), after
		if ports[rule.scheme] == 0 {
			r.bad(it.at, "%q: the scheme must be http, https, ws or wss", it.text)
			return rule, false
		}
	}
	rest = strings.TrimSuffix(rest, "/")
	if strings.ContainsAny(rest, "/?#@ ,\\") || rest == "" || len(rest) > maxHost {
		r.bad(it.at, "%q is not a host; write it as shop.test, *.shop.test, 127.0.0.1:8080 or https://shop.test", it.text)
		return rule, false
	}
	host, port := rest, ""
	if h, p, err := net.SplitHostPort(rest); err == nil {
		host, port = h, p
	}
	if port != "" {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 {
			r.bad(it.at, "%q: %q is not a port", it.text, port)
			return rule, false
		}
		rule.port = n
	}
	rule.host = strings.ToLower(strings.Trim(host, "[]"))
	if !strings.Contains(rule.host, "*") {
		rule.host, _ = canonicalHost(rule.host)
	}
	return rule, true
}

func (h hostRule) match(a address) bool {
	if h.port != 0 && h.port != a.port || !glob(h.host, a.host) {
		return false
	}
	// A rule for pages covers the sockets they open.
	return h.scheme == "" || h.scheme == a.scheme || h.scheme == "http" && a.scheme == "ws" ||
		h.scheme == "https" && a.scheme == "wss"
}

// host decides about an address on the network.
func (h *hosts) decide(a address) decision {
	d := decision{Subject: a.site()}
	for _, r := range h.deny {
		if r.match(a) {
			return d.no("hosts.deny "+quoted(r.text), h.at(r.at), "Take it from hosts.deny to allow it.")
		}
	}
	listed := slices.IndexFunc(h.allow, func(r hostRule) bool { return r.match(a) })
	if refused, ok := h.limits(d, a, listed); ok {
		return refused
	}
	if listed >= 0 {
		return d.yes("hosts.allow "+quoted(h.allow[listed].text), h.at(h.allow[listed].at))
	}
	for _, r := range h.base {
		if h.profile != CI && r.match(a) {
			return d.yes("base URL "+r.text, "profile "+string(h.profile))
		}
	}
	if h.closed() {
		return d.no("hosts.allow", h.listPlace("hosts.allow"), "Add "+quoted(a.site())+" to hosts.allow to allow it.")
	}
	return h.usual(d)
}

// limits refuses addresses whose kind, port or scheme is not allowed, though their host may be. listed is the index of
// the rule of hosts.allow that holds, -1 for none.
func (h *hosts) limits(d decision, a address, listed int) (refused decision, ok bool) {
	switch {
	case a.isMetadata() && !h.exactly(a):
		return d.no("metadata addresses", "every profile",
			"It hands out this machine's credentials. If that is meant, list exactly "+quoted(
				a.host)+" under hosts.allow."), true
	case len(h.ports) > 0 && !slices.Contains(h.ports, a.port) && !(listed >= 0 && h.allow[listed].port != 0):
		return d.no("hosts.ports", h.at(h.where["hosts.ports"]),
			"Add "+strconv.Itoa(a.port)+" to hosts.ports to allow it."), true
	case len(h.schemes) > 0 && !slices.Contains(h.schemes, page(a.scheme)):
		return d.no("hosts.schemes", h.at(h.where["hosts.schemes"]), "Add "+a.scheme+" to hosts.schemes to allow it."), true
	case h.private == no && a.isPrivate() && !h.exactly(a):
		return d.no("hosts.private: deny", h.at(h.where["hosts.private"]),
			"List exactly "+quoted(a.host)+" under hosts.allow to allow it."), true
	}
	return d, false
}

// exactly reports whether a rule without wildcards allows the address: dangerous addresses are not allowed in passing.
func (h *hosts) exactly(a address) bool {
	return slices.ContainsFunc(h.allow,
		func(r hostRule) bool { return !strings.Contains(r.host, "*") && r.match(a) })
}

// closed reports whether only listed hosts are reached.
func (h *hosts) closed() bool { return h.profile != Explore || h.hasAllow }

func page(scheme string) string {
	switch scheme {
	case "ws":
		return "http"
	case "wss":
		return "https"
	}
	return scheme
}

// lookupTime limits asking for the addresses of a name. Where no answer comes in that time (behind a proxy, say) names
// are not asked for during deafTime: navigations must not all wait for it.
const (
	lookupTime = 500 * time.Millisecond
	deafTime   = 5 * time.Minute
)

// resolves decides about the addresses that a name has: a name can be made to mean any of them.
func (h *hosts) resolves(ctx context.Context, a address, sampled *sample) decision {
	d := decision{Subject: a.site()}
	if a.ip.IsValid() || a.host == "localhost" || strings.HasSuffix(a.host, ".localhost") || a.host == "" ||
		sampled.isDeaf() {
		return d.yes("", "")
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	ips, err := net.DefaultResolver.LookupNetIP(ctx, "ip", a.host)
	if err != nil {
		if ctx.Err() != nil {
			sampled.setDeaf(deafTime)
		}
		return d.yes("", "") // then the browser does not get there by that name either
	}
	for _, ip := range ips {
		if to := (address{ip: ip.WithZone("").Unmap()}); to.isMetadata() {
			return d.no("metadata addresses", "every profile",
				a.host+" is "+to.ip.String()+", which hands out this machine's credentials.")
		} else if !h.exactly(a) && !h.mayBe(to.ip) {
			return d.no("hosts.private: deny", h.at(h.where["hosts.private"]),
				a.host+" is "+to.ip.String()+". List exactly "+quoted(a.host)+" under hosts.allow to allow it.")
		}
	}
	return d.yes("", "")
}

// glob matches a name against a pattern in which * stands for any characters, without regard to case.
func glob(pattern, name string) bool {
	pattern, name = strings.ToLower(pattern), strings.ToLower(name)
	star, mark := -1, 0
	i, j := 0, 0
	for j < len(name) {
		switch {
		case i < len(pattern) && pattern[i] == '*':
			star, mark = i, j
			i++
		case i < len(pattern) && pattern[i] == name[j]:
			i++
			j++
		case star >= 0:
			mark++
			i, j = star+1, mark
		default:
			return false
		}
	}
	for i < len(pattern) && pattern[i] == '*' {
		i++
	}
	return i == len(pattern)
}
