package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

// Set writes one setting into a file, which it makes if need be. Everything else in the file stays as it is, comments
// and order too; an unsafe change is refused. The file is replaced atomically.
func (c *Config) Set(path, key, value string) error {
	k, err := Lookup(key)
	if err != nil {
		return err
	}
	if err := k.Check(value); err != nil {
		return err
	}
	return c.edit(path, k.Name, &value)
}

// Unset takes a setting out of a file. It reports whether it was there.
func (c *Config) Unset(path, key string) (was bool, err error) {
	k, err := Lookup(key)
	if err != nil {
		return false, err
	}
	_, doc, err := read(path)
	if err != nil {
		return false, err
	}
	if defaults, _ := doc["defaults"].(map[string]any); defaults[k.Name] == nil {
		return false, nil
	}
	return true, c.edit(path, k.Name, nil)
}

// edit changes a file's text, proves that nothing but the one setting has changed, and replaces the file.
func (c *Config) edit(path, key string, value *string) error {
	const op = "change configuration"
	mine := path == c.UserFile()
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real // the file that a link leads to is changed, not the link
	}
	text, before, err := read(path)
	if err != nil {
		return err
	}
	var written *string
	if value != nil {
		text := quoted(*value)
		written = &text
	}
	next, ok := yaml.Edit(text, "defaults", key, written)
	var after map[string]any
	if err := yaml.Unmarshal([]byte(next), &after); !ok || err != nil || !onlyChanged(before, after, key, value) {
		return fault.New(fault.Unsupported, op, "%s is written in a way that cannot be changed safely", path).
			WithHint("Edit it by hand: %s stands under defaults:.", key)
	}
	return replace(path, next, mine)
}

// read returns a file's text and its content. A file that is not there is empty.
func read(path string) (text string, doc map[string]any, err error) {
	const op = "change configuration"
	data, err := file.Read(path, maxFile)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil, nil
	case err != nil:
		return "", nil, fault.Wrap(err, fault.Invalid, op)
	case len(data) > maxFile:
		return "", nil, fault.New(fault.Invalid, op, "%s is larger than %d bytes", path, maxFile)
	}
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return "", nil, fault.New(fault.Invalid, op, "%s: %w", path, err)
	}
	if d := doc["defaults"]; d != nil {
		if _, ok := d.(map[string]any); !ok {
			return "", nil, fault.New(fault.Invalid, op, "%s: defaults: must be a mapping", path)
		}
	}
	return string(data), doc, nil
}

// onlyChanged reports whether after is before with one setting changed.
func onlyChanged(before, after map[string]any, key string, value *string) bool {
	got, _ := after["defaults"].(map[string]any)
	if value == nil {
		if _, there := got[key]; there {
			return false
		}
	} else if v, there := got[key]; !there || fmt.Sprint(v) != *value {
		return false
	}
	return reflect.DeepEqual(without(before, key), without(after, key))
}

func without(doc map[string]any, key string) map[string]any {
	out := map[string]any{}
	for k, v := range doc {
		if k != "defaults" {
			out[k] = v
		}
	}
	rest := map[string]any{}
	defaults, _ := doc["defaults"].(map[string]any)
	for k, v := range defaults {
		if k != key {
			rest[k] = v
		}
	}
	out["defaults"] = rest
	return out
}

// quoted is a value as YAML, in quotes where it would be read as something else.
func quoted(value string) string {
	var v any
	plain := value != "" && !strings.ContainsAny(value, "\n\r\t#,[]{}&*!|>'\"%@`") && !strings.Contains(value, ": ") &&
		strings.TrimSpace(value) == value
	if plain && yaml.Unmarshal([]byte(value), &v) == nil && scalar(v) && fmt.Sprint(v) == value {
		return value
	}
	return strconv.Quote(value)
}

// replace writes a file so that readers see the old one or the new one. The user's own file is for its user alone,
// whatever its mode was.
func replace(path, text string, mine bool) error {
	const op = "write configuration"
	mode := fs.FileMode(0o644)
	info, err := os.Stat(path)
	switch {
	case mine:
		mode = 0o600
	case err == nil:
		mode = info.Mode().Perm()
	}
	return fault.Wrap(file.ReplaceAs(path, mode, []byte(text)), fault.Unavailable, op)
}
