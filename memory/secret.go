package memory

import (
	"encoding/json"
	"slices"
)

// BindOrigin ties the secret to one web origin, as driver.Origin gives it: it is not typed into a page of another
// one, and nothing else that reaches a page holds it. An empty origin unties it.
func (s *Store) BindOrigin(name, origin string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if origin == "" {
		delete(s.origins, name)
		return
	}
	s.origins[name] = origin
}

// SecretOrigin returns the origin the secret is tied to, "" when it is free.
func (s *Store) SecretOrigin(name string) string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.origins[name]
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
		for _, n := range s.tainters(unescaped(str)) {
			found[n] = true
		}
		return edit{}, nil
	})
	return sortedSet(found)
}

// BoundIn returns the origins that the secrets in the authored arguments are tied to, by their names.
func (s *Store) BoundIn(authored json.RawMessage) map[string]string {
	var out map[string]string
	for _, name := range s.SecretsIn(authored) {
		if o := s.SecretOrigin(name); o != "" {
			if out == nil {
				out = map[string]string{}
			}
			out[name] = o
		}
	}
	return out
}

// Named returns a JSON document with every string that is a secret's value, and nothing else, replaced by the token
// that stands for it. A caller who spelled a secret out leaves a recording that works without holding it.
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
