package config

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/homedir"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

const fileName = "trailblaze.yaml"

// maxFile bounds a configuration file.
const maxFile = 1 << 20

// Sources are the sources of settings.
type Sources struct {
	Dir   string              // where the walk up begins
	Env   func(string) string // nil: no environment
	Flags map[string]string   // what was given on the command line, by key
}

// Setting is a value and who says so.
type Setting struct {
	Key    string `json:"key"`
	Value  string `json:"value"`
	Source string `json:"source"` // "flag", "$NAME", a file, "default"
	Owner  Owner  `json:"owner"`
	// Narrowed is the project's addition to the user's value of a setting that it may narrow.
	Narrowed *Setting `json:"narrowedBy,omitempty"`
}

// Config is the settings of one invocation.
type Config struct {
	Home      string   // where sessions and reports are kept
	Workspace string   // the root folder of the project, "" outside any
	Files     []string // that were read, the weakest first
	named     []string // files that these name
	Warnings  []string // keys that nobody knows, declarations that are left out
	Project   Project
	Blank     bool // a file of the project was empty, as one is for a moment while it is written

	values       map[string]Setting
	manifestPath string // trails/config/trailblaze.yaml, "" outside any workspace
	rootPath     string // trailblaze.yaml in the root folder, "" when there is none
}

// Load gathers the settings. A file that cannot be read or a value that cannot be is an error with its place.
func Load(s Sources) (*Config, error) {
	c, err := Locate(s)
	if err != nil {
		return nil, err
	}
	if s.Env == nil {
		s.Env = func(string) string { return "" }
	}
	var layers []map[string]Setting
	for _, path := range []string{c.UserFile(), c.rootPath, c.manifestPath} {
		layer, err := c.file(path)
		if err != nil {
			return nil, err
		}
		layers = append(layers, layer)
	}
	for _, k := range Keys() {
		v, err := c.value(k, s, layers)
		if err != nil {
			return nil, err
		}
		c.values[k.Name] = v
	}
	if d, p := c.values["device"], c.values["platform"]; d.Source == "default" && p.Value != "" {
		d.Value, d.Source = p.Value, p.Source
		c.values["device"] = d
	}
	return c, nil
}

// Locate finds where the settings would be read from, and reads none: a mistake in a file must not prevent mending it.
func Locate(s Sources) (*Config, error) {
	if s.Env == nil {
		s.Env = func(string) string { return "" }
	}
	c := &Config{values: map[string]Setting{}}
	var err error
	if c.Home, err = homedir.Of(s.Env); err != nil {
		return nil, err
	}
	c.find(s)
	return c, nil
}

// find finds the workspace and its files: where the environment says, or in the nearest folder above that is one.
func (c *Config) find(s Sources) {
	manifest := filepath.Join("trails", "config", fileName)
	if dir := s.Env(homedir.EnvConfig); dir != "" {
		c.Workspace, c.manifestPath = workspaceOf(dir), filepath.Join(dir, fileName)
	} else if dir, err := filepath.Abs(cmp.Or(s.Dir, ".")); err == nil {
		if c.Workspace = above(dir, c.isWorkspace); c.Workspace != "" {
			c.manifestPath = filepath.Join(c.Workspace, manifest)
		}
	}
	if c.Workspace != "" && c.isRoot(c.Workspace) {
		c.rootPath = filepath.Join(c.Workspace, fileName)
	}
}

// workspaceOf returns the folder of trails/config, when dir is that.
func workspaceOf(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil || filepath.Base(filepath.Dir(abs)) != "trails" {
		return ""
	}
	return filepath.Dir(filepath.Dir(abs))
}

// file reads the "defaults:" of one file. A file that is not there says nothing.
func (c *Config) file(path string) (map[string]Setting, error) {
	const op = "read configuration"
	if path == "" {
		return nil, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fault.Wrap(err, fault.Invalid, op)
	case info.Size() > maxFile:
		return nil, fault.New(fault.Invalid, op, "%s is larger than %d bytes", path, maxFile)
	}
	data, err := file.Read(path, maxFile)
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, op)
	}
	c.Files = append(c.Files, path)
	c.Blank = c.Blank || len(data) == 0 && path != c.UserFile()
	doc, out, strange, err := parse(data)
	lines := linesOf(string(data))
	for _, k := range strange {
		place := path
		if line := lines[k.at]; line > 0 {
			place += fmt.Sprint(":", line)
		}
		c.Warnings = append(c.Warnings, place+": "+k.text)
	}
	if err != nil {
		return nil, fault.New(fault.Invalid, op, "%s: %w", path, err)
	}
	c.declare(path, string(data), doc)
	for k, v := range out {
		v.Source = path
		out[k] = v
	}
	if path != c.UserFile() {
		c.owned(out)
	}
	return out, nil
}

// declare adds a file's declarations beside its settings. The user's own file declares models alone: servers and tools
// belong to a project, which a person trusts.
func (c *Config) declare(path, text string, doc map[string]any) {
	d := declared(path, text, doc)
	more, warnings := d.out, d.warn
	c.named = append(c.named, d.named...)
	if path == c.UserFile() {
		if len(more.Servers)+len(more.Targets)+len(more.Toolsets)+len(more.Tools) > 0 {
			warnings = append(warnings, path+": servers, targets, toolsets and tools belong into the file of a project")
		}
		more = Project{LLM: more.LLM}
	} else if given, _ := more.LLM["providers"].(map[string]any); given != nil {
		more.FromProject = sorted(given)
	}
	c.Warnings = append(c.Warnings, warnings...)
	c.Project = c.Project.join(more)
}

