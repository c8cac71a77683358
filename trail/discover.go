package trail

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/trailblaze-dev/trailblaze/fault"
	"github.com/trailblaze-dev/trailblaze/internal/ground/file"
	"github.com/trailblaze-dev/trailblaze/internal/ground/yaml"
)

// The names of trail files. A directory with a trail.yaml is one trail; <name>.trail.yaml are several.
const (
	fileName   = "trail.yaml"
	fileSuffix = ".trail.yaml"
	blazeName  = "blaze.yaml"      // legacy: sentences without recordings
	oldName    = "trailblaze.yaml" // legacy, and the name of a workspace's manifest
)

// families are the device classes that legacy one-device files are named after: web.trail.yaml, ios-iphone.trail.yaml.
var families = []string{"web", "android", "ios", "desktop", "compose", "electron"}

// pruned are directories that hold no trails, beside the hidden ones.
var pruned = []string{"node_modules", "build"}

// Discover turns command line arguments (files, directories, globs; none: the root itself) into trail files, sorted,
// each once. Relative arguments are taken from root. Hidden directories and node_modules are not searched, symbolic
// links are not followed.
func Discover(root string, args []string) ([]string, error) {
	return discover(root, args, nil)
}

// DiscoverFor is Discover for one device: of a directory's legacy one-per-device files it keeps only the closest.
func DiscoverFor(root string, args, classifiers []string) ([]string, error) {
	return discover(root, args, classifiers)
}

func discover(root string, args, classifiers []string) ([]string, error) {
	if len(args) == 0 {
		args = []string{"."}
	}
	var out []string
	for _, arg := range args {
		path := arg
		if !filepath.IsAbs(arg) {
			path = filepath.Join(root, arg)
		}
		found, err := discoverOne(arg, path, classifiers)
		if err != nil {
			return nil, err
		}
		out = append(out, found...)
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}

func discoverOne(arg, path string, classifiers []string) ([]string, error) {
	info, err := os.Stat(path)
	switch {
	case err == nil && info.IsDir():
		return discoverDir(arg, path, classifiers)
	case err == nil:
		return []string{filepath.Clean(path)}, nil
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fault.Wrap(err, fault.Invalid, "find trails")
	case strings.ContainsAny(arg, "*?[{"):
		return discoverGlob(arg, path)
	}
	return nil, fault.New(fault.Invalid, "find trails", "%s does not exist", arg).
		WithHint("%s", nearFiles(path))
}

// nearFiles hints at a file whose name is nearly the one asked for.
func nearFiles(path string) string {
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		return "Give a trail file, a directory or a glob."
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if h := didYouMean(filepath.Base(path), names); h != "" {
		return h
	}
	return "Give a trail file, a directory or a glob."
}

func discoverDir(arg, dir string, classifiers []string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case e.IsDir() && path != dir && skipDir(e.Name()):
			return filepath.SkipDir
		case e.Type().IsRegular() && isTrailFile(path):
			out = append(out, filepath.Clean(path))
		}
		return nil
	})
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "find trails")
	}
	if len(out) == 0 {
		// A directory may hold a trail's assets, the trail itself lying beside it.
		if sibling := filepath.Clean(dir) + fileSuffix; isFile(sibling) {
			return []string{sibling}, nil
		}
		return nil, fault.New(fault.Invalid, "find trails", "no trail in %s", arg).
			WithHint("Trail files are named trail.yaml or <name>.trail.yaml.")
	}
	if len(classifiers) > 0 {
		out = closest(out, classifiers)
	}
	return out, nil
}

func discoverGlob(arg, pattern string) ([]string, error) {
	base, rest := doublestar.SplitPattern(filepath.ToSlash(pattern))
	if !doublestar.ValidatePattern(rest) {
		return nil, fault.New(fault.Invalid, "find trails", "%q is no glob", arg)
	}
	var out []string
	err := doublestar.GlobWalk(os.DirFS(base), rest, func(path string, e fs.DirEntry) error {
		if slices.ContainsFunc(strings.Split(filepath.ToSlash(filepath.Dir(path)), "/"), skipDir) {
			return nil
		}
		full := filepath.Join(filepath.FromSlash(base), filepath.FromSlash(path))
		if e.Type().IsRegular() && (isTrailFile(full) || isYAML(full) && looksLikeTrail(full)) {
			out = append(out, full)
		}
		return nil
	}, doublestar.WithNoFollow())
	if err != nil {
		return nil, fault.Wrap(err, fault.Invalid, "find trails")
	}
	if len(out) == 0 {
		return nil, fault.New(fault.Invalid, "find trails", "nothing matches %s", arg).
			WithHint("Quote the glob, so that the shell does not expand it, and use ** to cross directories.")
	}
	return out, nil
}

func skipDir(name string) bool {
	return len(name) > 1 && name[0] == '.' && name != ".." || slices.Contains(pruned, name)
}

func isFile(path string) bool {
	info, err := os.Lstat(path)
	return err == nil && info.Mode().IsRegular()
}

func isYAML(path string) bool {
	ext := strings.ToLower(filepath.Ext(path))
	return ext == ".yaml" || ext == ".yml"
}

func isTrailFile(path string) bool {
	name := filepath.Base(path)
	switch {
	case name == fileName, strings.HasSuffix(name, fileSuffix):
		return true
	case name == blazeName, name == oldName:
		return looksLikeTrail(path)
	}
	return false
}

// looksLikeTrail searches for a trail's root keys in the first 64 kB of a file.
func looksLikeTrail(path string) bool {
	data, err := file.Read(path, yaml.MaxSize)
	if err != nil {
		return false
	}
	for line := range bytes.Lines(data[:min(len(data), 64<<10)]) {
		s := strings.TrimPrefix(string(line), "\ufeff")
		for _, key := range []string{"trail:", "trailhead:", "- config:", "- prompts:", "- tools:", "- trailhead:"} {
			if strings.HasPrefix(s, key) {
				return true
			}
		}
	}
	return false
}

// closest keeps, of each directory's legacy files, the one for this device. Files that are named after no device class
// are trails of their own and stay.
func closest(files, classifiers []string) []string {
	byDir := map[string][]string{}
	for _, f := range files {
		byDir[filepath.Dir(f)] = append(byDir[filepath.Dir(f)], f)
	}
	var out []string
	for _, dir := range sortedKeys(byDir) {
		legacy := false
		for _, f := range byDir[dir] {
			legacy = legacy || isLegacy(filepath.Base(f))
		}
		if !legacy {
			out = append(out, byDir[dir]...)
			continue
		}
		pick := pickFile(byDir[dir], classifiers)
		for _, f := range byDir[dir] {
			if f == pick || !isLegacy(filepath.Base(f)) && filepath.Base(f) != fileName {
				out = append(out, f)
			}
		}
	}
	return out
}

// isLegacy is whether a name is one of a set for one trail: web.trail.yaml, blaze.yaml.
func isLegacy(name string) bool {
	if name == blazeName || name == oldName {
		return true
	}
	stem, ok := strings.CutSuffix(name, fileSuffix)
	family, _, _ := strings.Cut(stem, "-")
	return ok && slices.Contains(families, family)
}

// pickFile finds the file for a device: its most specific class first, then the ones for all devices.
func pickFile(files, classifiers []string) string {
	var names []string
	for _, k := range Chain(classifiers) {
		names = append(names, k+fileSuffix)
	}
	for _, name := range append(names, fileName, blazeName, oldName) {
		for _, f := range files {
			if filepath.Base(f) == name {
				return f
			}
		}
	}
	return ""
}
