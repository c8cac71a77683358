package memory

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"github.com/trailblaze-dev/trailblaze/memory/mask"
)

// BlankUnknownEnv makes unknown tokens expand to nothing instead of staying as they are, when set to 1.
const BlankUnknownEnv = "TRAILBLAZE_MEMORY_BLANK_UNKNOWN_TOKENS"

// Store is the memory of one session: named values, some of them secret. It is safe for concurrent use.
// The zero value is not usable; call New.
type Store struct {
	*kept
	owner string // whose values come first; "" for none
}

// kept is what the stores of all owners share.
type kept struct {
	mu      sync.RWMutex
	values  map[string]any
	args    map[string]any
	secrets map[string]bool   // names, sticky for the session
	origins map[string]string // secret name -> origin of the pages it may be typed into
	typed   map[string]string // value that was spelled out where a secret belongs -> the name that stands for it
	marks   []mark            // every value a secret ever had, longest first; what was typed has no name
	masker  *mask.Masker      // built from marks by search; nil: not yet
	warned  map[string]bool   // tokens already warned about
	owners  map[string]bool
	blank   bool
}

// mark is one value of a secret.
type mark struct{ name, value string }

// New returns an empty store.
func New() *Store {
	return &Store{kept: &kept{
		values: map[string]any{}, args: map[string]any{}, secrets: map[string]bool{}, origins: map[string]string{},
		typed: map[string]string{}, warned: map[string]bool{}, owners: map[string]bool{},
		blank: os.Getenv(BlankUnknownEnv) == "1",
	}}
}

// Of returns the store as an owner sees it: a name that the owner sets is kept behind that of the owner and a dot, and
// read by the name alone before one that all share. Everything else is the same in both.
func (s *Store) Of(owner string) *Store {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.owners[owner] = true
	return &Store{kept: s.kept, owner: owner}
}

// own returns the key under which a name is set.
func (s *Store) own(name string) string {
	if first, _, dotted := strings.Cut(name, "."); s.owner == "" || dotted && s.owners[first] {
		return name
	}
	return s.owner + "." + name
}

// key returns the key under which a name is found: that of the owner, if there is one.
func (s *Store) key(name string) string {
	if s.owner == "" {
		return name
	}
	own := s.own(name)
	if _, ok := s.values[own]; ok || s.secrets[own] {
		return own
	}
	return name
}

// Set remembers v under name. A name that was ever secret stays secret, and so is whatever holds a secret's value.
func (s *Store) Set(name string, v any) {
	v = clone(v)
	s.mu.Lock()
	defer s.mu.Unlock()
	name = s.own(name)
	s.values[name] = v
	if s.secrets[name] {
		s.mark(name, v)
	}
}

// SetSecret remembers value under name and hides it from everything that prints: the marker outlives Delete and Set.
func (s *Store) SetSecret(name, value string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	name = s.own(name)
	s.values[name] = value
	s.secrets[name] = true
	s.mark(name, value)
}

// mark makes every string inside v a secret value of name.
func (s *Store) mark(name string, v any) {
	for _, leaf := range leaves(v) {
		m := mark{name, leaf}
		if leaf == "" || slices.Contains(s.marks, m) {
			continue
		}
		at, _ := slices.BinarySearchFunc(s.marks, len(leaf), func(m mark, n int) int {
			if len(m.value) >= n {
				return -1 // after those of its length, which came before it
			}
			return 1
		})
		s.marks, s.masker = slices.Insert(s.marks, at, m), nil
	}
}

// InheritMasks has the store mask whatever other masks. The values themselves are not handed on. A caller that has
// the value of a secret with a name learns the name.
func (s *Store) InheritMasks(other *Store) {
	other.mu.RLock()
	marks := slices.Clone(other.marks)
	other.mu.RUnlock()
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, m := range marks {
		if _, taken := s.values[m.name]; !taken && m.name != "" {
			s.secrets[m.name] = true
		}
		s.mark(m.name, m.value)
	}
}

