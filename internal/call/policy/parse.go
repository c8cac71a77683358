package policy

import (
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/driver"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

var topKeys = []string{"profile", "actions", "hosts", "files", "evaluate", "sources", "permissions", "secrets"}

// Parse reads a policy. Path is the name of the file in messages.
func Parse(path string, data []byte, o Options) (*Policy, error) {
	p := Default(Explore, o)
	p.path = path
	r := &reader{}
	r.path = p.name()
	root := r.document(string(data))
	if root == nil {
		return nil, r.err()
	}
	for _, e := range root.entries {
		switch e.key {
		case "profile":
			p.profile = Profile(r.word(e, "profile", string(Explore), string(Test), string(CI)))
		case "actions":
			p.actions.lists = readLists(r, p, e, r.readAction)
		case "hosts":
			p.readHosts(r, e)
		case "files":
			p.readFiles(r, e)
		case "evaluate":
			p.actions.evaluate = verdict(r.word(e, "evaluate", string(yes), string(no)))
			p.where["evaluate"] = e.at
		case "sources":
			p.readSources(r, e)
		case "permissions":
			p.permissions.lists = readLists(r, p, e, r.readPermission)
		case "secrets":
			p.readSecrets(r, e)
		default:
			r.unknown(e, "a policy", topKeys)
		}
	}
	if err := r.err(); err != nil {
		return nil, err
	}
	return p, nil
}

// readLists reads "allow:" and "deny:" below a key, and leaves other keys to rest.
func readLists[R any](r *reader, p *Policy, e entry, read func(item) (R, bool), rest ...func(entry) bool) lists[R] {
	var out lists[R]
	known := []string{"allow", "deny"}
	if e.key == "hosts" {
		known = append(known, "ports", "schemes", "private")
	}
	for _, k := range r.mapping(e.value, e.key).entries {
		switch {
		case k.key == "allow" || k.key == "deny":
			key := e.key + "." + k.key
			p.where[key] = k.at
			for _, it := range r.list(k, key) {
				rule, ok := read(it)
				switch {
				case !ok:
				case k.key == "allow":
					out.allow = append(out.allow, rule)
				default:
					out.deny = append(out.deny, rule)
				}
			}
			out.hasAllow = out.hasAllow || k.key == "allow"
		case len(rest) > 0 && rest[0](k):
		default:
			r.unknown(k, e.key, known)
		}
	}
	return out
}

func (p *Policy) readHosts(r *reader, e entry) {
	p.hosts.lists = readLists(r, p, e, r.readHost, func(k entry) bool {
		key := "hosts." + k.key
		switch k.key {
		case "ports":
			for _, it := range r.list(k, key) {
				n, err := strconv.Atoi(it.text)
				if err != nil || n < 1 || n > 65535 {
					r.bad(it.at, "%q is not a port", it.text)
				}
				p.hosts.ports = append(p.hosts.ports, n)
			}
		case "schemes":
			for _, it := range r.list(k, key) {
				if it.text != "http" && it.text != "https" {
					r.bad(it.at, "%q: a scheme is http or https", it.text)
				}
				p.hosts.schemes = append(p.hosts.schemes, it.text)
			}
		case "private":
			p.hosts.private = verdict(r.word(k, key, string(yes), string(no)))
		default:
			return false
		}
		p.where[key] = k.at
		return true
	})
}

func (p *Policy) readFiles(r *reader, e entry) {
	for _, k := range r.mapping(e.value, "files").entries {
		key := "files." + k.key
		if k.key != "read" && k.key != "write" {
			r.unknown(k, "files", []string{"read", "write"})
			continue
		}
		p.where[key] = k.at
		for _, it := range r.list(k, key) {
			if strings.ContainsAny(it.text, "*?") {
				r.bad(it.at, "%q: files are named by their folder, without * and ?", it.text)
				continue
			}
			rule := fileRule{it.text, it.at}
			if k.key == "read" {
				p.files.read = append(p.files.read, rule)
			} else {
				p.files.write = append(p.files.write, rule)
			}
		}
	}
}

func (p *Policy) readSecrets(r *reader, e entry) {
	for _, k := range r.mapping(e.value, "secrets").entries {
		s := Secret{Name: k.key, at: k.at}
		if _, plain := yaml.Scalar(k.value); plain {
			r.bad(r.placeOfValue(k), "secrets.%s: a policy holds no secrets; say where it may be typed (origin:) and which "+
				"variable holds it (env:)", k.key)
			continue
		}
		for _, f := range r.mapping(k.value, "secrets."+k.key).entries {
			text, ok := yaml.Scalar(f.value)
			switch {
			case f.key != "origin" && f.key != "env":
				r.unknown(f, "secrets."+k.key, []string{"origin", "env"})
			case !ok || text == "":
				r.bad(r.placeOfValue(f), "secrets.%s.%s must be a text", k.key, f.key)
			case f.key == "env":
				s.Env = text
			default:
				origin := driver.Origin(text)
				if origin == "" {
					r.bad(r.placeOfValue(f),
						"secrets.%s.origin: %q is not an origin, such as https://shop.test (letters beyond ASCII are written as xn--…)",
						k.key, text)
					continue
				}
				s.Origin = origin
			}
		}
		p.secrets = append(p.secrets, s)
	}
}
