package memory

import (
	"encoding/json"
	"net/url"
	"slices"
	"strings"
)

// BindOrigin ties the secret to one web origin: a driver refuses to type it into a page of another one. What is given
// may be any URL of the origin. An empty origin unties it.
func (s *Store) BindOrigin(name, origin string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if origin == "" {
		delete(s.origins, name)
		return
	}
	s.origins[name] = Origin(origin)
}

// SecretOrigin returns the origin the secret is tied to, "" when it is free.
func (s *Store) SecretOrigin(name string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.origins[name]
}

// Origin reduces a URL to scheme://host[:port], lower case, without the scheme's own port. What is no such URL comes
// back as it is, so that a comparison with a real origin fails.
func Origin(raw string) string {
	u, err := url.Parse(strings.TrimSpace(raw))
	if err != nil || u.Scheme == "" || u.Host == "" {
		return raw
	}
	scheme, host := strings.ToLower(u.Scheme), strings.ToLower(u.Hostname())
	if strings.Contains(host, ":") {
		host = "[" + host + "]"
	}
	port := u.Port()
	if port == "" || scheme == "http" && port == "80" || scheme == "https" && port == "443" {
		return scheme + "://" + host
	}
	return scheme + "://" + host + ":" + port
}

// SecretsIn returns the names of the secrets that the authored arguments use: by token, through a value or argument
// that holds a secret's value, or spelled out.
func (s *Store) SecretsIn(authored json.RawMessage) []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.marks) == 0 {
		return nil
	}
	found := map[string]bool{}
	_, _ = rewrite(authored, func(str string) (edit, error) {
		for _, tok := range tokens(str) {
			if s.secrets[tok.name] {
				found[tok.name] = true
			}
			if v, ok := s.lookup(tok.name); ok {
				for _, n := range s.tainters(v) {
					found[n] = true
				}
			}
		}
		for _, n := range s.tainters(str) {
			found[n] = true
		}
		return edit{}, nil
	})
	return sortedSet(found)
}

// Named returns a JSON document with every string that is a secret's value, and nothing else, replaced by the token that
// stands for it. A caller who spelled a secret out leaves a recording that works without holding it.
func (s *Store) Named(raw json.RawMessage) json.RawMessage {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.marks) == 0 {
		return raw
	}
	out, err := rewrite(raw, func(str string) (edit, error) {
		for _, m := range s.marks {
			if v, ok := s.lookup(m.name); ok && v == str && m.value == str {
				return edit{value: quoteJSON("{{" + m.name + "}}")}, nil
			}
		}
		return edit{}, nil
	})
	if err != nil {
		return raw
	}
	return out
}

// tainters returns the names of the secrets whose value stands somewhere in v.
func (s *Store) tainters(v any) []string {
	if len(s.marks) == 0 {
		return nil
	}
	var names []string
	for _, leaf := range leaves(v) {
		for _, m := range s.marks {
			if !slices.Contains(names, m.name) && contains(leaf, m.value) {
				names = append(names, m.name)
			}
		}
	}
	return names
}
