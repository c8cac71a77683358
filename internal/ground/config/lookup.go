package config

import (
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/phrase"
)

// Lookup finds a setting by its name. Upstream's spelling with capitals or underscores is understood.
func Lookup(name string) (Key, error) {
	plain := fold(name)
	keys := Keys()
	for _, k := range keys {
		if fold(k.Name) == plain || k.Env == name {
			return k, nil
		}
	}
	err := fault.New(fault.NotFound, "find setting", "there is no setting %q", name)
	if near := nearest(plain, keys); near != "" {
		return Key{}, err.WithHint("Did you mean %s?", near)
	}
	return Key{}, err.WithHint("trailblaze config list shows all.")
}

// Check returns an error for a value that the setting does not allow.
func (k Key) Check(value string) error {
	return k.check(Setting{Key: k.Name, Value: value, Source: "the command line"})
}

// Get is one setting with its source.
func (c *Config) Get(name string) (Setting, error) {
	k, err := Lookup(name)
	return c.values[k.Name], err
}

func fold(s string) string {
	return strings.ToLower(strings.NewReplacer("_", "", "-", "", ".", "").Replace(strings.TrimPrefix(s, "defaults.")))
}

// nearest is the key that was most likely meant: within two edits, or one part of the other.
func nearest(want string, keys []Key) string {
	best, cost := "", 3
	for _, k := range keys {
		name := fold(k.Name)
		d := phrase.Distance(want, name)
		if len(want) >= 3 && strings.Contains(name, want) {
			d = min(d, 2)
		}
		if d < cost && d < len(name)-1 {
			best, cost = k.Name, d
		}
	}
	return best
}
