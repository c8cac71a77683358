package config

import (
	"fmt"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/trailblaze-dev/trailblaze/fault"
)

// value finds the value that holds for a setting. layers are those of the files, the user's first; owned has removed
// the values that a project may not set.
func (c *Config) value(k Key, s Sources, layers []map[string]Setting) (Setting, error) {
	v := Setting{Key: k.Name, Value: k.Default, Source: "default"}
	var narrowed *Setting
	for i, layer := range layers {
		f, ok := layer[k.Name]
		switch {
		case !ok:
		case i > 0 && k.Owner == ProjectNarrows:
			if err := k.check(f); err != nil {
				return v, err
			}
			f.Owner = k.Owner
			narrowed = &f
		default:
			v = f
		}
	}
	if e := s.Env(k.Env); e != "" {
		v = Setting{Key: k.Name, Value: e, Source: "$" + k.Env}
	}
	if f, ok := s.Flags[k.Name]; ok {
		v = Setting{Key: k.Name, Value: f, Source: "flag"}
	}
	if v.Source == c.UserFile() {
		v.Value = c.ownPath(k, v.Value)
	}
	v.Owner = k.Owner
	if err := k.check(v); err != nil {
		return v, err
	}
	return c.narrow(k, v, narrowed), nil
}

// ownPath makes a relative path of the user's file one in the folder of that file: in the working directory, or in the
// project, the project would decide its content. The names of browsers are looked for elsewhere.
func (c *Config) ownPath(k Key, value string) string {
	own := k.Name == "policy" || k.Name == "browser" && strings.ContainsAny(value, `/\`)
	if !own || value == "" || filepath.IsAbs(value) {
		return value
	}
	return filepath.Join(c.Home, filepath.FromSlash(value))
}

// narrow puts the project's value beside the user's. Of two numbers the lower one holds; the readers of other values
// combine them. A value for one command holds alone.
func (c *Config) narrow(k Key, v Setting, by *Setting) Setting {
	if by == nil || v.ofCommand() {
		return v
	}
	switch {
	case k.Kind != "int" && v.Source == "default":
		return *by
	case k.Kind != "int":
		v.Narrowed = by
		return v
	}
	most, _ := strconv.Atoi(v.Value) // both were checked
	less, _ := strconv.Atoi(by.Value)
	if less < most {
		return *by
	}
	if less > most {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %s: %s is more than the %s of %s, so it is not used. %s",
			by.Source, k.Name, by.Value, v.Value, v.Source, k.ownWay()))
	}
	return v
}

// ofCommand reports whether a person has given a value for this command: by a flag or a variable.
func (s Setting) ofCommand() bool { return s.Source == "flag" || strings.HasPrefix(s.Source, "$") }

// owned removes the values that a project may not set, and warns of them.
func (c *Config) owned(layer map[string]Setting) {
	for _, k := range Keys() {
		v, there := layer[k.Name]
		if why := c.refused(k, v.Value); there && why != "" {
			delete(layer, k.Name)
			c.Warnings = append(c.Warnings, fmt.Sprintf("%s: %s %s, so it is not used. %s", v.Source, k.Name, why, k.ownWay()))
		}
	}
}

// refused returns the reason why a project may not give a setting this value, "" when it may.
func (c *Config) refused(k Key, value string) string {
	switch {
	case k.Owner == UserOnly:
		return "is the user's own setting, which no project's file gives"
	case k.Kind == "path" && !c.inside(value):
		return fmt.Sprintf("%q is outside of the project", value)
	}
	return ""
}

// Owned refuses a value that a file of the workspace may not give a setting.
func (c *Config) Owned(name, value string) error {
	k, err := Lookup(name)
	if err != nil {
		return err
	}
	if why := c.refused(k, value); why != "" {
		return fault.New(fault.Denied, "change configuration", "%s %s", k.Name, why).WithHint("%s", k.ownWay())
	}
	return nil
}

// ownWay returns the advice to a person for a setting that a project may not make.
func (k Key) ownWay() string {
	return fmt.Sprintf("To have it, run `trailblaze config set %s <value>` or set $%s.", k.Name, k.Env)
}

// inside reports whether a path stays in the workspace, links followed.
func (c *Config) inside(path string) bool {
	path = filepath.FromSlash(path)
	if path == "" {
		return true
	}
	if !filepath.IsLocal(path) {
		return false
	}
	root, err := filepath.EvalSymlinks(c.Workspace)
	if err != nil {
		return c.Workspace == ""
	}
	real, err := filepath.EvalSymlinks(filepath.Join(root, path))
	if err != nil {
		return true // what is not there leads nowhere
	}
	rel, err := filepath.Rel(root, real)
	return err == nil && filepath.IsLocal(rel)
}