// Get returns the value under name.
func (s *Store) Get(name string) (any, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.values[s.key(name)]
	return clone(v), ok
}

// Delete forgets name. A secret's value is still masked.
func (s *Store) Delete(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.values, s.own(name))
}

// SetArgs sets the trail's bound arguments, which {{args.name}} tokens read.
func (s *Store) SetArgs(args map[string]any) {
	c, _ := clone(args).(map[string]any)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.args = c
}

// Names returns the remembered names, sorted; an owner's own without the owner.
func (s *Store) Names() []string {
	s.mu.RLock()
	defer s.mu.RUnlock()
	names := map[string]bool{}
	for name := range s.values {
		names[s.plain(name)] = true
	}
	return slices.Sorted(maps.Keys(names))
}

// plain returns the name under which the owner reads a key.
func (s *Store) plain(key string) string {
	if s.owner == "" {
		return key
	}
	return strings.TrimPrefix(key, s.owner+".")
}

// Public returns all values that are not secret and hold no secret's value: they may be logged, dumped or shown to
// a model.
func (s *Store) Public() map[string]any {
	s.mu.RLock()
	defer s.mu.RUnlock()
	out := make(map[string]any, len(s.values))
	for name, v := range s.values {
		if plain := s.plain(name); !s.isSecret(name, v) && s.key(plain) == name {
			out[plain] = clone(v)
		}
	}
	return out
}

// IsSecret reports whether the value of name must not be shown. "args.x" asks about an argument.
func (s *Store) IsSecret(name string) bool {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, _ := s.lookup(name)
	return s.isSecret(s.key(name), v)
}

func (s *Store) isSecret(name string, v any) bool {
	return s.secrets[name] || len(s.tainters(v)) > 0
}

// clone copies maps and lists so that callers and the store never share them.
func clone(v any) any {
	switch v := v.(type) {
	case nil, string, bool, int, int64, uint64, float64, json.Number:
		return v
	case map[string]any:
		c := make(map[string]any, len(v))
		for k, e := range v {
			c[k] = clone(e)
		}
		return c
	case []any:
		c := make([]any, len(v))
		for i, e := range v {
			c[i] = clone(e)
		}
		return c
	}
	b, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	out, err := decodeJSON(b)
	if err != nil {
		return string(b)
	}
	return out
}

// leaves returns the printed form of every scalar in v.
func leaves(v any) []string {
	switch v := v.(type) {
	case map[string]any:
		var out []string
		for _, k := range slices.Sorted(maps.Keys(v)) {
			out = append(out, leaves(v[k])...)
		}
		return out
	case []any:
		var out []string
		for _, e := range v {
			out = append(out, leaves(e)...)
		}
		return out
	}
	return []string{text(v)}
}

// Masker returns the search for the secrets there are, nil while there are none. It is immutable; the next one is made
// on first use, so that adding a thousand secrets builds it once.
func (s *Store) Masker() *mask.Masker {
	s.mu.RLock()
	k, none := s.masker, len(s.marks) == 0
	s.mu.RUnlock()
	if none || k != nil {
		return k
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.masker == nil {
		var values []string
		for _, m := range s.marks {
			values = append(values, m.value)
			if spelled := Escape(m.value); spelled != m.value {
				values = append(values, spelled)
			}
		}
		s.masker = mask.New(values...)
	}
	return s.masker
}

// Mask replaces every occurrence of every secret in text, whatever it was encoded as on the way.
func (s *Store) Mask(text string) string { return s.Masker().Text(text) }

// MaskJSON masks the strings, keys and numbers of a JSON document and leaves all other bytes as they are. Data that
// is not JSON is masked as text and comes back as a JSON string.
func (s *Store) MaskJSON(raw json.RawMessage) json.RawMessage {
	k := s.Masker()
	if k == nil || len(raw) == 0 {
		return raw
	}
	out, err := maskJSON(k, raw)
	if err != nil {
		return json.RawMessage(quoteJSON(k.Text(string(raw))))
	}
	return out
}
