package policy

import (
	"context"
	"strings"
)

// fetches decides about a host that the tool itself sends requests to: "api.shop.test", "localhost:8080",
// "https://*.shop.test". Without a scheme it may speak either, so both must be allowed.
func (p *Policy) fetches(ctx context.Context, host string) []decision {
	schemes := []string{"http://", "https://"}
	if strings.Contains(host, "://") {
		schemes = []string{""}
	}
	var out []decision
	for _, s := range schemes {
		if strings.Contains(host, "*") {
			out = append(out, p.hosts.fetches(s+host))
			continue
		}
		out = append(out, p.opens(ctx, s+host)...)
	}
	return out
}

// fetchesMany decides about a pattern of hosts. Nobody sees which of them a request goes to, so it passes only where
// no host is forbidden, or where the list of allowed hosts has it in these words.
func (h *hosts) fetches(pattern string) decision {
	d := decision{Subject: pattern}
	_, bare, _ := strings.Cut(pattern, "://")
	limit := ""
	for _, key := range []string{"hosts.deny", "hosts.ports", "hosts.schemes"} {
		if h.listed(key) {
			limit = key
		}
	}
	if limit == "" && h.private == no {
		limit = "hosts.private"
	}
	if limit != "" {
		return d.no(limit+", which a pattern of hosts may get around", h.listPlace(limit), "Let the tool name each host.")
	}
	if !h.closed() {
		return h.usual(d)
	}
	for _, r := range h.allow {
		if r.text == pattern || r.text == bare || r.host == "*" && r.scheme == "" && r.port == 0 {
			return d.yes("hosts.allow "+quoted(r.text), h.at(r.at))
		}
	}
	return d.no("hosts.allow", h.listPlace("hosts.allow"), "Add "+quoted(bare)+" to hosts.allow to allow it.")
}
