package memory

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/trailblaze-dev/trailblaze/memory/mask"
)

// BindOrigin ties the secret to one web origin, as driver.Origin gives it: it is not typed into a page of another
// one, and nothing else that reaches a page holds it. An empty origin unties it.
func (s *Store) BindOrigin(name, origin string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name = s.own(name)
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
	return s.origins[s.key(name)]
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
			if name := s.key(tok.name); s.secrets[name] {
				found[name] = true
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
	delete(found, "") // what was only typed is nobody's
	return sortedSet(found)
}

// SecretsPut returns the secrets that expanding the authored arguments of a call puts into each of them: by token,
// alone or through a value that holds one. Those of carried, which the caller was given by token, also count when
// spelled out. An argument that is there twice is searched twice.
func (s *Store) SecretsPut(authored json.RawMessage, carried []string) map[string][]string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if len(s.marks) == 0 {
		return nil
	}
	out := map[string][]string{}
	eachArgument(authored, func(argument string, raw json.RawMessage) {
		_, _ = rewrite(raw, func(text string) (edit, error) {
			for _, name := range s.put(text, carried) {
				if !slices.Contains(out[argument], name) {
					out[argument] = append(out[argument], name)
				}
			}
			return edit{}, nil
		})
	})
	return out
}

func (s *Store) put(text string, carried []string) (names []string) {
	for _, t := range tokens(text) {
		v, ok := s.lookup(t.name)
		if !ok {
			continue
		}
		if name := s.key(t.name); s.secrets[name] {
			names = append(names, name)
		}
		for _, m := range s.marks {
			// The digits of a short secret are in many a value by chance.
			if slices.ContainsFunc(leaves(v), func(leaf string) bool {
				return leaf == m.value || !mask.Short(m.value) && strings.Contains(leaf, m.value)
			}) && m.name != "" {
				names = append(names, m.name)
			}
		}
	}
	if len(carried) > 0 {
		for _, name := range s.tainters(unescaped(text)) {
			if slices.Contains(carried, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// eachArgument calls f for every member of an object; other JSON is one argument without a name.
func eachArgument(raw json.RawMessage, f func(name string, value json.RawMessage)) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') {
		f("", raw)
		return
	}
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err != nil || dec.Decode(&value) != nil {
			return
		}
		f(fmt.Sprint(name), value)
	}
}

// Conceal masks, from now on, the texts in the authored arguments of a call where secret says that secrets belong.
// Such a secret has no name by which it could be used; a recording names it by its argument, if that name is free.
func (s *Store) Conceal(authored json.RawMessage, secret func(argument string) bool) {
	decoded, err := decodeJSON(authored)
	args, ok := decoded.(map[string]any)
	if err != nil || !ok {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, v := range args {
		if secret(name) {
			s.conceal(name, v)
		}
	}
}

func (s *Store) conceal(name string, v any) {
	switch v := v.(type) {
	case map[string]any:
		for _, e := range v {
			s.conceal(name, e)
		}
	case []any:
		for _, e := range v {
			s.conceal(name, e)
		}
	case nil, bool: // the word true is no secret
	case string:
		s.spelledOut(name, v)
	default:
		s.mark("", v)
	}
}

// spelledOut marks the parts of a text that are no tokens.
func (s *Store) spelledOut(name, text string) {
	done := 0
	for _, t := range tokens(text) {
		if t.escape() {
			continue
		}
		s.mark("", unescaped(text[done:t.from]))
		done = t.to
	}
	rest := unescaped(text[done:])
	s.mark("", rest)
	if done > 0 || rest == "" || s.typed[rest] != "" {
		return
	}
	if _, taken := s.lookup(name); !taken && !slices.Contains(slices.Collect(maps.Values(s.typed)), name) {
		s.typed[rest], s.secrets[name] = name, true
	}
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
		if name := s.typed[str]; name != "" {
			return edit{value: quoteJSON("{{" + name + "}}")}, nil
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
			if !slices.Contains(names, m.name) && mask.Contains(leaf, m.value) {
				names = append(names, m.name)
			}
		}
	}
	return names
}