// strangeKey is a key that no setting has.
type strangeKey struct{ at, text string } // at is its name in the lines of its file

func strange(at, name string, known []string) strangeKey {
	text := fmt.Sprintf("unknown key %q", strings.ReplaceAll(at, "/", "."))
	if i := slices.IndexFunc(known, func(k string) bool { return alike(name, k) }); i >= 0 {
		text += "; did you mean " + known[i] + "?"
	}
	return strangeKey{at, text}
}

// alike reports whether one name is likely meant for another: with signs or letters in another place, or without its
// end.
func alike(a, b string) bool {
	plain := strings.NewReplacer("-", "", "_", "")
	a, b = strings.ToLower(plain.Replace(a)), strings.ToLower(plain.Replace(b))
	if len(a) > 2 && len(b) > 2 && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)) {
		return true
	}
	return slices.Equal(slices.Sorted(slices.Values([]byte(a))), slices.Sorted(slices.Values([]byte(b))))
}

// parse reads one file's settings, with a warning about each unknown key.
func parse(data []byte) (doc map[string]any, out map[string]Setting, warnings []strangeKey, err error) {
	if err := yaml.Unmarshal(data, &doc); err != nil {
		return nil, nil, nil, err
	}
	for _, k := range sorted(doc) {
		if !slices.Contains(roots, k) {
			warnings = append(warnings, strange(k, k, roots))
		}
	}
	defaults, ok := doc["defaults"].(map[string]any)
	if !ok && doc["defaults"] != nil {
		return nil, nil, warnings, errors.New("defaults: must be a mapping")
	}
	out = map[string]Setting{}
	for _, top := range sorted(topSettings) {
		v, there := doc[top]
		switch {
		case !there:
		case !scalar(v):
			return nil, nil, warnings, fmt.Errorf("%s: must be a single value", top)
		default:
			out[topSettings[top]] = Setting{Key: topSettings[top], Value: fmt.Sprint(v)}
		}
	}
	known := Keys()
	for _, name := range sorted(defaults) {
		v := defaults[name]
		switch {
		case slices.ContainsFunc(known, func(k Key) bool { return k.Name == name }):
			if !scalar(v) {
				return nil, nil, warnings, fmt.Errorf("defaults.%s: must be a single value", name)
			}
			out[name] = Setting{Key: name, Value: fmt.Sprint(v)}
		default:
			names := make([]string, 0, len(known))
			for _, k := range known {
				names = append(names, k.Name)
			}
			warnings = append(warnings, strange("defaults/"+name, name, names))
		}
	}
	return doc, out, warnings, nil
}

func scalar(v any) bool {
	switch v.(type) {
	case nil, []any, map[string]any:
		return false
	}
	return true
}

func sorted[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// check returns an error for a value that its kind does not allow.
func (k Key) check(v Setting) error {
	err := k.read(v.Value)
	if err == nil {
		return nil
	}
	if num, ok := errors.AsType[*strconv.NumError](err); ok {
		err = num.Err
	}
	return fault.New(fault.Invalid, "read configuration", "%s %q (from %s): %w", k.Name, v.Value, v.Source, err).
		WithHint("It is a %s: %s.", k.Kind, k.Help)
}

func (k Key) read(value string) error {
	var err error
	switch k.Kind {
	case "int":
		var n int
		n, err = strconv.Atoi(value)
		return inRange(err, n >= 0, "must not be negative")
	case "bool":
		_, err = strconv.ParseBool(value)
	case "duration", "time":
		var d time.Duration
		d, err = time.ParseDuration(value)
		if k.Kind == "duration" {
			return inRange(err, d > 0, "must be more than zero")
		}
		return inRange(err, d >= 0, "must not be negative")
	case "size":
		_, _, err = Size(value)
	case "string":
		allowed := choices[k.Name]
		named := slices.DeleteFunc(slices.Clone(allowed), func(s string) bool { return s == "" })
		return inRange(nil, len(allowed) == 0 || slices.Contains(allowed, value),
			"must be one of "+strings.Join(named, ", "))
	}
	return err
}

// inRange is err, or the rule that a value which could be read does not keep.
func inRange(err error, keeps bool, rule string) error {
	if err == nil && !keeps {
		return errors.New(rule)
	}
	return err
}

// Size reads "1280x800".
func Size(s string) (width, height int, err error) {
	w, h, ok := strings.Cut(strings.ToLower(s), "x")
	width, errW := strconv.Atoi(strings.TrimSpace(w))
	height, errH := strconv.Atoi(strings.TrimSpace(h))
	if !ok || errW != nil || errH != nil || width < 100 || height < 100 || width > 10000 || height > 10000 {
		return 0, 0, errors.New("must look like 1280x800, each between 100 and 10000")
	}
	return width, height, nil
}

// UserFile is the user's own settings file, which may not exist yet.
func (c *Config) UserFile() string { return filepath.Join(c.Home, fileName) }
