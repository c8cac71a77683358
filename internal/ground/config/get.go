package config

import (
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// Settings lists every setting with its source, in the order of Keys.
func (c *Config) Settings() []Setting {
	var out []Setting
	for _, k := range Keys() {
		out = append(out, c.values[k.Name])
	}
	return out
}

// String returns a setting as it was written.
func (c *Config) String(key string) string { return c.values[key].Value }

// Int returns a setting that Load has found to be a number.
func (c *Config) Int(key string) int {
	n, _ := strconv.Atoi(c.values[key].Value)
	return n
}

// OfClient are the settings that a client of the daemon gives with its own environment, for its own calls.
var OfClient = []string{"llm", "max-llm-calls"}

// For returns the settings for a client whose environment is env: its values of OfClient hold, as they would for a
// command.
func (c *Config) For(env func(string) string) (*Config, error) {
	own := *c
	own.values = maps.Clone(c.values)
	for _, name := range OfClient {
		k, err := Lookup(name)
		if err != nil {
			return nil, err
		}
		v := Setting{Key: name, Value: env(k.Env), Source: "$" + k.Env, Owner: k.Owner}
		if v.Value == "" {
			continue
		}
		if err := k.check(v); err != nil {
			return nil, err
		}
		own.values[name] = v
	}
	return &own, nil
}

// Bool returns a setting that Load has found to be true or false.
func (c *Config) Bool(key string) bool {
	b, _ := strconv.ParseBool(c.values[key].Value)
	return b
}

// Duration returns a setting that Load has found to be a duration.
func (c *Config) Duration(key string) time.Duration {
	d, _ := time.ParseDuration(c.values[key].Value)
	return d
}

// Size returns a setting that Load has found to be a size.
func (c *Config) Size(key string) (width, height int) {
	width, height, _ = Size(c.values[key].Value)
	return width, height
}

// Sessions is the folder of all sessions.
func (c *Config) Sessions() string { return c.folder("sessions") }

// Reports is the folder of all reports.
func (c *Config) Reports() string { return c.folder("reports") }

func (c *Config) folder(key string) string {
	if v := c.values[key].Value; v != "" {
		return v
	}
	return filepath.Join(c.Home, key)
}

// Policies are the policy files that are named: the user's, and the project's relative to it, which adds to the user's.
// Alone says that the user's was named for this command, which obeys no other.
func (c *Config) Policies() (user, project string, alone bool) {
	s := c.values["policy"]
	if n := s.Narrowed; n != nil {
		project = n.Value
	}
	if slices.Contains([]string{c.rootPath, c.manifestPath}, s.Source) && s.Source != c.UserFile() {
		return "", s.Value, false
	}
	return s.Value, project, s.ofCommand()
}
